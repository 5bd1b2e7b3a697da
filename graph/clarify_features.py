"""Features of a concept in a statement: what speaks for the statement being about it.

Names of features are part of ``data/clarifies.json``; change both together.
"""

import bisect
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rulings.graph.concept_mentions import by_concept
from rulings.graph.records import Concept, ConceptMention

_CLAUSE = re.compile(
    r"\b(?:if|when|whenever|while|as long as|unless|until|after|before|because|since|although|"
    r"even though|even if|once|whether)\b[^,.;—]*",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\([^)]*\)|\bfor example\b[^.]*\.?", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?](?:\"|\))? +(?=[A-Z\"({])")
_NEGATED = re.compile(r"(?:n't|\bnot|\bno|\bnever|\bonly|\bcannot)\b[^.,;]{0,30}$", re.IGNORECASE)
_LABEL_WORD = re.compile(r"[a-z]+")
RARITY = "rarity"
"""The one feature that tells of other statements."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A concept that a statement may be about, with where it is first told and its features."""

    concept: str
    start: int
    end: int
    method: str
    features: Mapping[str, float]


@dataclass(slots=True)
class FeatureMaker:
    """Makes candidates with features. ``frequency`` is in how many of ``total`` statements a concept is named."""

    concepts: Mapping[str, Concept]
    frequency: Mapping[str, int]
    total: int
    label_words: dict[str, frozenset[str]] = field(default_factory=dict)

    def candidates(
        self,
        text: str,
        mentions: Sequence[ConceptMention],
        cues: Mapping[str, tuple[int, int, int]],
        keywords: frozenset[str] = frozenset(),
    ) -> list[Candidate]:
        """List the concepts that a folded statement names or hints at, with their features.

        Args:
            text: The folded statement.
            mentions: The concepts named in it; offsets may be those of the text as written (they differ by little).
            cues: First span and number of the cues of each concept.
            keywords: Keywords of the own cards.
        """
        named = by_concept(mentions)
        slugs = list(dict.fromkeys([*named, *cues]))
        ends = [m.end() for m in _SENTENCE.finditer(text)]
        sub = [m.span() for m in _CLAUSE.finditer(text)]
        aside = [m.span() for m in _ASIDE.finditer(text)]
        order = {slug: n for n, slug in enumerate(sorted(slugs, key=lambda s: self._first(s, named, cues)))}
        labels = {slug: self._words(slug) for slug in slugs}
        longer = [words for words in labels.values() if len(words) > 1]
        narrower = {b for slug in slugs for b in self.concepts[slug].broader}
        found = []
        for slug in slugs:
            concept = self.concepts[slug]
            start = self._first(slug, named, cues)
            here = named.get(slug, [])
            count = len(here)
            main = [m for m in here if not _within(m.start, sub) and not _within(m.start, aside)]
            sentence = bisect.bisect(ends, start)
            f = {"bias": 1.0, f"kind:{concept.kind}": 1.0, f"concept:{concept.label}": 1.0}
            if not here:
                f[f"cued:{concept.label}"] = 1.0
            f["named"] = float(bool(here))
            f["cue only"] = float(not here)
            f["cue lines"] = math.log1p(cues[slug][2]) if slug in cues else 0.0
            f["count"] = math.log1p(count)
            f[RARITY] = rarity(self.frequency.get(slug, 0), self.total)
            f["place"] = start / max(len(text), 1)
            f["early"] = math.exp(-start / 40)
            f["first sentence"] = float(sentence == 0)
            f["later sentence"] = float(sentence > 1)
            f["main clause"] = float(bool(main) if here else not _within(start, sub))
            f["in aside"] = float(_within(start, aside))
            f["negated"] = float(bool(_NEGATED.search(text, max(0, start - 40), start)))
            f["own keyword"] = float(slug in keywords)
            f["order"] = 1 / (1 + order[slug])
            f["alone"] = 1 / len(slugs)
            f["has narrower"] = float(slug in narrower)
            f["part of longer"] = float(any(labels[slug] < words for words in longer))
            f["length"] = math.log1p(len(text)) / 6
            f[f"kind early:{concept.kind}"] = f["early"]
            method = here[0].method if here else "cue"
            span = (here[0].start, here[0].end) if here else cues[slug][:2]
            found.append(Candidate(slug, span[0], span[1], method, f))
        return found

    def _words(self, slug: str) -> frozenset[str]:
        if slug not in self.label_words:
            self.label_words[slug] = frozenset(_LABEL_WORD.findall(self.concepts[slug].label.lower()))
        return self.label_words[slug]

    @staticmethod
    def _first(slug: str, named: Mapping[str, list[ConceptMention]], cues: Mapping[str, tuple[int, int, int]]) -> int:
        places = [named[slug][0].start] if slug in named else []
        return min([*places, *([cues[slug][0]] if slug in cues else [])])


def rarity(frequency: int, total: int) -> float:
    """How rare a concept is that ``frequency`` of ``total`` statements name; 0 where there are none."""
    return math.log((total + 10) / (frequency + 10)) / 5


def _within(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)
