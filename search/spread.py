"""Spreading over the graph: personalised PageRank among a question's candidates.

Two candidates are tied by the card that both are published on, by concepts that both are about and by the likeness of
their wordings. The walk starts where words and vectors put their weight and returns there now and then.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.index import Index

Floats = NDArray[Any]  # float32; numpy types mixed arithmetic wider than it is

RETURN = 0.35
"""The chance, at each step, to go back to the start."""
STEPS = 8
_SAME_CARD, _CONCEPT, _WORDING = 0.3, 1.0, 2.0
_LIKE = 0.55
"""Wordings less alike than this aren't tied."""


def spread(index: Index, rows: NDArray[np.intp], start: Floats) -> Floats:
    """The weight of each candidate after the walk, in natural logarithm relative to an even spread.

    ``start`` gives each candidate's weight at the start (not negative; scaled here).
    """
    count = len(rows)
    if not count:
        return np.zeros(0, np.float32)
    ties = _ties(index, rows)
    ties /= np.maximum(ties.sum(axis=1, keepdims=True), 1e-6)
    home = start / max(float(start.sum()), 1e-9)
    weight = home
    for _ in range(STEPS):
        weight = RETURN * home + (1 - RETURN) * (weight @ ties)
    result: Floats = np.log(np.maximum(weight * count, 1e-3)).astype(np.float32)
    return result


def _ties(index: Index, rows: NDArray[np.intp]) -> Floats:
    count = len(rows)
    vectors = index.statements[rows]
    ties: Floats = vectors @ vectors.T
    ties -= np.float32(_LIKE)
    np.maximum(ties, 0, out=ties)
    ties *= np.float32(_WORDING)
    holder, concepts, values = index.tags.gather(rows)
    kinds, local = np.unique(concepts, return_inverse=True)
    tags = np.zeros((count, len(kinds)), np.float32)
    tags[holder, local] = values * index.concept_weights[concepts]
    tags /= np.maximum(np.linalg.norm(tags, axis=1, keepdims=True), 1e-6)
    about = tags @ tags.T
    about *= about
    about *= np.float32(_CONCEPT)
    ties += about
    card = index.about.indices[np.minimum(index.about.indptr[rows], len(index.about.indices) - 1)]
    ties += np.multiply(card[:, None] == card[None, :], np.float32(_SAME_CARD), dtype=np.float32)
    np.fill_diagonal(ties, 0)
    return ties
