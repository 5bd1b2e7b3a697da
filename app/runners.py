"""Opens what a build runs on: this process, some processes of this machine, or a Dask cluster."""

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from rulings.app.dask_cluster import DaskCluster
from rulings.app.errors import UsageError
from rulings.app.local_processes import LocalProcesses
from rulings.app.output import Progress
from rulings.graph.runner import Runner, Shared
from rulings.ingest.addresses import shown

R = TypeVar("R")
B = TypeVar("B")

_ADDRESS = re.compile(r"(?:tcp|tls)://[^/\s@]+:\d+")


@contextlib.contextmanager
def open_runner(processes: int | None, cluster: str | None, tell: Callable[[str], None]) -> Iterator[Runner | None]:
    """Open the runner that was asked for; None: all is done in this process.

    Raises:
        UsageError: no scheduler has such an address, or a worker has another version of the program.
        MissingExtraError: what it needs isn't installed.
        WorkersError: the cluster can't be reached.
    """
    if cluster is None and (processes is None or processes < 2):
        yield None
        return
    if cluster is not None and not _ADDRESS.fullmatch(cluster):
        raise UsageError(
            f"--cluster {shown(cluster)}: not the address of a Dask scheduler, tcp://HOST:PORT or tls://HOST:PORT"
        )
    found = DaskCluster(cluster, tell) if cluster is not None else LocalProcesses(processes or 1, tell)
    try:
        yield _Shown(found)
    finally:
        found.close()


class _Shown:
    """A runner that shows on a terminal how many batches are done."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def map(self, work: Callable[..., R], batches: Iterable[B], *shared: Shared[Any]) -> Iterator[R]:
        given = list(batches)
        progress = Progress(work.__name__.strip("_").replace("_", " "), len(given))
        for result in self._runner.map(work, given, *shared):
            progress()
            yield result
        progress.close()
