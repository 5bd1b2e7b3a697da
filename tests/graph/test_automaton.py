"""Folding with offsets, and phrases at word boundaries."""

import pytest

from rulings.graph.automaton import Phrases, folded, longest


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Lim-Dûl’s “Vault”", 'Lim-Dul\'s "Vault"'),
        ("Æther Vial", "Aether Vial"),
        ("Lu Bu™, Éowyn", "Lu Bu, Eowyn"),
        ("æther", "aether"),
    ],
)
def test_folds_signs_and_keeps_case(text, plain):
    assert folded(text).text == plain


def test_spans_are_those_of_the_text_as_written():
    text = "As Æther Vial® and Déjà Vu™ resolve"
    fold = folded(text)
    start = fold.text.index("Deja Vu")
    begin, end = fold.span(start, start + len("Deja Vu"))
    assert text[begin:end] == "Déjà Vu"
    start = fold.text.index("Aether Vial")
    assert text[slice(*fold.span(start, start + len("Aether Vial")))] == "Æther Vial"


def test_phrases_stand_at_word_boundaries():
    found = list(Phrases([("earth", 1), ("unearth", 2)]).find("unearth, earth and unearthly earths"))
    assert [(s, e, list(m)) for s, e, m in found] == [(0, 7, [2]), (9, 14, [1])]
    assert [e - s for s, e, _ in Phrases([("earth", 1)]).find("earths", frozenset({"s"}))] == [6]


def test_no_phrases_find_nothing():
    assert list(Phrases([]).find("anything")) == []


def test_longest_of_overlapping_spans():
    assert longest([(0, 4, "a"), (2, 9, "b"), (9, 12, "c")]) == [(2, 9, "b"), (9, 12, "c")]
