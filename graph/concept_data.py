"""The curated vocabulary: everyday English words, and German and French names, for concepts of the rules."""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

FILES = ("synonyms.tsv", "everyday.tsv", "names.de.tsv", "names.fr.tsv")


@dataclass(frozen=True, slots=True)
class Entry:
    """A surface form of a concept: the words, the label, the language (ISO 639), a note ("printed", "weak")."""

    surface: str
    concept: str
    language: str
    note: str = ""


@cache
def curated() -> tuple[Entry, ...]:
    """Return all entries of the curated files in the order of the files.

    Raises:
        ValueError: a line hasn't the four columns of graph/data/README.md.
    """
    found: list[Entry] = []
    for name in FILES:
        text = (files("rulings.graph") / "data" / name).read_text(encoding="utf-8")
        for number, row in enumerate(csv.reader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE), start=1):
            if not row or row[0].startswith("#"):
                continue
            if len(row) != 4:
                raise ValueError(
                    f"graph/data/{name}, line {number}: {len(row)} columns where 4 are due; see graph/data/README.md"
                )
            found.append(Entry(*(cell.strip() for cell in row)))
    return tuple(found)
