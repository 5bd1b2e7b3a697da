"""The generations of a home: one at a time changes them, one of them is in use, and old ones are taken away."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock

from rulings.app.errors import BusyError
from rulings.search.errors import GenerationError

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
    """Make a generation the one in use, in one step."""
    pointer = home / f".current-{name}"
    pointer.write_text(name + "\n", encoding="utf-8")
    pointer.replace(home / "current")


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

    Raises:
        GenerationError: it can't be told which one is in use.
    """
    if in_use(home) is None and every(home):
        raise GenerationError(
            f"{home / 'current'}: names no generation, so none is taken away; choose one by `rulings use`"
        )
    gone = []
    for folder in [*(home / "generations").glob(".part-*"), *past(home)[: -keep or None]]:
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            gone.append(folder.name)
    return gone
