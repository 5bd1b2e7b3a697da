"""One thread of BLAS while a question is answered."""

import numpy as np
import pytest

from rulings.search.threads import one_thread


def test_blas_is_held_to_one_thread_inside_only() -> None:
    threadpoolctl = pytest.importorskip("threadpoolctl")

    def threads() -> set[int]:
        return {pool["num_threads"] for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"}

    before = threads()
    with one_thread():
        assert threads() == {1}
        assert (np.ones((3, 3)) @ np.ones(3)).tolist() == [3, 3, 3]
    assert threads() == before
