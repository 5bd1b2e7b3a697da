"""Training of the ranker and of the confidence."""

import numpy as np
import pytest

from rulings.search import ranker_training
from rulings.search.confidence import CUES
from rulings.search.ranker_training import Lesson, average_rankers, train_confidence, train_ranker
from rulings.search.signals import NAMES


def test_the_ranker_learns_which_signal_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr(ranker_training, "RATE", 0.03)
    draw = np.random.default_rng(1)
    lessons = []
    for _ in range(80):
        table = draw.normal(size=(10, len(NAMES))).astype(np.float32)
        right = np.zeros(10, np.bool_)
        right[np.argmax(table[:, NAMES.index("text_z")])] = True
        lessons.append(Lesson(table, right, np.zeros(10, np.bool_)))
    ranker = train_ranker(lessons)
    hits = sum(bool(one.right[np.argmax(ranker.scores(one.table))]) for one in lessons)
    assert hits > 60
    assert np.array_equal(ranker.scores(lessons[0].table), train_ranker(lessons).scores(lessons[0].table))


def test_the_mean_of_rankers_scores_as_their_mean() -> None:
    pytest.importorskip("torch")
    draw = np.random.default_rng(3)
    right = np.arange(10) == 0
    lessons = [
        Lesson(draw.normal(size=(10, len(NAMES))).astype(np.float32), right, np.zeros(10, np.bool_)) for _ in range(8)
    ]
    one, other = train_ranker(lessons, seed=0), train_ranker(lessons, seed=1)
    table = lessons[0].table
    both = average_rankers([one, other], {"named": 0.5})
    wanted = (one.scores(table) + other.scores(table)) / 2 + 0.5 * table[:, NAMES.index("named")]
    spread = both.scores(table) - wanted
    assert np.allclose(spread, spread[0], atol=1e-3)


def test_the_confidence_separates_and_keeps_to_the_share() -> None:
    draw = np.random.default_rng(2)
    real = draw.normal(1, 1, (200, len(CUES))).astype(np.float32)
    other = draw.normal(-1, 1, (60, len(CUES))).astype(np.float32)
    model = train_confidence(real, other)
    weights = np.array([model["weights"][cue] for cue in CUES])

    def chance(x: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-(x @ weights + model["offset"])))

    assert (chance(real) < model["threshold"]).mean() <= 0.04
    assert (chance(other) < model["threshold"]).mean() > 0.9
