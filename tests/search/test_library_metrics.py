"""The metrics that the benchmark takes from a library, against the program's own."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from rulings.search.evaluate import score_ranking


@pytest.fixture
def quality(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    return importlib.import_module("quality")


CASES = {
    "first": ({"a": 2, "b": 1}, [["a"], ["x"], ["b"]]),
    "late": ({"a": 2, "b": 2, "c": 1}, [["x"], ["c"], ["y"], ["z"], ["w"], ["v"], ["a"]]),
    "helps": ({"a": 2, "b": 1}, [["b"], ["x"]]),
    "nothing": ({"a": 2}, []),
}


@pytest.mark.parametrize("name", CASES)
def test_the_library_agrees_where_no_wordings_are_shown_together(quality: ModuleType, name: str) -> None:
    gold, results = CASES[name]
    ours = score_ranking(gold, results)
    found = quality.reference_figures({name: (gold, results)})[name]
    assert found == pytest.approx([ours[figure] for figure in quality.FIGURES])


def test_wordings_shown_together_make_the_librarys_ideal_shorter(quality: ModuleType) -> None:
    gold, results = {"a": 2, "b": 2, "c": 1}, [["x"], ["a", "b"]]
    ours = score_ranking(gold, results)
    one, five, ndcg, reciprocal = quality.reference_figures({"q": (gold, results)})["q"]
    assert (one, five, reciprocal) == (ours["hit@1"], ours["hit@5"], ours["mrr@10"])
    assert ndcg > ours["ndcg@10"] > 0


def test_an_interval_holds_the_mean_and_is_the_same_each_time(quality: ModuleType) -> None:
    low, high = quality.interval([0.0] * 30 + [1.0] * 70)
    assert 0.58 < low < 0.7 < high < 0.82
    assert (low, high) == quality.interval([0.0] * 30 + [1.0] * 70)
