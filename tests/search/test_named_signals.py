"""Signals of questions that name two cards."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

from rulings.search.arrays import Rows, write_matrix
from rulings.search.named_signals import named_signals
from rulings.search.question_names import NamedCard
from rulings.search.surroundings import Surroundings

ABOUT = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]])
MENTIONS = np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0], [0, 1, 0]])


@pytest.fixture
def index(tmp_path: Path) -> SimpleNamespace:
    for name, table in (("about", ABOUT), ("mentions", MENTIONS), ("tags", np.zeros((4, 1)))):
        write_matrix(tmp_path, name, sparse.csr_matrix(table))
    return SimpleNamespace(
        about=Rows(tmp_path, "about"),
        mentions=Rows(tmp_path, "mentions"),
        tags=Rows(tmp_path, "tags"),
        oracle_ids=("a", "b", "c"),
        concept_weights=np.ones(1, np.float32),
    )


def _signals(index: SimpleNamespace, *cards: NamedCard) -> dict[str, np.ndarray]:
    near = Surroundings.of(index, np.arange(len(ABOUT)))
    return named_signals(index, SimpleNamespace(cards=cards), near)


def test_a_statement_on_one_card_that_mentions_the_other_touches_both(index: SimpleNamespace) -> None:
    found = _signals(index, NamedCard(0, ("one",), 0, 1, 1.0), NamedCard(1, ("two",), 3, 4, 0.8))
    assert found["touched"].tolist() == pytest.approx([0.9, 0.4, 0.9, 0.4])
    assert found["about_and_mentions"].tolist() == pytest.approx([0.8, 0, 0, 0])


def test_two_readings_of_the_same_words_are_one_card(index: SimpleNamespace) -> None:
    found = _signals(index, NamedCard(0, ("one",), 0, 1, 1.0), NamedCard(1, ("one",), 0, 1, 1.0))
    assert found["touched"].tolist() == pytest.approx([0.5, 0.5, 0.5, 0.5])
    assert not found["about_and_mentions"].any()


def test_a_doubtful_card_counts_for_nothing(index: SimpleNamespace) -> None:
    found = _signals(index, NamedCard(0, ("one",), 0, 1, 0.3))
    assert not found["touched"].any()
