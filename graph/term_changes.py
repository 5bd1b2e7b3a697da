"""Terms that the rules renamed or gave up, before the editions loaded too: the table ``data/term_changes.tsv``."""

import re
from dataclasses import dataclass, field
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class TermChange:
    """An older way to say something.

    ``old`` is a pattern over folded lower-case text, ``new`` its replacement in today's words (as in `re.sub`).
    ``outdated`` says whether a text that uses the old way is outdated by it; many changes are only of style. ``since``
    is the year of the change.
    """

    old: str
    new: str
    since: int
    outdated: bool
    name: str = ""
    hint: str = ""
    """A piece of text without which ``old`` can't match."""
    pattern: re.Pattern[str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pattern", re.compile(rf"\b{self.old}\b"))


def _read() -> tuple[TermChange, ...]:
    lines = files("rulings.graph").joinpath("data/term_changes.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return tuple(
        TermChange(old, new.replace("␣", " "), int(since), outdated == "yes", name, hint.replace("␣", " "))
        for old, new, since, outdated, name, hint in rows
    )


TERM_CHANGES = _read()


def today(text: str) -> str:
    """Give folded lower-case text in today's terms."""
    for change in TERM_CHANGES:
        if change.hint in text:
            text = change.pattern.sub(change.new, text)
    return text


def outdated_terms(text: str) -> tuple[str, ...]:
    """Give the names of the outdated terms of the table that a text uses."""
    lowered = text.lower()
    return tuple(c.name for c in TERM_CHANGES if c.outdated and c.hint in lowered and c.pattern.search(lowered))
