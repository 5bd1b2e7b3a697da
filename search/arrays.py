"""Arrays and sparse matrices on disk, opened memory-mapped."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy import sparse


def mapped(path: Path) -> NDArray[Any]:
    """An array mapped from disk, as a plain array (slices of `numpy.memmap` cost ten times as much)."""
    return np.load(path, mmap_mode="r").view(np.ndarray)  # type: ignore[no-any-return]


def write_matrix(folder: Path, name: str, matrix: "sparse.csr_matrix") -> None:
    """Write a CSR matrix as three arrays and its shape."""
    from scipy import sparse

    matrix = sparse.csr_matrix(matrix)
    matrix.sum_duplicates()
    matrix.sort_indices()
    np.save(folder / f"{name}.indptr.npy", matrix.indptr.astype(np.int32))
    np.save(folder / f"{name}.indices.npy", matrix.indices.astype(np.int32))
    np.save(folder / f"{name}.data.npy", matrix.data.astype(np.float32))
    np.save(folder / f"{name}.shape.npy", np.array(matrix.shape, np.int64))


class Rows:
    """A CSR matrix read row by row from disk; cheaper to open and to slice than a scipy matrix."""

    def __init__(self, folder: Path, name: str) -> None:
        self.indptr: NDArray[np.int32] = np.load(folder / f"{name}.indptr.npy")
        self.indices: NDArray[np.int32] = mapped(folder / f"{name}.indices.npy")
        self.data: NDArray[np.float32] = mapped(folder / f"{name}.data.npy")
        rows, columns = np.load(folder / f"{name}.shape.npy").tolist()
        self.shape: tuple[int, int] = (rows, columns)

    def columns(self, row: int) -> NDArray[np.int32]:
        """The columns of one row's entries."""
        return self.indices[self.indptr[row] : self.indptr[row + 1]]

    def values(self, row: int) -> NDArray[np.float32]:
        """The values of one row's entries."""
        return self.data[self.indptr[row] : self.indptr[row + 1]]

    def gather(self, rows: NDArray[np.integer]) -> tuple[NDArray[np.intp], NDArray[np.int32], NDArray[np.float32]]:
        """All entries of some rows: position in ``rows``, column, value."""
        owner, places = self._places(rows)
        return owner, self.indices[places], self.data[places]

    def gather_columns(self, rows: NDArray[np.integer]) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
        """All entries of some rows without their values: position in ``rows``, column."""
        owner, places = self._places(rows)
        return owner, self.indices[places]

    def _places(self, rows: NDArray[np.integer]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        starts = self.indptr[rows]
        counts = self.indptr[np.add(rows, 1)] - starts
        stops = np.cumsum(counts)
        owner = np.repeat(np.arange(len(rows)), counts)
        return owner, (starts - stops + counts)[owner] + np.arange(len(owner))

    def matrix(self) -> "sparse.csr_matrix":
        """The whole as a scipy matrix."""
        from scipy import sparse

        return sparse.csr_matrix((self.data, self.indices, self.indptr), shape=self.shape)
