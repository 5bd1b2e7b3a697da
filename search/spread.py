"""Spreading over the graph: personalised PageRank among a question's candidates.

Two candidates are tied by the card that both are published on, by concepts that both are about and by the likeness of
their wordings. The walk starts where words and vectors put their weight and returns there now and then.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.index import Index
from rulings.search.surroundings import Surroundings

Floats = NDArray[Any]  # float32; numpy types mixed arithmetic wider than it is

RETURN = 0.35
"""The chance, at each step, to go back to the start."""
STEPS = 8
MOST = 128
"""How many candidates the walk is among; the cost grows with the square."""
_SAME_CARD, _CONCEPT, _WORDING = 0.3, 1.0, 2.0
_LIKE = 0.55
"""Wordings less alike than this aren't tied."""


def spread(index: Index, near: Surroundings, vectors: Floats, start: Floats) -> Floats:
    """The weight of each candidate after the walk, in natural logarithm relative to an even spread.

    ``start`` gives each candidate's weight at the start (not negative; scaled here), ``vectors`` their unit rows. The
    walk is among those that start with most; the others keep what returns to them.
    """
    count = len(start)
    if not count:
        return np.zeros(0, np.float32)
    home = start / max(float(start.sum()), 1e-9)
    weight = RETURN * home
    among = np.sort(np.argsort(-start, kind="stable")[:MOST])
    ties = _ties(index, near, vectors[among], among)
    # a step leaves a candidate by its ties in proportion; dividing the weights costs less than dividing the matrix
    share = (1 - RETURN) / np.maximum(ties.sum(axis=1), 1e-6)
    back = weight[among]
    here = home[among]
    for _ in range(STEPS):
        here = back + (here * share) @ ties
    weight[among] = here
    result: Floats = np.log(np.maximum(weight * count, 1e-3)).astype(np.float32)
    return result


def _ties(index: Index, near: Surroundings, vectors: Floats, among: NDArray[np.intp]) -> Floats:
    ties: Floats = vectors @ vectors.T
    ties -= np.float32(_LIKE)
    np.maximum(ties, 0, out=ties)
    ties *= np.float32(_WORDING)
    about = _tags(near, among)
    about = about @ about.T
    about *= about
    ties += about
    starts = index.about.indptr[near.rows[among]]
    card = index.about.indices[np.minimum(starts, len(index.about.indices) - 1)]
    ties += np.equal.outer(card, card) * np.float32(_SAME_CARD)
    np.fill_diagonal(ties, 0)
    return ties


def _tags(near: Surroundings, among: NDArray[np.intp]) -> Floats:
    """The concepts of some candidates: rows of the length 1, or rather the fourth root of what such ties count for.

    Those of one candidate alone tie nothing and are left out.
    """
    count = len(near.rows)
    length = np.bincount(near.holder, near.weights * near.weights, count)
    scale = _CONCEPT**0.25 / np.maximum(np.sqrt(length), 1e-6)
    row = np.full(count, -1)
    row[among] = np.arange(len(among))
    inside = row[near.holder] >= 0
    holder, weights = near.holder[inside], near.weights[inside]
    _, local, times = np.unique(near.concepts[inside], return_inverse=True, return_counts=True)
    shared = times > 1
    column = np.cumsum(shared) - 1
    kept = shared[local]
    tags = np.zeros((len(among), int(shared.sum())), np.float32)
    tags[row[holder[kept]], column[local[kept]]] = weights[kept] * scale[holder[kept]]
    return tags
