"""The walk among candidates."""

import numpy as np

from rulings.search.index import Index
from rulings.search.spread import spread


def test_weight_flows_to_what_is_tied(small_index: Index) -> None:
    rows = np.arange(4)
    halves = [n for n in rows if small_index.group_sizes[n] == 2]
    start = np.zeros(4, np.float32)
    start[halves[0]] = 1
    weight = spread(small_index, rows, start)
    others = [n for n in rows if n not in halves]
    assert weight[halves[0]] > weight[halves[1]] > max(weight[others])


def test_no_candidates_no_weight(small_index: Index) -> None:
    assert spread(small_index, np.zeros(0, np.intp), np.zeros(0, np.float32)).size == 0
