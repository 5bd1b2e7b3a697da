"""Tests of English inflections."""

import pytest

from rulings.graph.inflect import (
    base_of_ing,
    base_verb,
    hyphen_variants,
    plural,
    plurals,
    singular,
    verb_forms,
    verb_phrases,
)


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("library", "libraries"),
        ("toughness", "toughnesses"),
        ("clash", "clashes"),
        ("die", "dice"),
        ("token", "tokens"),
    ],
)
def test_number(one: str, many: str) -> None:
    assert plural(one) == many
    assert singular(many) == one


@pytest.mark.parametrize("word", ["plains", "equipment", "mana", "status"])
def test_words_of_one_number(word: str) -> None:
    assert plurals_of(word) <= {"statuses"}
    assert singular(word) == word


def plurals_of(word: str) -> set[str]:
    return set(plurals(word)) - {word}


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("cast", ("casts", "casting")),
        ("sacrifice", ("sacrifices", "sacrificed", "sacrificing")),
        ("tap", ("taps", "tapped", "tapping")),
        ("equip", ("equips", "equipped", "equipping")),
        ("activate", ("activates", "activated", "activating")),
        ("copy", ("copies", "copied", "copying")),
        ("die", ("dies", "died", "dying")),
        ("draw", ("draws", "drew", "drawn", "drawing")),
        ("attach", ("attaches", "attached", "attaching")),
        ("play", ("plays", "played", "playing")),
        ("goad", ("goads", "goaded", "goading")),
        ("explore", ("explores", "explored", "exploring")),
        ("counter", ("counters", "countered", "countering")),
    ],
)
def test_verbs(verb: str, forms: tuple[str, ...]) -> None:
    assert verb_forms(verb) == forms


def test_phrases() -> None:
    assert set(plurals("source of damage")) == {"sources of damage"}
    assert set(plurals("beginning of combat step")) == {"beginning of combat steps"}
    assert {"changes a target", "changing the target", "change the target"} <= set(verb_phrases("change a target"))
    assert list(hyphen_variants("one-shot effect")) == ["one shot effect"]
    assert list(hyphen_variants("+1/-1 counter")) == []


def test_back_to_the_verb() -> None:
    assert base_verb("dies") == "die"
    assert base_verb("leaves") == "leave"
    assert base_verb("plains") is None
    assert base_of_ing("flipping") == ("flip",)
    assert base_of_ing("cycling") == ("cycl", "cycle")
    assert base_of_ing("ring") == ()
