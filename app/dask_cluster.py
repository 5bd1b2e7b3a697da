"""Runs batches on a Dask cluster; where a worker is lost, the scheduler has another run what it had."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from threading import Lock
from typing import Any, TypeVar

from rulings.app.errors import UsageError, WorkersError
from rulings.app.program import program
from rulings.graph.errors import MissingExtraError
from rulings.graph.runner import Shared
from rulings.search.threads import one_thread

R = TypeVar("R")
B = TypeVar("B")

RETRIES = 3
"""How often a batch that failed is run again; lost workers are counted by the scheduler (``allowed-failures``)."""
PATIENCE = 30.0
"""Seconds to wait for a worker where there is none."""
_AHEAD = 2
"""Batches out for each thread of a worker."""
_GLANCE = 2.0
"""Seconds after which it is looked whether there still is a worker."""
_one_at_a_time = Lock()


class _LostError(Exception):
    """All workers that had what is shared are gone."""


class DaskCluster:
    """Runs batches on the workers of a scheduler that is there; each has one batch at a time."""

    def __init__(self, address: str, tell: Callable[[str], None], patience: float = PATIENCE) -> None:
        """Connect to a scheduler.

        Args:
            address: ``tcp://HOST:PORT``, or ``tls://HOST:PORT`` as set up in Dask's own configuration.
            tell: called where workers were lost.
            patience: seconds to wait for a worker where there is none.

        Raises:
            MissingExtraError: Dask isn't installed.
            WorkersError: nobody answers there, or no worker is there.
            UsageError: a worker has another version of the program.
        """
        try:
            import distributed
        except ImportError:
            raise MissingExtraError(
                "--cluster needs distributed; install it with: pip install 'rulings-graph[cluster]'"
            ) from None
        self._address, self._tell, self._patience = address, tell, patience
        try:
            connect: Any = distributed.Client  # has no types
            self._client = connect(address, timeout=patience, set_as_default=False)
        except (OSError, ValueError) as error:
            raise WorkersError(f"{address}: no Dask scheduler answers ({error}); start one, or correct it") from error
        try:
            self._wait_for_workers()
            self._same_everywhere()
        except BaseException:
            self._client.close()
            raise

    def map(self, work: Callable[..., R], batches: Iterable[B], *shared: Shared[Any]) -> Iterator[R]:
        """Yield the results in order; see `rulings.graph.runner.Runner`.

        Raises:
            WorkersError: the workers were lost again and again, or all of them.
        """
        sent = self._send(shared)
        drawn, losses = iter(batches), 0
        out: deque[tuple[B, Any]] = deque()
        while True:
            most = _AHEAD * max(1, self._threads())
            while len(out) < most and (batch := next(drawn, None)) is not None:
                out.append((batch, self._submit(work, batch, sent)))
            if not out:
                return
            try:
                result = self._result(out[0][1])
            except _LostError as error:
                losses += 1
                if losses > RETRIES:
                    raise WorkersError(
                        f"{self._address}: the workers were lost again and again; see their logs, and build again"
                    ) from error
                self._tell("all workers were lost; what they had is sent to others")
                self._wait_for_workers()
                sent = self._send(shared)
                out = deque((batch, self._submit(work, batch, sent)) for batch, _ in out)
                continue
            out.popleft()
            yield result

    def close(self) -> None:
        """Leave the cluster; it stays as it was."""
        self._client.close()

    def _send(self, shared: Iterable[Shared[Any]]) -> list[Any]:
        return [self._client.scatter(one, broadcast=True, hash=False) for one in shared]

    def _submit(self, work: Callable[..., R], batch: B, sent: list[Any]) -> Any:  # noqa: ANN401 - a Dask future
        return self._client.submit(_run, program(), work, batch, *sent, pure=False, retries=RETRIES)

    def _result(self, future: Any) -> Any:  # noqa: ANN401
        from distributed import CancelledError, KilledWorker

        while True:
            try:
                return future.result(timeout=_GLANCE)
            except TimeoutError:
                if future.status == "error":
                    raise
                self._wait_for_workers()
            except CancelledError as error:
                raise _LostError from error
            except KilledWorker as error:
                raise WorkersError(
                    f"{self._address}: every worker that had the same batch was lost; see their logs, give them more "
                    "memory, and build again"
                ) from error

    def _same_everywhere(self) -> None:
        for worker, found in self._client.run(_version).items():
            if found != program():
                raise UsageError(f"worker {worker} has another version of rulings; install this one there")

    def _threads(self) -> int:
        return sum(self._client.nthreads().values())

    def _wait_for_workers(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=self._patience)
        except TimeoutError:
            raise WorkersError(
                f"{self._address}: no worker is there; start some by `dask worker {self._address}`"
            ) from None


def _version() -> str:
    """On a worker: which program is there."""
    return program()


def _run(made_by: str, work: Callable[..., R], batch: B, *shared: Shared[Any]) -> R:
    """On a worker: run a batch. The tools aren't made for several threads."""
    if program() != made_by:
        raise UsageError("this worker has another version of rulings; install the one that builds")
    with _one_at_a_time, one_thread():
        return work(batch, *(one.tool() for one in shared))
