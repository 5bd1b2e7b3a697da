"""Faiss on one machine: inverted lists (IVF) that read a part of the vectors, or 8-bit codes (SQ8) that are small.

J. Johnson, M. Douze, H. Jégou: Billion-scale similarity search with GPUs, 2017. https://github.com/facebookresearch/faiss
"""

import math
from pathlib import Path
from typing import Any

import numpy as np

from rulings.search.engines.engine import Floats, Rows
from rulings.search.engines.extras import faiss
from rulings.search.errors import EngineError

FILE = "faiss.index"
_LISTS = 4
"""Inverted lists, times the root of the number of vectors."""
_READ = 0.2
"""The share of the lists that is read for a question; 32 lists at least."""
_SAMPLE = 64
"""Vectors a list, at most, that the lists' centres are learnt from."""


def write_faiss(folder: Path, vectors: Floats, kind: str) -> None:
    """Write the Faiss index of unit rows into ``folder``; ``kind`` is "faiss-ivf" or "faiss-sq8".

    Raises:
        MissingExtraError: Faiss isn't installed.
    """
    library = faiss()
    count, width = vectors.shape
    rows = np.ascontiguousarray(vectors, np.float32)
    if kind == "faiss-sq8":
        index = library.IndexScalarQuantizer(width, library.ScalarQuantizer.QT_8bit, library.METRIC_INNER_PRODUCT)
    else:
        lists = max(1, min(round(_LISTS * math.sqrt(count)), count))
        index = library.IndexIVFFlat(library.IndexFlatIP(width), width, lists, library.METRIC_INNER_PRODUCT)
        index.cp.min_points_per_centroid, index.cp.max_points_per_centroid = 1, _SAMPLE
        index.nprobe = min(lists, max(32, round(lists * _READ)))
    if count:
        index.train(rows)
        index.add(rows)
    library.write_index(index, str(folder / FILE))


class FaissEngine:
    """An opened Faiss index; ``vectors`` are the exact rows, mapped."""

    def __init__(self, index: Any, vectors: Floats) -> None:  # noqa: ANN401
        self._index, self._vectors = index, vectors

    @classmethod
    def open(cls, folder: Path, vectors: Floats) -> "FaissEngine":
        """Open what `write_faiss` wrote, memory-mapped.

        Raises:
            EngineError: it is not there, damaged, or of another shape than ``vectors``.
            MissingExtraError: Faiss isn't installed.
        """
        library = faiss()
        place = folder / FILE
        try:
            index = library.read_index(str(place), library.IO_FLAG_MMAP | library.IO_FLAG_READ_ONLY)
        except Exception as error:  # Faiss raises RuntimeError with the place in its source
            raise EngineError(f"{place}: the Faiss index can't be read; run `rulings build` again") from error
        if (index.ntotal, index.d) != vectors.shape:
            raise EngineError(
                f"{place}: holds {index.ntotal:,} vectors of {index.d} dimensions, the index {len(vectors):,} of "
                f"{vectors.shape[1]}; run `rulings build` again"
            )
        return cls(index, vectors)

    def nearest(self, questions: Floats, k: int) -> tuple[Rows, Floats]:
        """As `Engine.nearest`; the cosines of those found are exact."""
        k = min(k, len(self._vectors))
        if not k:
            return np.empty((len(questions), 0), np.intp), np.empty((len(questions), 0), np.float32)
        _, found = self._index.search(np.ascontiguousarray(questions, np.float32), k)
        cosines = np.full(found.shape, -1, np.float32)
        for n, question in enumerate(questions):
            known = found[n] >= 0
            cosines[n, known] = self._vectors[found[n, known]] @ question
        order = np.lexsort((found, -cosines))
        return np.take_along_axis(found, order, 1).astype(np.intp), np.take_along_axis(cosines, order, 1)

    def of(self, rows: Rows) -> Floats:
        """As `Engine.of`."""
        return np.asarray(self._vectors[rows])
