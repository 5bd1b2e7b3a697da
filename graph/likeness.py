"""Which cards work alike, as arrays: over a million scores for all cards, turned into records only when asked for."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from rulings.graph.records import Alike


class Likeness(Mapping[str, tuple[Alike, ...]]):
    """For each card with any, the cards most alike, best first.

    Args:
        oracle_ids: a card a row.
        starts: (rows + 1) where each row begins in the two arrays below.
        others: positions in ``oracle_ids`` of the cards that are alike.
        scores: likeness in 0..1.
    """

    def __init__(
        self,
        oracle_ids: Sequence[str],
        starts: NDArray[np.int64],
        others: NDArray[np.int32],
        scores: NDArray[np.float64],
    ) -> None:
        self.oracle_ids = tuple(oracle_ids)
        self.starts, self.others, self.scores = starts, others, scores
        self._rows = {self.oracle_ids[row]: row for row in np.flatnonzero(np.diff(starts)).tolist()}

    @classmethod
    def of(cls, found: Mapping[str, Sequence[Alike]]) -> Self:
        """The same as arrays."""
        if isinstance(found, cls):
            return found
        ids = list(dict.fromkeys([*found, *(alike.oracle_id for alikes in found.values() for alike in alikes)]))
        places = {oracle_id: n for n, oracle_id in enumerate(ids)}
        rows = [found.get(oracle_id, ()) for oracle_id in ids]
        starts = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)]).astype(np.int64)
        others = np.array([places[alike.oracle_id] for row in rows for alike in row], np.int32)
        return cls(ids, starts, others, np.array([alike.score for row in rows for alike in row], np.float64))

    def __getitem__(self, oracle_id: str) -> tuple[Alike, ...]:
        row = self._rows[oracle_id]
        span = slice(self.starts[row], self.starts[row + 1])
        others, scores = self.others[span].tolist(), self.scores[span].tolist()
        return tuple(Alike(self.oracle_ids[other], score) for other, score in zip(others, scores, strict=True))

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def triples(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """Row, column and score of every pair; both are positions in ``oracle_ids``."""
        return np.repeat(np.arange(len(self.oracle_ids)), np.diff(self.starts)), self.others, self.scores
