"""Folding, splitting and stemming of words."""

import pytest

from rulings.search.words import german_stem, index_terms, split_words, stem


def test_split_words_folds_case_accents_and_apostrophes() -> None:
    assert split_words("Lim-Dûl's Garruk’s {T}: +1/+1") == ["lim", "duls", "garruks", "t", "+1/+1"]


def test_split_words_takes_french_elisions_apart() -> None:
    assert split_words("l'adversaire qu'il") == ["adversaire", "il"]


@pytest.mark.parametrize(
    ("one", "other"), [("copies", "copy"), ("targeted", "targets"), ("sacrificed", "sacrificing"), ("tapped", "tap")]
)
def test_stem_joins_inflections(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_stem_keeps_short_words_and_symbols() -> None:
    assert [stem(word) for word in ("its", "+1/+1", "x")] == ["its", "+1/+1", "x"]


def test_german_stem_joins_endings() -> None:
    assert {german_stem(word) for word in ("diebische", "diebischen", "diebischer")} == {"diebisch"}


def test_index_terms_leave_out_stop_words() -> None:
    assert index_terms("Can I copy the spell?") == ["copy", "spell"]
