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

from rulings.graph.automaton import Folded
from rulings.graph.clarify_features import FeatureMaker
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


class Clarifier:
    """Tells what statements are about.

    Args:
        scheme: The concepts.
        frequency: In how many statements each concept is named, by slug.
        total: How many statements there are.
        weights: The model; by default the one that comes with the package.
    """

    def __init__(
        self, scheme: ConceptScheme, frequency: Mapping[str, int], total: int, weights: Model | None = None
    ) -> None:
        self._model = weights or model()
        self._cues = CueFinder(scheme)
        self._features = FeatureMaker(scheme.concepts, frequency, total)

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
        weights = self._model.weights
        scored = []
        for candidate in self._features.candidates(text.text, mentions, self._cues.find(text.text), keywords):
            score = sum(value * weights.get(name, 0.0) for name, value in candidate.features.items())
            scored.append((1 / (1 + math.exp(-score)), candidate))
        scored.sort(key=lambda one: (-one[0], one[1].concept))
        return tuple(
            Clarification(
                c.concept,
                round(p, 3),
                c.method,
                *(text.span(c.start, c.end) if c.method == "cue" else (c.start, c.end)),
            )
            for n, (p, c) in enumerate(scored[:MOST])
            if p > self._model.threshold or (n == 0 and p > self._model.least)
        )
