"""Patterns that tell what a statement is about without naming it, from ``data/cues.tsv``."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from rulings.graph.concepts import ConceptScheme


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern that speaks for a concept. ``line`` is its line in the file."""

    label: str
    pattern: re.Pattern[str]
    line: int


@cache
def cues() -> tuple[Cue, ...]:
    """Return all cues in the order of the file.

    Raises:
        ValueError: a line isn't a label, a tab and a pattern that can be compiled.
    """
    found = []
    text = (files("rulings.graph") / "data" / "cues.tsv").read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        label, tab, pattern = line.partition("\t")
        try:
            if not tab:
                raise re.error("no tab")
            found.append(Cue(label.strip(), re.compile(pattern, re.IGNORECASE), number))
        except re.error as error:
            raise ValueError(f"graph/data/cues.tsv, line {number}: {error}; write label, tab, pattern") from error
    return tuple(found)


class CueFinder:
    """The cues of the concepts that a scheme has, as (slug, pattern)."""

    def __init__(self, scheme: ConceptScheme) -> None:
        found = [(scheme.by_label(cue.label), cue) for cue in cues()]
        self._cues: Sequence[tuple[str, re.Pattern[str]]] = [(c.slug, cue.pattern) for c, cue in found if c]

    def find(self, text: str) -> dict[str, tuple[int, int, int]]:
        """Give per concept the first span of its cues in a folded text, and how many of its lines match."""
        found: dict[str, tuple[int, int, int]] = {}
        for slug, pattern in self._cues:
            if match := pattern.search(text):
                start, end, count = found.get(slug, (*match.span(), 0))
                best = (start, end) if start <= match.start() else match.span()
                found[slug] = (*best, count + 1)
        return found
