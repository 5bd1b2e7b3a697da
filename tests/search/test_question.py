"""Reading of questions."""

import pytest

from rulings.search.index import Index
from rulings.search.question import QuestionReader


@pytest.fixture(scope="module")
def reader(small_index: Index) -> QuestionReader:
    return QuestionReader(small_index)


def test_read_finds_cards_concepts_and_rules(reader: QuestionReader, small_index: Index) -> None:
    read = reader.read("Does Mimic's copy follow 707.2 and rule 707?")
    assert [small_index.card_names[card.card] for card in read.cards] == ["Mimic"]
    assert "copy" in {named.concept for named in read.concepts}
    assert read.rules == ("707.2", "707")
    assert read.language == "en"
    assert read.english == read.question


@pytest.mark.parametrize("question", ["a 200 card deck", "I have 100.5 life", "deals {100} damage"])
def test_numbers_are_no_rules_without_more(reader: QuestionReader, question: str) -> None:
    assert [number for number in reader.read(question).rules if "." not in number] == []


def test_german_questions_get_an_english_gloss_with_the_card_in_english(reader: QuestionReader) -> None:
    read = reader.read("Wenn Nachahmer stirbt, krieg ich dann eine Kopie?")
    assert read.language == "de"
    assert "Mimic" in read.english
    assert "dies" in read.english
    assert "copi" in " ".join(read.terms) or "copy" in read.terms
