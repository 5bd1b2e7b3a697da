"""Runs batches on processes of this machine; one that ends is replaced, and its batches are run again."""

import multiprocessing
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import count
from typing import Any, TypeVar

from rulings.app.apart import follow_parent
from rulings.app.errors import WorkersError
from rulings.graph.runner import Shared
from rulings.search.threads import one_thread

R = TypeVar("R")
B = TypeVar("B")

TRIES = 4
"""How often a batch is run, at most, where the processes that have it end."""
_AHEAD = 2
"""Batches that each process is given before the first of them is done."""


class LocalProcesses:
    """Runs batches on some processes, each with one batch at a time."""

    def __init__(self, processes: int, tell: Callable[[str], None]) -> None:
        """Start when first needed; ``tell`` is called where a process was lost."""
        self._workers = [_Worker() for _ in range(processes)]
        self._tell = tell

    def map(self, work: Callable[..., R], batches: Iterable[B], *shared: Shared[Any]) -> Iterator[R]:
        """Yield the results in order; see `rulings.graph.runner.Runner`.

        Raises:
            WorkersError: the processes that had a batch ended, each time anew.
        """
        drawn = enumerate(batches)
        again: deque[tuple[int, B]] = deque()
        running: dict[Future[R], tuple[int, B, _Worker]] = {}
        done: dict[int, R] = {}
        tries: Counter[int] = Counter()
        most = 2 * _AHEAD * len(self._workers)
        for due in count():
            while due not in done:
                while worker := self._free(running.values()):
                    one = again.popleft() if again else next(drawn, None) if len(running) + len(done) < most else None
                    if one is None:
                        break
                    running[worker.submit(work, one[1], shared)] = *one, worker
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    number, batch, worker = running.pop(future)
                    try:
                        done[number] = future.result()
                    except BrokenProcessPool:
                        tries[number] += 1
                        self._lost(worker, tries[number])
                        again.append((number, batch))
            yield done.pop(due)

    def _free(self, running: Iterable[tuple[int, Any, "_Worker"]]) -> "_Worker | None":
        """The process that has the fewest batches, if it may have one more."""
        busy = Counter(id(worker) for _, _, worker in running)
        worker = min(self._workers, key=lambda one: busy[id(one)])
        return worker if busy[id(worker)] < _AHEAD else None

    def _lost(self, worker: "_Worker", times: int) -> None:
        if times >= TRIES:
            raise WorkersError(
                f"{TRIES} processes ended at the same batch (out of memory?); make room, or take fewer by --processes"
            )
        if worker.renew():
            self._tell("a process ended from outside; what it had is run again")

    def close(self) -> None:
        """End the processes."""
        for worker in self._workers:
            worker.close()


class _Worker:
    """One process, and what it was sent of what is shared."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._sent: tuple[Shared[Any], ...] = ()

    def submit(self, work: Callable[..., R], batch: B, shared: tuple[Shared[Any], ...]) -> Future[R]:
        """Give it a batch, and first what is shared, unless it has that."""
        try:
            if self._pool is None:
                spawn = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(1, mp_context=spawn, initializer=follow_parent)
            if self._sent != shared:
                places = [self._sent.index(one) if one in self._sent else one for one in shared]
                self._pool.submit(_hold, places)
                self._sent = shared
            return self._pool.submit(_run, work, batch)
        except BrokenProcessPool as error:
            lost: Future[R] = Future()
            lost.set_exception(error)
            return lost

    def renew(self) -> bool:
        """Have a new process take its place when next needed; False if that was asked for before."""
        if self._pool is None or not _broken(self._pool):
            return False
        self.close()
        return True

    def close(self) -> None:
        """End the process."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool, self._sent = None, ()


def _broken(pool: ProcessPoolExecutor) -> bool:
    try:
        pool.submit(int)
    except BrokenProcessPool:
        return True
    return False


_held: list[Shared[Any]] = []
"""In a worker: what was shared for the batches that come."""


def _hold(places: list[Shared[Any] | int]) -> None:
    """Take what is shared; a number stands for what is held already, and what isn't named is let go."""
    _held[:] = [_held[place] if isinstance(place, int) else place for place in places]


def _run(work: Callable[..., R], batch: B) -> R:
    with one_thread():
        return work(batch, *(one.tool() for one in _held))
