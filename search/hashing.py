"""Hashes of word sequences that are the same on every machine, for many spans of a text at once."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_FACTOR = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1


@lru_cache(maxsize=65536)
def _word_hash(word: str) -> int:
    return int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little") | 1


def name_hash(words: Sequence[str]) -> int:
    """A 64-bit hash of some folded words in their order."""
    value = 0
    for word in words:
        value = (value * _FACTOR + _word_hash(word)) & _MASK
    return value


def span_hashes(words: Sequence[str], longest: int) -> tuple[list[tuple[int, int]], NDArray[np.uint64]]:
    """All spans (start, stop) of at most ``longest`` words, longest first, and the `name_hash` of each."""
    each = np.array([_word_hash(word) for word in words], np.uint64)
    levels: list[NDArray[np.uint64]] = []
    value = each
    for length in range(1, min(longest, len(words)) + 1):
        if length > 1:
            value = value[:-1] * np.uint64(_FACTOR) + each[length - 1 :]
        levels.append(value)
    spans = [(a, a + n) for n in range(len(levels), 0, -1) for a in range(len(words) - n + 1)]
    return spans, np.concatenate(levels[::-1]) if levels else each
