"""Tells the one to four concepts that a statement is about, the main one first.

A logistic model over the features of `clarify_features`; its weights are in ``data/clarifies.json``, made by
`clarify_training`.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import msgspec

from rulings.graph.automaton import Folded
from rulings.graph.clarify_features import RARITY, FeatureMaker, rarity
from rulings.graph.concepts import ConceptScheme
from rulings.graph.cues import CueFinder
from rulings.graph.records import Clarification, ConceptMention

MOST = 4


@dataclass(frozen=True, slots=True)
class Model:
    """Weights by feature.

    A concept is taken where its probability is over ``threshold``; the best one over ``least``.
    """

    weights: Mapping[str, float]
    threshold: float
    least: float


@cache
def model() -> Model:
    """Return the model that comes with the package."""
    data = json.loads((files("rulings.graph") / "data" / "clarifies.json").read_text(encoding="utf-8"))
    return Model(data["weights"], data["threshold"], data["least"])


class Weighed(msgspec.Struct, frozen=True, array_like=True):
    """A concept that a statement may be about, with what speaks for it (log-odds) but for how rarely it is named."""

    concept: str
    method: str
    start: int
    end: int
    score: float


class Clarifier:
    """Tells what statements are about.

    Args:
        scheme: The concepts.
        frequency: In how many statements each concept is named, by slug.
        total: How many statements there are.
        weights: The model; by default the one that comes with the package.
    """

    def __init__(
        self,
        scheme: ConceptScheme,
        frequency: Mapping[str, int] | None = None,
        total: int = 0,
        weights: Model | None = None,
    ) -> None:
        self._model = weights or model()
        self._cues = CueFinder(scheme)
        # with nothing counted the feature "rarity" is 0: it is added where a concept is chosen
        self._features = FeatureMaker(scheme.concepts, {}, 0)
        self._rarity = {
            slug: self._model.weights.get(RARITY, 0.0) * rarity(n, total) for slug, n in (frequency or {}).items()
        }
        self._unnamed = self._model.weights.get(RARITY, 0.0) * rarity(0, total)

    def clarify(
        self, text: Folded, mentions: Sequence[ConceptMention], keywords: frozenset[str] = frozenset()
    ) -> tuple[Clarification, ...]:
        """Tell what a statement is about.

        Args:
            text: The folded statement.
            mentions: The concepts named in it.
            keywords: Slugs of the own cards' keywords.

        Returns:
            At most four concepts, the surest first; none where nothing is likely.
        """
        return self.choose(self.weigh(text, mentions, keywords))

    def weigh(
        self, text: Folded, mentions: Sequence[ConceptMention], keywords: frozenset[str] = frozenset()
    ) -> tuple[Weighed, ...]:
        """Weigh the concepts that a statement may be about, by the statement and its cards alone; as `clarify`."""
        weights = self._model.weights
        return tuple(
            Weighed(
                c.concept,
                c.method,
                *(text.span(c.start, c.end) if c.method == "cue" else (c.start, c.end)),
                sum(value * weights.get(name, 0.0) for name, value in c.features.items()),
            )
            for c in self._features.candidates(text.text, mentions, self._cues.find(text.text), keywords)
        )

    def choose(self, weighed: Sequence[Weighed]) -> tuple[Clarification, ...]:
        """Choose among the concepts of a statement, the rarity of each among all statements counted in."""
        scored = [(1 / (1 + math.exp(-(c.score + self._rarity.get(c.concept, self._unnamed)))), c) for c in weighed]
        scored.sort(key=lambda one: (-one[0], one[1].concept))
        return tuple(
            Clarification(c.concept, round(p, 3), c.method, c.start, c.end)
            for n, (p, c) in enumerate(scored[:MOST])
            if p > self._model.threshold or (n == 0 and p > self._model.least)
        )
