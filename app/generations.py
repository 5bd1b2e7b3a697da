"""The generations of a home: one at a time changes them, one of them is in use, and old ones are taken away."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import filelock

from rulings.app.errors import BusyError
from rulings.app.output import note
from rulings.ingest import RulingsError
from rulings.search.engines.address import Address
from rulings.search.engines.keep import drop_vectors
from rulings.search.errors import GenerationError, IndexFormatError
from rulings.search.hold import alone, in_one_step, sweep

KEPT = 3
"""How many past generations stay beside the one in use."""


@contextmanager
def locked(home: Path) -> Iterator[None]:
    """Hold the home for a change; the lock falls with the process that holds it.

    Raises:
        BusyError: another process holds it.
        GenerationError: the home can't be written.
    """
    try:
        (home / "generations").mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(home / "lock", timeout=0)
        lock.acquire()
    except filelock.Timeout:
        raise BusyError(f"{home}: another build is running here; wait for it, or build elsewhere with --home") from None
    except OSError as error:
        raise GenerationError(
            f"{home}: can't be written ({error.strerror}); choose another place with --home"
        ) from error
    try:
        yield
    finally:
        lock.release()


def point_to(home: Path, name: str) -> None:
    """Make a generation the one in use, in one step.

    Raises:
        OSError: the home can't be written.
    """
    with in_one_step(home / "current") as pointer:
        pointer.write(f"{name}\n".encode())
    settle(home, deep=False)


def settle(folder: Path, *, deep: bool = True) -> None:
    """Have the system write a folder, and all that is in it, to the disk, so that a power cut loses nothing.

    Raises:
        OSError: the disk is full, or broken.
    """
    found = [*(folder.rglob("*") if deep else ()), folder]
    # together, for the file system then commits many at once
    with ThreadPoolExecutor(16) as threads:
        list(threads.map(_flush, (each for each in found if each.is_file() or hasattr(os, "O_DIRECTORY"))))


def _flush(path: Path) -> None:
    # Windows flushes only what is open for writing
    opened = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def clear_broken(home: Path) -> list[str]:
    """Take away what a build, or a removal, that was killed left behind; give the names of the folders."""
    left = list((home / "generations").glob(".part-*"))
    for folder in left:
        take_away(folder)
    for each in (home, home / "cache", home / "cache" / "sources"):
        sweep(each)
    return [folder.name for folder in left if not folder.exists()]


def take_away(folder: Path, given: Address | None = None) -> None:
    """Remove the folder of a generation, and before that what it has on a server of vectors.

    Where that server can't be reached the folder stays, so that a later `rulings gc` can do it. ``given`` is the
    server's address with credentials, where it is known.
    """
    try:
        with contextlib.suppress(IndexFormatError):  # a record that is damaged tells nothing
            drop_vectors(folder / "index", given)
    except RulingsError as error:
        note(f"{folder.name.removeprefix('.part-gone-')} stays until a later `rulings gc`: {error}")
        return
    shutil.rmtree(folder, ignore_errors=True)


def past(home: Path) -> list[Path]:
    """The folders of all generations but the one in use, oldest first; all, where none is."""
    used = in_use(home)
    return [path for path in every(home) if path.name != used]


def every(home: Path) -> list[Path]:
    """The folders of all generations, oldest first."""
    folders = (home / "generations").iterdir() if (home / "generations").is_dir() else iter(())
    whole = [path for path in folders if (path / "manifest.json").is_file() and not path.name.startswith(".")]
    # a name begins with the second it was begun in; two of one second are told apart by when they were done
    return sorted(whole, key=lambda path: (path.name[:15], (path / "manifest.json").stat().st_mtime_ns))


def in_use(home: Path) -> str | None:
    """The name of the generation in use; None where the pointer is missing or names none."""
    try:
        name = (home / "current").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return name if name and (home / "generations" / name / "manifest.json").is_file() else None


def remove_past(home: Path, keep: int = KEPT) -> list[str]:
    """Take away all past generations but the ``keep`` newest, and what a broken build left; give their names.

    One that is being read stays until a later time.

    Raises:
        GenerationError: it can't be told which one is in use.
    """
    if in_use(home) is None and every(home):
        raise GenerationError(
            f"{home / 'current'}: names no generation, so none is taken away; choose one by `rulings use`"
        )
    gone = clear_broken(home)
    return [*gone, *(folder.name for folder in past(home)[: -keep or None] if _removed(folder))]


def _removed(folder: Path) -> bool:
    """Take a generation away unless somebody reads it; killed on the way, none is left that looks whole."""
    aside = folder.with_name(f".part-gone-{folder.name}")
    with alone(folder / "manifest.json") as mine, contextlib.suppress(OSError):
        if mine:
            folder.rename(aside)
    take_away(aside)
    return not folder.exists()
