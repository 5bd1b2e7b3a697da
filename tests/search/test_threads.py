"""How many threads a question is answered with."""

import subprocess
import sys

import pytest

from rulings.search.threads import question_threads


@pytest.mark.parametrize(("cores", "threads"), [(1, 1), (2, 1), (4, 3), (64, 4)])
def test_a_question_leaves_a_core_to_the_reading(monkeypatch, cores, threads) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(cores)), raising=False)
    assert question_threads() == threads


HELD = """
import numpy as np, threadpoolctl
from rulings.search.threads import one_thread
def threads():
    return {pool["num_threads"] for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"}
before = threads()
with one_thread():
    assert threads() == {1}
    assert (np.ones((3, 3)) @ np.ones(3)).tolist() == [3, 3, 3]
assert threads() == before
"""


def test_blas_is_held_to_one_thread_inside_only() -> None:
    # in a process of its own: other libraries bring a BLAS of theirs, which is not held
    subprocess.run([sys.executable, "-c", HELD], check=True)
