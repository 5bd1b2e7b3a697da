"""Work of a build done beside the rest, in a process of its own: links of cards, graph, parts of the index."""

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import ParamSpec, TypeVar

from rulings.graph.concepts import ConceptScheme
from rulings.graph.derive import derive_cards
from rulings.graph.derived import card_lines
from rulings.graph.errors import StoreError
from rulings.graph.records import CardLinks
from rulings.graph.store import write_dump
from rulings.graph.vocabulary import Iris
from rulings.ingest import Archive
from rulings.search.index import begin_index

LARGE = 5_000
"""Statements and cards from which on a process of its own is worth the second that it takes to start."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


def link_cards(records: Path, dump: Path, iris: Iris) -> CardLinks:
    """Work out the links of the cards in a written archive, and write those that need no statement to ``dump``.

    Raises:
        StoreError: the dump can't be written.
    """
    with Archive(records) as archive:
        corpus = archive.corpus()
    links = derive_cards(corpus, ConceptScheme.from_corpus(corpus))
    write_dump(dump, card_lines(corpus, links, iris))
    return links


def index_corpus(records: Path, folder: Path, former: Path, listed: Collection[str]) -> None:
    """Begin the index of the corpus in a written archive, with what an index of the same cards has.

    Of that, only the files ``listed`` are taken, paths below ``former``.

    Raises:
        OSError: the former index can't be read, or the folder can't be written.
    """
    with Archive(records) as archive:
        begin_index(folder, archive.corpus(), former, listed)


class _Here(Executor):
    """Does at once, in this process, what it is given."""

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        done: Future[_T] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - it is raised where the result is asked for
            done.set_exception(error)
        return done


@contextlib.contextmanager
def apart(size: int) -> Iterator[Executor]:
    """What to give such work to, for a corpus of ``size`` statements and cards; tasks are done one after the other.

    Where the block is left by an error, the process is ended at once.

    Raises:
        StoreError: the process was ended from outside.
    """
    if size < LARGE:
        yield _Here()
        return
    others = multiprocessing.active_children()
    pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=follow_parent)
    try:
        yield pool
    except BrokenProcessPool as error:
        raise StoreError(
            "the process that loads the graph was ended from outside (out of memory?); make room and build again"
        ) from error
    except BaseException:
        for process in multiprocessing.active_children():
            if process not in others:
                process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def follow_parent() -> None:
    """End this process when the one that started it ends, however that happens; leave Ctrl-C to that one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
