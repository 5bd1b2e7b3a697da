"""N-Quads files as one stream for the store's loader, which gets no more of it than it can soon write."""

import io
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_PIECE = 1 << 20
"""Bytes read at once."""

_AHEAD = 150 << 20
"""Bytes given while a batch is being written: fewer than another batch has, so that there are never two at work."""

_TASKS = Path("/proc/self/task")
_POLL = 0.02
_STUCK = 60.0
"""Seconds after which another thread is one that stays, and no batch being written."""


def as_stream(dumps: Iterable[Path]) -> io.BufferedReader:
    """Read files one after the other as one; each is deleted when it was read, and asked for only then.

    The loader sorts and writes a million quads at a time in a thread of its own, and would read on meanwhile, until
    three such batches are in memory. Where the system tells a process its threads, it gets no more than the better
    part of the next batch before the last one is written. A system that tells nothing costs memory, not time; any other
    new thread of the process counts as a batch, for a minute at most.
    """
    return io.BufferedReader(_Files(dumps), _PIECE)


class _Files(io.RawIOBase):
    def __init__(self, paths: Iterable[Path]) -> None:
        super().__init__()
        self._files = _opened(paths)
        self._file: io.BufferedReader | None = None
        self._threads: int | None = None
        self._ahead = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        self._wait()
        while True:
            self._file = self._file or next(self._files, None)
            if self._file is None:
                return 0
            if size := self._file.readinto(buffer):
                self._ahead += size
                return size
            self._file = None

    def _wait(self) -> None:
        """Wait, where enough was given, while there are more threads than at the first read."""
        if self._threads is None:
            self._threads = _threads()
        end = time.monotonic() + _STUCK
        while (found := _threads()) > self._threads:
            if self._ahead < _AHEAD:
                return
            if time.monotonic() > end:
                self._threads = found
            time.sleep(_POLL)
        self._ahead = 0


def _opened(paths: Iterable[Path]) -> Iterator[io.BufferedReader]:
    for path in paths:
        try:
            with path.open("rb") as file:
                yield file
        finally:
            path.unlink(missing_ok=True)


def _threads() -> int:
    try:
        return sum(1 for _ in _TASKS.iterdir())
    except OSError:  # not Linux
        return 0
