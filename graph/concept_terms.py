"""A concept as the sources give it, and how its term is split, folded and made an id."""

import re
import unicodedata
from dataclasses import dataclass, field

from rulings.ingest import fold

OBSOLETE = re.compile(r"\s*\(Obsolete\)", re.IGNORECASE)
"""What the glossary puts after a term that is no longer in use."""


@dataclass(slots=True)
class Found:
    """A concept as the sources give it, before the tree is built.

    ``aliases`` are other spellings, ``rules`` the numbers that define it, best first, ``see`` labels that it points to,
    ``genus`` phrases for what it is told to be a kind of ("variant of ..." where it is a variant of another keyword).
    ``named`` is False where the label is made up and never stands in running text.
    """

    label: str
    kind: str
    definition: str = ""
    aliases: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    see: list[str] = field(default_factory=list)
    genus: list[str] = field(default_factory=list)
    obsolete: bool = False
    named: bool = True


def parts(term: str) -> list[str]:
    """Return the single terms of a glossary head ("Control, Controller"), without quotes, brackets and "(Obsolete)"."""
    plain = OBSOLETE.sub("", term)
    found = [re.sub(r"[—\-]?\s*\[[^\]]*\]", "", part).strip(' ,“”"') for part in re.split(r",”?\s+", plain)]
    return [part for part in dict.fromkeys(found) if part]


def folded(label: str) -> str:
    """Fold a term for comparison: straight quotes, lower case, single spaces, no inner quotes."""
    return fold(label).replace('"', "").casefold()


def slug(label: str) -> str:
    """Return the id of a label: lower case ASCII words joined by hyphens, "(Obsolete)" left out."""
    text = OBSOLETE.sub("", label).replace("∞", "infinity").replace("Æ", "Ae").replace("æ", "ae")
    text = re.sub(r"([+])(?=[\dX])", " plus ", re.sub(r"(?<![\w])[-−](?=[\dX])", " minus ", text))
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", text.replace("'", "")).strip("-")
