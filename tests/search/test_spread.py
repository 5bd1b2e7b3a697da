"""The walk among candidates."""

import numpy as np
import pytest

from rulings.search.index import Index
from rulings.search.spread import MOST, spread
from rulings.search.surroundings import Surroundings


def test_weight_flows_to_what_is_tied(small_index: Index) -> None:
    rows = np.arange(4)
    halves = [n for n in rows if small_index.group_sizes[n] == 2]
    start = np.zeros(4, np.float32)
    start[halves[0]] = 1
    weight = spread(small_index, Surroundings.of(small_index, rows), small_index.statements[rows], start)
    others = [n for n in rows if n not in halves]
    assert weight[halves[0]] > weight[halves[1]] > max(weight[others])


def test_no_candidates_no_weight(small_index: Index) -> None:
    rows = np.zeros(0, np.intp)
    assert spread(small_index, Surroundings.of(small_index, rows), small_index.statements[rows], rows).size == 0


def test_those_that_start_with_least_stay_outside(small_index: Index) -> None:
    rows = np.zeros(MOST + 3, np.intp)
    rows[:4] = np.arange(4)
    start = np.ones(len(rows), np.float32)
    start[-3:] = 0.5
    weight = spread(small_index, Surroundings.of(small_index, rows), small_index.statements[rows], start)
    assert np.ptp(weight[-3:]) == 0
    assert weight[-1] == pytest.approx(np.log(0.35 * 0.5 / start.sum() * len(rows)), abs=1e-5)
