"""Stands in for `QuickScan` where an engine has the statements: the nearest by the engine, the mean for all others."""

from collections.abc import Iterator

import numpy as np

from rulings.search.engines.engine import Engine, Floats
from rulings.search.engines.moments import Moments
from rulings.search.quick_scan import QuickScan

NEAREST = 1000
"""Statements that are asked for: more than ten times as many as are taken for their cosine alone."""


class NearScan:
    """Cosines of questions with statements through an engine, and with rules through a scan of their own.

    Args:
        engine: Has the statements.
        rules: The scan of the rules, which come after the statements.
        moments: Of the statements.
        count: How many statements there are.
    """

    def __init__(self, engine: Engine, rules: QuickScan, moments: Moments, count: int) -> None:
        self._engine, self._rules, self._moments, self._count = engine, rules, moments, count

    def cosines(self, question: Floats) -> Floats:
        """The cosines of all statements, then of all rules, with a unit vector."""
        return next(self.all_cosines(question[None]))

    def all_cosines(self, questions: Floats) -> Iterator[Floats]:
        """The same for each of several unit vectors, for which the engine is asked once."""
        rows, cosines = self._engine.nearest(questions, min(NEAREST, self._count))
        for n, rules in enumerate(self._rules.all_cosines(questions)):
            found = rows[n] >= 0
            statements = np.full(self._count, self._moments.of_cosines(questions[n])[0], np.float32)
            statements[rows[n, found]] = cosines[n, found]
            yield np.concatenate([statements, rules])
