"""Questions asked of the built-in sample and of a small corpus."""

import json
from pathlib import Path

import pytest

from rulings.search import NoGenerationError, QuestionError, Rulings
from rulings.search.answer import Reading


@pytest.fixture(scope="module")
def kb(sample_home: Path) -> Rulings:
    return Rulings.open(sample_home)


def test_ask_answers_with_linked_rulings(kb: Rulings) -> None:
    answer = kb.ask("Can I copy half of a split card?")
    assert answer.answered
    assert answer.language == "en"
    assert [result.rank for result in answer.results] == list(range(1, len(answer.results) + 1))
    top = answer.results[0]
    assert top.cards
    assert top.why
    assert top.why[0].start == "question"
    assert top.why[-1].to == top.key
    assert top.id.endswith(top.key)
    assert answer.took_ms > 0


def test_what_was_read_wrongly_can_be_taken_back(kb: Rulings) -> None:
    question = "Spark Double copies a creature with {X}: what is its mana value by rule 107.3?"
    read = kb.ask(question).reading
    assert "Spark Double" in read.cards
    assert "Copy" in read.concepts
    assert read.rules == ("107.3",)
    wrong = Reading(("spark double",), ("COPY",), ("107.3",))
    answer = kb.ask(question, without=wrong)
    assert "Spark Double" not in answer.reading.cards
    assert answer.reading.concepts == tuple(name for name in read.concepts if name != "Copy")
    assert answer.reading.rules == ()
    named = {step.to for result in answer.results for step in result.why if step.relation == "names"}
    assert not named & {"Spark Double", "Copy"}


def test_the_same_question_gives_the_same_answer(kb: Rulings) -> None:
    one, other = (kb.ask("does my copied token enter tapped?").timed(0.0) for _ in range(2))
    assert one == other


def test_another_opening_and_a_batch_give_the_same_bytes(kb: Rulings, sample_home: Path) -> None:
    questions = ["Does a kicked spell's copy count as kicked?", "Zählt eine Kopie als gewirkt?", "what is phasing"]
    first = [kb.ask(question).timed(0.0).to_json() for question in questions]
    again = [answer.timed(0.0).to_json() for answer in Rulings.open(sample_home).batch(reversed(questions))]
    assert list(map(json.dumps, reversed(again))) == list(map(json.dumps, first))


def test_k_bounds_the_results(kb: Rulings) -> None:
    assert len(kb.ask("copy a spell", k=3).results) == 3


def test_prices_are_declined_with_the_nearest_shown(kb: Rulings) -> None:
    answer = kb.ask("how much is a foil copy of this worth, should I buy or sell it before rotation?")
    assert not answer.answered
    assert answer.rules == ()


def test_no_text_stands_twice(kb: Rulings) -> None:
    for question in ("copying a permanent spell", "does a trigger happen", "mana cost and X"):
        texts = [text for result in kb.ask(question).results for text in (result.text, *result.same_as)]
        assert len(texts) == len(set(texts))


def test_every_step_of_a_path_is_in_the_graph(kb: Rulings) -> None:
    index = kb.index
    for question in (
        "Clone copying a token",
        "what does a copy of a spell with X do",
        "does prowess trigger on a copy",
    ):
        for result in kb.ask(question).results:
            place = index.place(result.key)
            last = result.why[-1]
            if last.relation == "about":
                assert last.start in {index.card_names[card] for card in index.about.columns(place)}


def test_batch_answers_in_order(kb: Rulings) -> None:
    questions = ["copy a spell", "copy a token"]
    assert [answer.question for answer in kb.batch(questions)] == questions


@pytest.mark.parametrize("k", [0, -1, 101, 2.0, "3", True])
def test_more_rulings_than_there_can_be_are_refused(kb: Rulings, k: int) -> None:
    with pytest.raises(QuestionError, match="from 1 to 100"):
        kb.ask("copy a spell", k=k)
    with pytest.raises(QuestionError, match="from 1 to 100"):
        list(kb.batch(["copy a spell"], k=k))


def test_what_is_no_question_is_refused(kb: Rulings) -> None:
    with pytest.raises(QuestionError, match="at most 10,000"):
        kb.ask("a " * 6000)
    with pytest.raises(QuestionError, match="several questions"):
        list(kb.batch("Clone"))
    with pytest.raises(QuestionError, match="without is list"):
        kb.ask("copy a spell", without=["Copy"])


def test_an_empty_question_is_refused(kb: Rulings) -> None:
    with pytest.raises(QuestionError, match="no words"):
        kb.ask("  ")


def test_open_says_what_to_do_where_nothing_was_built(tmp_path: Path) -> None:
    with pytest.raises(NoGenerationError, match="rulings build"):
        Rulings.open(tmp_path)
