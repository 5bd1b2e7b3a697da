"""The engine of one machine: every cosine by an int8 scan, the nearest made exact; the default."""

import numpy as np

from rulings.search.engines.engine import Floats, Rows
from rulings.search.quick_scan import QuickScan

_ERROR = 0.01
"""How far a cosine of the scan is off at most."""


class ExactEngine:
    """Unit rows in memory, or mapped, and their scan."""

    def __init__(self, vectors: Floats, scan: QuickScan) -> None:
        self._vectors, self._scan = vectors, scan

    def nearest(self, questions: Floats, k: int) -> tuple[Rows, Floats]:
        """As `Engine.nearest`, without error."""
        k = min(k, len(self._vectors))
        rows = np.empty((len(questions), k), np.intp)
        cosines = np.empty((len(questions), k), np.float32)
        for n, question in enumerate(questions if k else ()):
            near = self._scan.cosines(question)[: len(self._vectors)]  # rules may come after them
            least = np.partition(near, len(near) - k)[len(near) - k]
            found = np.flatnonzero(near >= least - 2 * _ERROR)
            exact = self._vectors[found] @ question
            best = np.lexsort((found, -exact))[:k]
            rows[n], cosines[n] = found[best], exact[best]
        return rows, cosines

    def of(self, rows: Rows) -> Floats:
        """As `Engine.of`."""
        return np.asarray(self._vectors[rows])
