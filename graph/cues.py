"""Patterns that tell what a statement is about without naming it, from ``data/cues.tsv``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import ahocorasick

from rulings.graph.concepts import ConceptScheme

_SHORTEST_STEM = 3
_PLAIN = re.compile(r"[a-z '-]")


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern that speaks for a concept.

    ``stem`` is a piece that any match contains, in lower case; "" where there is none.
    """

    label: str
    pattern: re.Pattern[str]
    stem: str
    line: int


@cache
def cues() -> tuple[Cue, ...]:
    """Return all cues in the order of the file, the alternatives of a line one by one.

    Raises:
        ValueError: a line isn't a label, a tab and a pattern that can be compiled.
    """
    found = []
    text = (files("rulings.graph") / "data" / "cues.tsv").read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        label, _, pattern = line.partition("\t")
        try:
            parts = [re.compile(part, re.IGNORECASE) for part in alternatives(pattern)]
        except re.error as error:
            raise ValueError(f"graph/data/cues.tsv, line {number}: {error}; write label, tab, pattern") from error
        found += [Cue(label.strip(), part, stem(part.pattern), number) for part in parts]
    return tuple(found)


def _pieces(pattern: str) -> Iterator[tuple[str, int]]:
    """Yield the characters of a pattern, an escape or a class in one piece, each with its depth in parentheses."""
    depth = 0
    for match in re.finditer(r"\\.|\[(?:\\.|[^\]])*\]|.", pattern):
        if match[0] == ")":
            depth -= 1
        yield match[0], depth
        if match[0] == "(":
            depth += 1


def alternatives(pattern: str) -> list[str]:
    """Split a pattern at its outermost bars."""
    parts = [""]
    for piece, depth in _pieces(pattern):
        if piece == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += piece
    return parts


def stem(pattern: str) -> str:
    """Give the longest run of plain characters that every match of a pattern contains, "" for none of three letters.

    The pattern has no outer bars.
    """
    runs = [""]
    for piece, depth in _pieces(pattern):
        if depth or piece in "()":
            runs.append("")
        elif piece in ("?", "*", "{"):
            runs[-1] = runs[-1][:-1]
            runs.append("")
        elif _PLAIN.fullmatch(piece.lower()):
            runs[-1] += piece.lower()
        else:
            runs.append("")
    best = max(runs, key=len)
    return best if len(best.strip()) >= _SHORTEST_STEM else ""


class CueFinder:
    """The cues of the concepts that a scheme has; only patterns whose stem is in the text are tried."""

    def __init__(self, scheme: ConceptScheme) -> None:
        self._always: list[tuple[str, Cue]] = []
        by_stem: dict[str, list[tuple[str, Cue]]] = {}
        for cue in cues():
            if concept := scheme.by_label(cue.label):
                (by_stem.setdefault(cue.stem, []) if cue.stem else self._always).append((concept.slug, cue))
        self._stems = ahocorasick.Automaton()
        for text, found in by_stem.items():
            self._stems.add_word(text, found)
        self._stems.make_automaton()

    def find(self, text: str) -> dict[str, tuple[int, int, int]]:
        """Give per concept the first span of its cues in a folded text, and how many of its lines match."""
        tried = list(self._always)
        if len(self._stems):
            for found in {id(hit): hit for _, hit in self._stems.iter(text.lower())}.values():
                tried += found
        spans: dict[str, tuple[int, int]] = {}
        lines: dict[str, set[int]] = {}
        for slug, cue in tried:
            if match := cue.pattern.search(text):
                spans[slug] = min(spans.get(slug, match.span()), match.span())
                lines.setdefault(slug, set()).add(cue.line)
        return {slug: (*spans[slug], len(lines[slug])) for slug in sorted(spans)}
