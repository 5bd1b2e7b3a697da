"""Nearest known words of a misspelt one: character trigrams choose candidates, edit distance decides."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import DamerauLevenshtein

if TYPE_CHECKING:
    from scipy import sparse

SHORTEST = 5
"""Shorter words are never taken for misspelt: too many words are one letter away."""


def _trigrams(word: str) -> list[str]:
    padded = f"^{word}$"
    return [padded[i : i + 3] for i in range(len(padded) - 2)]


class WordSpeller:
    """Finds the words of a vocabulary that a misspelt word may stand for.

    Args:
        words: the vocabulary, folded.
        postings: a matrix of trigram buckets by words, as `trigram_postings` makes it.
    """

    BUCKETS = 1 << 14

    def __init__(self, words: Sequence[str], postings: "sparse.csr_matrix") -> None:
        from scipy import sparse

        self._words = words
        self._postings = postings
        self._sizes = (
            np.diff(sparse.csc_matrix(postings).indptr).astype(np.int32) if len(words) else np.zeros(0, np.int32)
        )

    def nearest(self, word: str, limit: int = 3) -> list[tuple[int, float]]:
        """The positions of the nearest words and their likeness in 0..1, best first; empty where none is near.

        One edit is let through from five letters on, two from eight on; the first letter may differ only in long words.
        """
        if len(word) < SHORTEST or not len(self._words):
            return []
        grams = sorted({bucket(g) for g in _trigrams(word)})
        start, stop = self._postings.indptr[grams], self._postings.indptr[np.add(grams, 1)]
        found = np.concatenate([self._postings.indices[a:b] for a, b in zip(start, stop, strict=True)])
        positions, shared = np.unique(found, return_counts=True)
        dice = 2 * shared / (len(grams) + self._sizes[positions])
        order = np.lexsort((positions, -dice))[:40]
        edits = 1 if len(word) < 8 else 2
        scored = []
        for position in positions[order]:
            other = self._words[position]
            if abs(len(other) - len(word)) > edits or (other[0] != word[0] and len(word) < 8):
                continue
            distance = DamerauLevenshtein.distance(word, other, score_cutoff=edits)
            if distance <= edits:
                scored.append((int(position), 1 - distance / len(word)))
        return sorted(scored, key=lambda pair: (-pair[1], pair[0]))[:limit]


@lru_cache(maxsize=1 << 16)
def bucket(gram: str) -> int:
    """The row of a trigram in the matrix of postings: a hash that is the same on every machine."""
    value = 0
    for char in gram:
        value = (value * 131 + ord(char)) % WordSpeller.BUCKETS
    return value


def trigram_postings(words: Sequence[str]) -> "sparse.csr_matrix":
    """The words that hold each trigram bucket: a matrix of buckets by words, of ones."""
    from scipy import sparse

    grams = [[bucket(gram) for gram in set(_trigrams(word))] for word in words]
    rows = np.fromiter((row for found in grams for row in found), np.int32)
    columns = np.repeat(np.arange(len(words), dtype=np.int32), [len(found) for found in grams])
    shape = (WordSpeller.BUCKETS, len(words))
    matrix = sparse.csr_matrix((np.ones(len(rows), np.int8), (rows, columns)), shape=shape)
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return matrix
