"""The learned ranker."""

import numpy as np
import pytest

from rulings.search.errors import ModelError
from rulings.search.ranker import Ranker, default_ranker, ranker_from_json
from rulings.search.signals import NAMES


def test_scores_follow_the_layers() -> None:
    one = np.ones(1, np.float32)
    layers = ((np.array([[2.0]], np.float32), -one), (np.array([[3.0]], np.float32), one))
    ranker = Ranker((0,), one * 0, one, one * 0.5, layers)
    table = np.zeros((2, len(NAMES)), np.float32)
    table[:, 0] = [0.25, 2]
    assert ranker.scores(table).tolist() == [0.125 + 1, 1 + 3 * 3 + 1]


def test_to_json_and_back() -> None:
    ranker = default_ranker()
    again = ranker_from_json(ranker.to_json())
    table = np.random.default_rng(0).normal(size=(5, len(NAMES))).astype(np.float32)
    assert np.allclose(again.scores(table), ranker.scores(table), atol=1e-3)


def test_an_unknown_signal_is_named() -> None:
    with pytest.raises(ModelError, match="moonlight"):
        ranker_from_json(default_ranker().to_json() | {"signals": ["moonlight"]})


def test_the_default_ranker_prefers_nearer_statements() -> None:
    table = np.zeros((2, len(NAMES)), np.float32)
    for name, low, high in (("cosine", 0.2, 0.7), ("cosine_z", 1, 6), ("cosine_gap", -0.5, 0), ("text_z", 0, 4)):
        table[:, NAMES.index(name)] = low, high
    scores = default_ranker().scores(table)
    assert scores[1] > scores[0]
