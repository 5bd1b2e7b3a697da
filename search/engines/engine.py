"""What ranking needs of an engine of vectors, and the record of where a generation's vectors are."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from rulings.search.errors import IndexFormatError

Floats = NDArray[Any]  # float32
Rows = NDArray[np.intp]

RECORD = "engine.json"


class Engine(Protocol):
    """Finds the statements nearest to a question. Safe to share between threads.

    Rows are positions of statements in the index; vectors are unit float32 rows.
    """

    def nearest(self, questions: Floats, k: int) -> tuple[Rows, Floats]:
        """The nearest statements of each question.

        Args:
            questions: Unit rows (q x d).
            k: How many to find at most.

        Returns:
            Rows and cosines (q x n), the nearest first. n is ``k``, or less where there are no more; an approximate
            engine that finds fewer fills up with row -1 and cosine -1.

        Raises:
            EngineError: a served engine can't be reached in time, or lacks the vectors.
        """
        ...

    def of(self, rows: Rows) -> Floats:
        """The vectors of some statements (n x d), in order; errors as `nearest`."""
        ...


@dataclass(frozen=True, slots=True)
class Kept:
    """Where the vectors of a generation are, as ``engine.json`` in its index says; no file: in the index itself.

    ``address`` is free of credentials. ``name`` is that of the table or collection, ``rows`` and ``dimensions`` its
    shape.
    """

    address: str
    name: str
    rows: int
    dimensions: int


def read_record(folder: Path) -> Kept | None:
    """The record in the folder of an index; None where the vectors are in the index itself.

    Raises:
        IndexFormatError: the record can't be read.
    """
    try:
        return msgspec.json.decode((folder / RECORD).read_bytes(), type=Kept)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise IndexFormatError(f"{folder / RECORD}: can't be read ({error}); run `rulings build`") from error
