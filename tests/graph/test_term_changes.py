"""The table of older terms: what each becomes, and that today's words stay."""

import pytest

from rulings.graph.term_changes import TERM_CHANGES, outdated_terms, today


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("its converted mana cost is odd", "its mana value is odd"),
        ("converted mana costs", "mana values"),
        ("a tribal land", "a kindred land"),
        ("it has totem armor", "it has umbra armor"),
        ("a transforming double-faced card", "a nonmodal double-faced card"),
        ("it enters the battlefield tapped", "it enters tapped"),
        ("when it is put into a graveyard from the battlefield", "when it dies"),
        ("it comes into play", "it enters"),
        ("the mana value of it", "the mana value of it"),
        ("it deals damage", "it deals damage"),
    ],
)
def test_today(old: str, new: str):
    assert today(old) == new


def test_outdated_terms_are_those_that_make_a_text_outdated():
    assert outdated_terms("Its Converted Mana Cost; it enters the battlefield.") == ("converted mana cost",)
    assert outdated_terms("Its mana value; it enters.") == ()


def test_every_change_has_a_hint_that_its_matches_hold():
    assert all(change.hint and (not change.outdated or change.name) for change in TERM_CHANGES)
