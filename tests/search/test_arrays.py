"""Sparse matrices on disk."""

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from rulings.search.arrays import Rows, write_matrix

DENSE = np.array([[0, 2, 0, 1], [0, 0, 0, 0], [3, 0, 4, 0]], np.float32)


@pytest.fixture
def rows(tmp_path: Path) -> Rows:
    write_matrix(tmp_path, "m", sparse.csr_matrix(DENSE))
    return Rows(tmp_path, "m")


def test_rows_read_back_what_was_written(rows: Rows) -> None:
    assert rows.shape == (3, 4)
    assert rows.columns(0).tolist() == [1, 3]
    assert rows.values(2).tolist() == [3, 4]
    assert rows.columns(1).size == 0


def test_gather_takes_rows_in_any_order(rows: Rows) -> None:
    owner, columns, values = rows.gather(np.array([2, 1, 0, 2]))
    assert owner.tolist() == [0, 0, 2, 2, 3, 3]
    assert columns.tolist() == [0, 2, 1, 3, 0, 2]
    assert values.tolist() == [3, 4, 2, 1, 3, 4]
    assert rows.gather(np.zeros(0, np.intp))[0].size == 0


def test_columns_alone_are_those_of_gather(rows: Rows) -> None:
    some = np.array([2, 1, 0, 2])
    for alone, whole in zip(rows.gather_columns(some), rows.gather(some), strict=False):
        assert alone.tolist() == whole.tolist()
