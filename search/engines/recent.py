"""Keeps the vectors that were asked for last, for one question asks for the same ones several times."""

from collections import OrderedDict
from threading import Lock

import numpy as np

from rulings.search.engines.engine import Engine, Floats, Rows

_MOST = 8192
"""Vectors kept: 12 MB of 384 dimensions."""


class Recent:
    """Another engine with a memory."""

    def __init__(self, engine: Engine, most: int = _MOST) -> None:
        self._engine, self._most = engine, most
        self._kept: OrderedDict[int, Floats] = OrderedDict()
        self._lock = Lock()

    def nearest(self, questions: Floats, k: int) -> tuple[Rows, Floats]:
        """As `Engine.nearest`."""
        return self._engine.nearest(questions, k)

    def of(self, rows: Rows) -> Floats:
        """As `Engine.of`."""
        wanted = [int(row) for row in rows]
        with self._lock:
            found = {row: self._kept[row] for row in wanted if row in self._kept}
        missing = sorted(set(wanted) - found.keys())
        new = dict(zip(missing, self._engine.of(np.array(missing, np.intp)), strict=True)) if missing else {}
        with self._lock:
            for row in dict.fromkeys(wanted):
                self._kept[row] = found[row] if row in found else new[row]
                self._kept.move_to_end(row)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        if not wanted:
            return self._engine.of(np.empty(0, np.intp))
        return np.array([found[row] if row in found else new[row] for row in wanted], np.float32)
