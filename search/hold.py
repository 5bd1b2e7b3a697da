"""Holds on files, by which nothing is taken away that somebody still reads or writes; they fall with their process.

A reader of a generation holds its manifest, a writer of the cache the part that it writes. Where the system has no
`fcntl` (Windows), an open file can't be taken away anyway.
"""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0)


def hold(file: Path) -> int:
    """Open a file for reading and hold it, beside others; the hold falls when the descriptor is closed.

    Raises:
        OSError: it can't be read, or was taken away just now.
    """
    held = os.open(file, _READ)
    try:
        if fcntl is not None:
            with contextlib.suppress(OSError):  # a file system without locks
                fcntl.flock(held, fcntl.LOCK_SH)
        there, here = os.fstat(held), file.stat()
    except BaseException:
        os.close(held)
        raise
    # whoever takes it away holds it alone until it has another name: if it is here now, it stays
    if (there.st_dev, there.st_ino) != (here.st_dev, here.st_ino):
        os.close(held)
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(file))
    return held


@contextlib.contextmanager
def alone(file: Path) -> Iterator[bool]:
    """Hold a file alone while the block runs; gives whether it could be had. One that isn't there can."""
    try:
        held = os.open(file, _READ)
    except FileNotFoundError:
        yield True
        return
    except OSError:
        yield False
        return
    try:
        if fcntl is None:
            yield True
            return
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        except OSError:  # a file system without locks
            yield True
            return
        yield True
    finally:
        os.close(held)


@contextlib.contextmanager
def in_one_step(place: Path) -> Iterator[IO[bytes]]:
    """Write a file beside ``place`` and put it there when the block ends well; on an error nothing is left.

    Raises:
        OSError: it can't be written.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_name(f".{place.name}.part-{os.urandom(4).hex()}")
    try:
        with part.open("wb") as file, alone(part):
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(place)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def sweep(folder: Path) -> None:
    """Take away the parts whose writer has gone: those of `in_one_step`, and those named for a process."""
    for part in folder.glob(".*.part-*"):
        with alone(part) as mine, contextlib.suppress(OSError):
            if mine:
                part.unlink()
    for part in folder.glob(".*.[0-9]*"):
        writer = part.suffix[1:]
        if writer.isdecimal() and not _runs(int(writer)):
            with contextlib.suppress(OSError):
                part.unlink()


def _runs(process: int) -> bool:
    """Whether a process of this number is there; on Windows, where to ask would be to end it, all are."""
    if os.name == "nt":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
