"""What a manifest says: the sources and files with their hashes, and the versions."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path

from rulings.search.generation import Source
from rulings.search.whole import Stamp, sha256, stamp


def sources_of(paths: Sequence[Path]) -> Iterator[Source]:
    """Every file below the paths, with its hash and size."""
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                yield Source(str(file.absolute()), sha256(file), file.stat().st_size)


def hashes(
    folder: Path, known: Mapping[str, str] | None = None, other: Path | None = None
) -> Iterator[tuple[str, str]]:
    """The path, below the folder, and the hash of every file in it.

    What has a second name in the folder ``other`` is the same file: its hash is taken from ``known``.
    """
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            name = file.relative_to(folder).as_posix()
            same = other is not None and name in (known or {}) and _same_file(file, other / name)
            yield name, (known or {})[name] if same else sha256(file)


def _same_file(file: Path, other: Path) -> bool:
    try:
        return file.samefile(other)
    except OSError:
        return False


def stamps(folder: Path) -> Iterator[tuple[str, Stamp]]:
    """The path, below the folder, and the size and time of every file in it."""
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            yield file.relative_to(folder).as_posix(), stamp(file)


def versions() -> dict[str, str]:
    """The versions of this program and of the libraries that shape what a build writes."""
    names = ("rulings-graph", "pyoxigraph", "onnxruntime", "bm25s", "numpy", "tokenizers")
    found = {}
    for name in names:
        with contextlib.suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found
