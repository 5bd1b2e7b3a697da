"""Nearest words of misspelt ones."""

import pytest

from rulings.search.typos import WordSpeller, trigram_postings

WORDS = ("apparition", "bracers", "clone", "doubling", "season", "teferi")


@pytest.fixture(scope="module")
def speller() -> WordSpeller:
    return WordSpeller(WORDS, trigram_postings(WORDS))


@pytest.mark.parametrize(
    ("typo", "word"), [("apparation", "apparition"), ("braceers", "bracers"), ("tefeir", "teferi"), ("seasn", "season")]
)
def test_nearest_finds_the_word(speller: WordSpeller, typo: str, word: str) -> None:
    (position, likeness), *_ = speller.nearest(typo)
    assert WORDS[position] == word
    assert 0.7 < likeness < 1


@pytest.mark.parametrize("word", ["clon", "tefxxx", "library", ""])
def test_nearest_is_empty_for_short_or_far_words(speller: WordSpeller, word: str) -> None:
    assert speller.nearest(word) == []


def test_an_empty_vocabulary_has_no_neighbours() -> None:
    assert WordSpeller((), trigram_postings(())).nearest("anything") == []
