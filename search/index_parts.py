"""The parts of an index that depend on cards and their printed names alone: taken over where those are the same."""

from collections.abc import Collection
from pathlib import Path

from rulings.ingest.second_name import second_name

PARTS = ("learned.*.tsv", "cards/*", "alike.*", "uses.*", "card_words.msgpack")


def take_over(former: Path, folder: Path, listed: Collection[str] | None = None) -> None:
    """Give those parts of the index ``former`` a second name in ``folder``; nobody writes to them again.

    ``listed`` are the paths below ``former`` that may be taken (None: all).

    Raises:
        OSError: they can't be read, or the folder can't be written.
    """
    for pattern in PARTS:
        for file in sorted(former.glob(pattern)):
            if listed is not None and file.relative_to(former).as_posix() not in listed:
                continue
            place = folder / file.relative_to(former)
            place.parent.mkdir(exist_ok=True)
            second_name(file, place)
