"""A process that runs queries, one at a time, until its input ends: ``python -m rulings.app.web.query_worker GRAPH``.

The engine can't be interrupted, so whoever asks kills the process when the time is up. It keeps to limits of its own as
well, so that none is left running where the server died.
"""

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, cast

import msgspec
import pyoxigraph as ox

from rulings.app.web.query_frames import DATA, END, ERROR, HEAD, KIND, READY, Failure, Task, frame, opened
from rulings.graph.errors import QueryError, StoreError
from rulings.graph.sparql import evaluate, kind_of, told, write
from rulings.graph.store import open_store

CHUNK = 1 << 16


class _TooLargeError(Exception):
    """The answer grew past its limit."""


class _Output:
    """Gathers what the engine writes into frames; ``kind`` goes out ahead of the first."""

    def __init__(self, send: Callable[[bytes], object], kind: str, most: int) -> None:
        self._send, self._kind, self._left = send, kind, most
        self._buffer = bytearray()

    def write(self, data: bytes) -> int:
        self._left -= len(data)
        if self._left < 0:
            raise _TooLargeError
        self._buffer += data
        if len(self._buffer) >= CHUNK:
            self.send_frame(DATA)
        return len(data)

    def flush(self) -> None:
        """Nothing: the engine flushes more often than is good for us."""

    def send_frame(self, sort: bytes) -> None:
        """Send what there is; the last frame is an `END`."""
        if self._kind:
            self._send(frame(KIND, self._kind.encode()))
            self._kind = ""
        self._send(frame(sort, bytes(self._buffer)))
        self._buffer.clear()


def answer(store: ox.Store, task: Task, send: Callable[[bytes], object]) -> None:
    """Run a query and send its kind, its answer and the end, or what went wrong."""
    try:
        found = evaluate(store, task.query, default=task.default, named=task.named, service=task.service)
        kind = kind_of(found)
        form = task.graph if kind == "graph" else task.rows
        if form is None:
            send(frame(ERROR, msgspec.json.encode(Failure("format", kind))))
            return
        output = _Output(send, kind, task.size)
        if not task.head_only:
            with told(task.query):
                write(found, form, cast("IO[bytes]", output))
        output.send_frame(END)
    except _TooLargeError:
        failure = Failure("size", "")
    except QueryError as error:
        failure = Failure("query", str(error))
    except StoreError as error:
        failure = Failure("store", str(error))
    except RecursionError:
        failure = Failure("query", "the query is nested too deeply; write it flatter")
    else:
        return
    send(frame(ERROR, msgspec.json.encode(failure)))


def main(graph: Path, memory: int) -> None:
    """Open the graph, say so, and answer."""
    output = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    # Ctrl-C goes to every process of a terminal; the server ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def send(data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[output.write(rest) or 0 :]

    store = open_store(graph)
    _warm(store)
    _limit_memory(memory)
    send(frame(READY))
    read = sys.stdin.buffer.read
    while len(head := read(HEAD)) == HEAD:
        task = msgspec.json.decode(read(opened(head)[1]), type=Task)
        with _alarm(task.seconds), contextlib.suppress(BrokenPipeError):
            answer(store, task, send)


def _warm(store: ox.Store) -> None:
    """Touch what a first query would wait for."""
    with told(""):
        next(iter(evaluate(store, "SELECT ?c { ?c a rul:Card } LIMIT 1")), None)  # type: ignore[arg-type]


def _limit_memory(more: int) -> None:
    """Let the process take some bytes beyond what it has; past that it ends itself."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + more,) * 2)


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """End the process a while after the server should have done so."""
    if not hasattr(signal, "alarm"):
        yield
        return
    signal.alarm(int(seconds) + 3)
    try:
        yield
    finally:
        signal.alarm(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
