"""Work of a build done beside the rest, in a process of its own: links of cards, graph, parts of the index."""

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from typing import ParamSpec, Protocol, TypeVar

from rulings.graph.concepts import ConceptScheme
from rulings.graph.derive import derive_uses
from rulings.graph.derived import card_lines
from rulings.graph.errors import StoreError
from rulings.graph.records import CardLinks
from rulings.graph.store import load_store, write_dumps
from rulings.graph.vocabulary import Iris
from rulings.graph.works_like import works_like
from rulings.ingest import Archive
from rulings.search.index import begin_index

LARGE = 5_000
"""Statements and cards from which on a process of its own is worth the second that it takes to start."""

_END = 5.0
"""Seconds to wait for a killed process to be gone."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


def link_cards(records: Path, folder: Path, iris: Iris, give: Callable[[Path], None]) -> CardLinks:
    """Work out the links of the cards in a written archive, and ``give`` files of those that need no statement.

    The files are written to ``folder``, each given when it is whole.

    Raises:
        StoreError: a file can't be written.
    """
    with Archive(records) as archive:
        corpus = archive.corpus()
    uses = derive_uses(corpus, ConceptScheme.from_corpus(corpus))
    for dump in write_dumps(folder, "uses", card_lines(corpus, CardLinks(uses, {}), iris)):
        give(dump)
    alike = works_like(corpus)
    for dump in write_dumps(folder, "alike", card_lines(corpus, CardLinks((), alike), iris)):
        give(dump)
    return CardLinks(uses, alike)


def index_corpus(records: Path, folder: Path, former: Path, listed: Collection[str]) -> None:
    """Begin the index of the corpus in a written archive, with what an index of the same cards has.

    Of that, only the files ``listed`` are taken, paths below ``former``.

    Raises:
        OSError: the former index can't be read, or the folder can't be written.
    """
    with Archive(records) as archive:
        begin_index(folder, archive.corpus(), former, listed)


class Apart(Protocol):
    """Does work beside a build, whatever in."""

    def link_cards(self, records: Path, folder: Path, iris: Iris) -> Future[CardLinks]:
        """As `link_cards` does; what it gives is loaded. It is the last that may be given to `submit`."""

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Have a function called, after those that were given before it."""

    def load(self, folder: Path) -> None:
        """Load into a new store in ``folder`` what is going to be given."""

    def give(self, dump: Path) -> None:
        """Have a file of N-Quads loaded.

        Raises:
            StoreError: those before it couldn't be loaded.
        """

    def all_given(self) -> None:
        """Say that there is no more to load."""

    def loaded(self) -> int:
        """Wait until all is loaded, and give how many quads there are.

        Raises:
            StoreError: as `load_store` raises it.
        """


class _Here:
    """Does at once, in this process, what it is given, and loads at the end."""

    def __init__(self) -> None:
        self._folder = Path()
        self._dumps: list[Path] = []

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        done: Future[_T] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - it is raised where the result is asked for
            done.set_exception(error)
        return done

    def link_cards(self, records: Path, folder: Path, iris: Iris) -> Future[CardLinks]:
        return self.submit(link_cards, records, folder, iris, self.give)

    def load(self, folder: Path) -> None:
        self._folder = folder

    def give(self, dump: Path) -> None:
        self._dumps.append(dump)

    def all_given(self) -> None:
        pass

    def loaded(self) -> int:
        return load_store(self._folder, self._dumps)


class _Processes:
    """Works in one process, and keeps another one for the store, which needs much room and nothing of the corpus."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._dumps: SimpleQueue[Path | None] = context.SimpleQueue()
        self._work, self._store = (
            ProcessPoolExecutor(1, mp_context=context, initializer=_begin, initargs=(self._dumps,)) for _ in range(2)
        )
        self._loading: Future[int] | None = None

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        with _uninterrupted():
            return self._work.submit(fn, *args, **kwargs)

    def link_cards(self, records: Path, folder: Path, iris: Iris) -> Future[CardLinks]:
        links = self.submit(_link_and_give, records, folder, iris)
        self._work.shutdown(wait=False)  # the process ends with it: the store needs the memory
        return links

    def load(self, folder: Path) -> None:
        with _uninterrupted():
            self._loading = self._store.submit(_load_given, folder)

    def give(self, dump: Path) -> None:
        if self._loading is not None and self._loading.done():
            self._loading.result()  # it ended before all was given: say so now, not when the rest is done
        self._dumps.put(dump)

    def all_given(self) -> None:
        self._dumps.put(None)

    def loaded(self) -> int:
        return self._loading.result() if self._loading else 0

    def end(self) -> None:
        """Wait for what is begun."""
        for pool in (self._work, self._store):
            pool.shutdown(cancel_futures=True)
        self._dumps.close()


@contextlib.contextmanager
def apart(size: int) -> Iterator[Apart]:
    """What to give such work to, for a corpus of ``size`` statements and cards; tasks are done one after the other.

    Where the block is left by an error, the processes are ended at once.

    Raises:
        StoreError: a process was ended from outside.
    """
    if size < LARGE:
        yield _Here()
        return
    others = multiprocessing.active_children()
    pools = _Processes()
    try:
        yield pools
    except BrokenProcessPool as error:
        _end_all_but(others)
        raise StoreError(
            "a process beside the build was ended from outside (out of memory? a script that builds needs "
            "`if __name__ == '__main__':`); make room and build again"
        ) from error
    except BaseException:
        _end_all_but(others)
        raise
    finally:
        pools.end()


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Have a process that is started here ignore Ctrl-C from its first moment on: this one tells of it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    former = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if former is None else former)


def _end_all_but(others: Collection[BaseProcess]) -> None:
    for process in multiprocessing.active_children():
        if process not in others:
            process.kill()  # not by a signal that it may have been told to ignore
            process.join(_END)


_dumps: "SimpleQueue[Path | None] | None" = None
"""In such a process: the files that are to be loaded; None comes last."""


def _begin(dumps: "SimpleQueue[Path | None]") -> None:
    """Begin a process that takes or gives such files."""
    global _dumps  # noqa: PLW0603 - a queue can be handed over at a process's start only
    follow_parent()
    _dumps = dumps


def _load_given(folder: Path) -> int:
    return load_store(folder, iter(_dumps.get, None) if _dumps else ())


def _link_and_give(records: Path, folder: Path, iris: Iris) -> CardLinks:
    return link_cards(records, folder, iris, _dumps.put if _dumps else lambda _: None)


def follow_parent() -> None:
    """End this process when the one that started it ends, however that happens; leave Ctrl-C to that one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
