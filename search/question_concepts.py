"""Finding the concepts that a question names, by the words that the scheme of concepts lists in each language."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rulings.graph.concepts import Surface
from rulings.search.hashing import name_hash, span_hashes
from rulings.search.words import german_stem, split_words, stem

LONGEST = 6
_LANGUAGES = ("en", "de", "fr")
_STEMMED = 0.85
"""What a surface's weight is multiplied by where the words match only by their stems."""


@dataclass(frozen=True, slots=True)
class NamedConcept:
    """A concept that a question names: its slug, how surely, and the place and language of its words."""

    concept: str
    weight: float
    start: int
    stop: int
    language: str = "en"


def _stems(words: Sequence[str], language: str) -> tuple[str, ...]:
    return tuple((german_stem if language == "de" else stem)(word) for word in words)


def write_concept_words(folder: Path, surfaces: Iterable[Surface], labels: Mapping[str, str]) -> None:
    """Write the surface forms of concepts, and their labels by slug, into ``folder``."""
    best: dict[tuple[int, str, int], float] = {}
    for surface in surfaces:
        words = tuple(split_words(surface.text))
        if not words or surface.language not in _LANGUAGES:
            continue
        language = _LANGUAGES.index(surface.language)
        for form, weight in (
            (words, surface.weight),
            (tuple(f"~{word}" for word in _stems(words, surface.language)), surface.weight * _STEMMED),
        ):
            entry = name_hash(form), surface.concept, language
            best[entry] = max(best.get(entry, 0.0), weight)
    slugs = sorted({concept for _, concept, _ in best} | labels.keys())
    place = {slug: n for n, slug in enumerate(slugs)}
    rows = sorted((value, place[concept], language, weight) for (value, concept, language), weight in best.items())
    lines = (f"{slug}\t{labels.get(slug, slug)}" for slug in slugs)
    (folder / "concepts.tsv").write_text("\n".join(lines), encoding="utf-8")
    np.savez(
        folder / "concept_words.npz",
        hashes=np.array([row[0] for row in rows], np.uint64), concepts=np.array([row[1] for row in rows], np.int32),
        languages=np.array([row[2] for row in rows], np.uint8), weights=np.array([row[3] for row in rows], np.float32),
    )  # fmt: skip


class ConceptReader:
    """Reads concepts out of questions and texts."""

    def __init__(self, folder: Path) -> None:
        pairs = [line.split("\t") for line in (folder / "concepts.tsv").read_text("utf-8").split("\n") if line]
        self.slugs = tuple(slug for slug, _ in pairs)
        self._labels = dict(pairs)
        with np.load(folder / "concept_words.npz") as arrays:
            self._hashes: NDArray[np.uint64] = arrays["hashes"]
            self._concepts: list[int] = arrays["concepts"].tolist()
            self._languages: list[int] = arrays["languages"].tolist()
            self._weights: list[float] = arrays["weights"].tolist()

    def _named(self, row: int, start: int, stop: int) -> NamedConcept:
        return NamedConcept(
            self.slugs[self._concepts[row]], self._weights[row], start, stop, _LANGUAGES[self._languages[row]]
        )

    def label(self, slug: str) -> str:
        """The English label of a concept."""
        return self._labels.get(slug, slug)

    def read(self, words: Sequence[str], language: str = "en") -> list[NamedConcept]:
        """The concepts that folded words name, in the question's language or in English.

        Longest first, overlaps left out.
        """
        spans, whole = span_hashes(words, LONGEST)
        if not spans or not len(self._hashes):
            return []
        _, stemmed = span_hashes([f"~{word}" for word in _stems(words, language)], LONGEST)
        values = np.concatenate([whole, stemmed])
        starts = np.searchsorted(self._hashes, values, "left").tolist()
        stops = np.searchsorted(self._hashes, values, "right").tolist()
        allowed = {_LANGUAGES.index(code) for code in (language, "en") if code in _LANGUAGES}
        found: list[NamedConcept] = []
        taken = [False] * len(words)
        for n, (a, b) in enumerate(spans):
            if all(taken[a:b]):
                continue
            same = range(starts[n], stops[n]) or range(starts[n + len(spans)], stops[n + len(spans)])
            rows = [row for row in same if self._languages[row] in allowed]
            if not rows:
                continue
            found += [self._named(row, a, b) for row in rows]
            taken[a:b] = [True] * (b - a)
        best: dict[str, NamedConcept] = {}
        for named in found:
            if named.concept not in best or best[named.concept].weight < named.weight:
                best[named.concept] = named
        return sorted(best.values(), key=lambda c: (-c.weight, c.start, c.concept))
