"""The table of cards that work alike is a mapping like any other, and keeps what it was made of."""

import pytest

from rulings.graph.likeness import Likeness
from rulings.graph.records import Alike

FOUND = {"a": (Alike("b", 0.9), Alike("c", 0.25)), "c": (Alike("a", 0.25),)}


def test_it_gives_back_what_it_was_made_of():
    table = Likeness.of(FOUND)
    assert table == FOUND
    assert list(table) == ["a", "c"]
    assert len(table) == 2
    assert "b" not in table
    with pytest.raises(KeyError):
        table["b"]
    assert Likeness.of(table) is table


def test_triples_are_positions_of_the_cards():
    table = Likeness.of(FOUND)
    rows, columns, scores = table.triples()
    named = [(table.oracle_ids[a], table.oracle_ids[b]) for a, b in zip(rows, columns, strict=True)]
    assert named == [("a", "b"), ("a", "c"), ("c", "a")]
    assert scores.tolist() == [0.9, 0.25, 0.25]


def test_nothing_is_alike():
    assert Likeness.of({}) == {}
