"""Mean and spread of a question's cosines with all statements, without a look at any statement.

For rows with mean m and covariance C the cosines with q have mean m·q and variance q·C·q.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from rulings.search.engines.engine import Floats
from rulings.search.errors import IndexFormatError

FILE = "moments.npz"


@dataclass(frozen=True, slots=True)
class Moments:
    """The mean (d) and the covariance (d x d) of some rows."""

    mean: Floats
    covariance: Floats

    @classmethod
    def of(cls, vectors: Floats, piece: int = 1 << 16) -> Self:
        """The moments of rows, a piece at a time."""
        width = vectors.shape[1]
        total, products = np.zeros(width), np.zeros((width, width))
        for start in range(0, len(vectors), piece):
            some = np.asarray(vectors[start : start + piece], np.float64)
            total += some.sum(axis=0)
            products += some.T @ some
        count = max(1, len(vectors))
        mean = total / count
        covariance = products / count - np.outer(mean, mean)
        return cls(mean.astype(np.float32), covariance.astype(np.float32))

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read what `write` wrote.

        Raises:
            IndexFormatError: it is not there, or damaged.
        """
        try:
            with np.load(folder / FILE, allow_pickle=False) as arrays:
                return cls(arrays["mean"], arrays["covariance"])
        except Exception as error:  # a damaged archive raises what it likes
            raise IndexFormatError(f"{folder / FILE}: can't be read ({error}); run `rulings build`") from error

    def write(self, folder: Path) -> None:
        """Write the moments into ``folder``."""
        np.savez(folder / FILE, mean=self.mean, covariance=self.covariance)

    def of_cosines(self, question: Floats) -> tuple[float, float]:
        """Mean and standard deviation of the cosines of all rows with a unit vector."""
        variance = float(question @ self.covariance @ question)
        return float(self.mean @ question), max(0.0, variance) ** 0.5
