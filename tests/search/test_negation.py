"""What a question says is not there."""

import pytest

from rulings.search.negation import negated
from rulings.search.question_concepts import NamedConcept
from rulings.search.words import split_words

CONCEPTS = (
    "flying", "reach", "hexproof", "tapped", "target", "copy", "trample", "lifelink", "stack", "block", "kopieren",
    "mana cost", "cant be blocked", "untapped", "kicker", "combat", "trigger", "kreatur", "bloquer", "counters",
)  # fmt: skip


def read(question: str) -> tuple[str, ...]:
    words = split_words(question)
    found = []
    for label in CONCEPTS:
        name = label.split()
        places = [n for n in range(len(words)) if words[n : n + len(name)] == name]
        found += [NamedConcept(label, 1.0, n, n + len(name)) for n in places[:1]]
    return tuple(sorted(negated(question, words, found)))


@pytest.mark.parametrize(
    ("question", "denied"),
    [
        ("Can it block a creature without flying or with reach?", ("flying",)),
        ("it doesn't have hexproof, is it a target?", ("hexproof",)),
        ("a creature with flying that is not tapped", ("tapped",)),
        ("Kann eine Kreatur ohne flying blocken", ("flying",)),
        ("does it have flying", ()),
        ("a creature not flying with reach", ("flying",)),
        ("no untapped creatures, can I pay", ("untapped",)),
        ("it never gets the counters", ("counters",)),
        ("ne peut pas bloquer", ("bloquer",)),
        ("without paying the mana cost", ()),
    ],
)
def test_a_negation_belongs_to_the_next_thing(question: str, denied: tuple[str, ...]) -> None:
    assert read(question) == denied


@pytest.mark.parametrize(
    ("question", "denied"),
    [
        ("Kann ich den Spruch ohne Bonus kopieren?", ()),  # without a bonus, not without copying
        ("no idea, does trample apply", ()),
        ("sans payer, bloquer ?", ()),
        ("can I copy it without sacrificing, with kicker", ()),
    ],
)
def test_it_reaches_over_no_other_word(question: str, denied: tuple[str, ...]) -> None:
    assert read(question) == denied


@pytest.mark.parametrize("question", ["If not, trample applies", "not when it has flying", "not only flying"])
def test_it_reaches_over_no_comma_and_into_no_other_clause(question: str) -> None:
    assert read(question) == ()


@pytest.mark.parametrize(
    "question", ["Doesn't lifelink stack?", "why doesn't trample trigger", "so can't reach block it"]
)
def test_a_negative_question_denies_not_its_subject(question: str) -> None:
    assert read(question) == ()


def test_a_negation_inside_a_concept_is_part_of_it() -> None:
    assert read("it can't be blocked, has trample") == ()
    assert read("a creature that can't be blocked trample") == ()


@pytest.mark.parametrize(
    ("question", "denied"),
    [
        ("a creature without flying or reach", ("flying", "reach")),
        ("neither flying nor reach", ("flying", "reach")),
        ("without flying, or reach", ("flying",)),
    ],
)
def test_what_is_joined_by_or_is_denied_too(question: str, denied: tuple[str, ...]) -> None:
    assert read(question) == denied
