"""The store of a generation made from that of the former one: its files linked, and the difference put in."""

import shutil
from collections.abc import Collection, Iterable
from pathlib import Path

import pyoxigraph as ox

from rulings.graph.difference import Sides, difference
from rulings.graph.errors import StoreError
from rulings.graph.vocabulary import Iris
from rulings.ingest.second_name import second_name

_PIECE = 20_000
"""Quads put in at once."""


def update_store(
    former: Path, folder: Path, old: Sides, new: Sides, iris: Iris, listed: Collection[str] | None = None
) -> int:
    """Make the store in ``folder`` from ``former`` and give by how many quads it grew.

    The former store is left as it is: of its files those that the engine writes once (``.sst``) get a second name, the
    others are copied; only those ``listed`` (None: all) are taken. Space of quads that are gone comes back only where
    the engine merges files, so a store should be written anew once in a while.

    Raises:
        StoreError: the former store isn't whole, or the disk is full or not writable.
        ArchiveError: records can't be read.
    """
    change = difference(old, new, iris)
    try:
        copy_store(former, folder, listed)
        store = ox.Store(str(folder))
        for piece in _pieces(change.gone):
            for quad in ox.parse("".join(piece), ox.RdfFormat.N_QUADS, lenient=True):
                store.remove(quad)
        for piece in _pieces(change.new):
            store.extend(ox.parse("".join(piece), ox.RdfFormat.N_QUADS, lenient=True))
        store.flush()
        del store
    except (OSError, SyntaxError, RuntimeError) as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"{folder}: the graph could not be written ({error}); is there room on the disk?") from error
    return len(change.new) - len(change.gone)


def copy_store(former: Path, folder: Path, listed: Collection[str] | None = None) -> None:
    """Copy a store that nobody writes to, sharing the files that are never written again.

    ``listed`` are the names of its files (None: all that are there).

    Raises:
        StoreError: there is none.
        OSError: the folder is there already, or can't be written.
    """
    if not (former / "CURRENT").is_file():
        raise StoreError(f"{former}: no graph there; run `rulings build --anew`")
    folder.mkdir()
    for file in sorted(former.iterdir() if listed is None else (former / name for name in listed)):
        if file.suffix == ".sst":
            second_name(file, folder / file.name)
        elif file.name != "LOCK" and not file.name.startswith("LOG"):
            shutil.copyfile(file, folder / file.name)


def _pieces(lines: Iterable[str]) -> Iterable[list[str]]:
    ordered = sorted(lines)
    return (ordered[start : start + _PIECE] for start in range(0, len(ordered), _PIECE))
