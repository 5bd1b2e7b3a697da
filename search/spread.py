"""Spreading over the graph: personalised PageRank among a question's candidates.

Two candidates are tied by cards that both are published on, by cards that work alike, by concepts that both are about and by
the likeness of their wordings. The walk starts where words and vectors put their weight and returns there now and then.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rulings.search.index import Index

Floats = NDArray[np.float32]

RETURN = 0.35
"""The chance, at each step, to go back to the start."""
STEPS = 8
_SAME_CARD, _ALIKE, _CONCEPT, _WORDING = 0.3, 0.7, 1.0, 2.0
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
    return np.log(np.maximum(weight * count, 1e-3)).astype(np.float32)


def _ties(index: Index, rows: NDArray[np.intp]) -> Floats:
    count = len(rows)
    vectors = np.asarray(index.statements[rows])
    ties = _WORDING * np.maximum(vectors @ vectors.T - _LIKE, 0)
    holder, concepts, values = index.tags.gather(rows)
    tags = sparse.csr_matrix((values * index.concept_weights[concepts], (holder, concepts)), shape=(count, index.tags.shape[1]))
    lengths = np.sqrt(np.asarray(tags.multiply(tags).sum(axis=1))).ravel()
    tags = sparse.diags(1 / np.maximum(lengths, 1e-6)) @ tags
    ties += _CONCEPT * np.square((tags @ tags.T).toarray())
    owner, cards, ones = index.about.gather(rows)
    names, local = np.unique(cards, return_inverse=True)
    about = sparse.csr_matrix((ones, (owner, local)), shape=(count, len(names)))
    first, others, scores = index.alike.gather(names)
    found = np.searchsorted(names, others)
    kept = (found < len(names)) & (names[np.minimum(found, len(names) - 1)] == others)
    alike = sparse.csr_matrix((scores[kept] * _ALIKE, (first[kept], found[kept])), shape=(len(names), len(names)))
    near = alike + _SAME_CARD * sparse.identity(len(names), np.float32, format="csr")
    ties += np.minimum((about @ near @ about.T).toarray(), 1)
    np.fill_diagonal(ties, 0)
    return ties.astype(np.float32)
