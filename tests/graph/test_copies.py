"""What copies what, what goes along, and which cards work alike; on made-up cards and against the hand-made gold."""

import json

import pytest

from rulings.graph.carried import carried
from rulings.graph.copies import copying
from rulings.graph.copy_kinds import copies_of, named_kinds
from rulings.ingest import Card, Face, Statement, key


def card(text: str, name: str = "Own Name", types: str = "Creature", keywords: tuple[str, ...] = ()) -> Card:
    return Card(
        name, "id", faces=(Face(name, type_line=types, text=text),), type_line=types, text=text, keywords=keywords
    )


def statement(text: str) -> Statement:
    return Statement(key(text), text, (text,), ())


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("You may have Own Name enter as a copy of any creature on the battlefield.", [("creature", "becomes a copy")]),
        (
            "Create a token that's a copy of target artifact or creature you control.",
            [("artifact", "token"), ("creature", "token")],
        ),
        ("Copy target instant or sorcery spell. It may get new targets.", [("spell", "spell copy")]),
        (
            "Copy target activated or triggered ability you control.",
            [("activated ability", "ability copy"), ("triggered ability", "ability copy")],
        ),
        (
            "Whenever you activate an ability, if it isn't a mana ability, copy it.",
            [("activated ability", "ability copy")],
        ),
        ("Exile target instant card from a graveyard and copy that card.", [("card", "card copy")]),
        ("When you cast this spell, copy it if you control an artifact.", [("spell", "spell copy")]),
        ("Draw a card.", []),
    ],
)
def test_what_a_card_copies(text, kinds):
    assert [(kind.copied, kind.result) for kind in copies_of(card(text))] == kinds


def test_keywords_copy_too():
    assert [kind.copied for kind in copies_of(card("Draw a card.", keywords=("Storm",)))] == ["spell"]


def test_the_last_word_of_a_phrase_decides():
    assert named_kinds("target creature card in your graveyard") == ("card",)
    assert named_kinds("nonlegendary creature or planeswalker you control") == ("creature", "planeswalker")
    assert named_kinds("each opponent") == ()


@pytest.mark.parametrize(
    ("own", "text", "found"),
    [
        (
            "Own Name enters as a copy of any creature.",
            "The copied permanent keeps its counters.",
            [("this card", "permanent", "becomes a copy")],
        ),
        (
            "Copy target instant or sorcery spell.",
            "The copy is made on the stack.",
            [("this card", "spell", "spell copy")],
        ),
        (
            "Draw a card.",
            "If you copy a kicked spell, the copy is kicked.",
            [("another object", "spell", "spell copy")],
        ),
        (
            "Draw a card.",
            "If another creature becomes a copy of Own Name, it has flying.",
            [("another object", "creature", "becomes a copy")],
        ),
        ("Draw a card.", "Copies of spells are no cards.", []),
        ("Draw a card.", "You draw it at once.", []),
    ],
)
def test_what_a_ruling_says_is_copied(own, text, found):
    links = copying(statement(text), [card(own)])
    assert [(link.copier, link.copied, link.result) for link in links] == found
    assert all(0 <= link.start < link.end <= len(text) for link in links)


def test_what_goes_along_and_what_is_left_out():
    text = "The copy has the same modes. It doesn't copy whether the creature is tapped or untapped, or any counters on it."
    links = carried(text, lambda label: label.lower())
    assert {(link.what, link.carried) for link in links} == {
        ("modes", True),
        ("tapped or untapped", False),
        ("counters", False),
    }
    spans = {link.what: text[link.start : link.end] for link in links}
    assert spans["tapped or untapped"] == "tapped or untapped"
    assert {link.concept for link in links if link.what == "counters"} == {"counter"}


def test_x_of_a_copied_permanent_is_left_out_and_that_of_a_spell_goes_along():
    permanent = carried("Where a copied creature costs {X} and more, X is 0 for the newcomer.", lambda _: None)
    spell = carried("The copy has the same value of X as the spell.", lambda _: None)
    assert [(link.what, link.carried) for link in permanent] == [("value of X", False)]
    assert [(link.what, link.carried) for link in spell] == [("value of X", True)]


def test_nothing_is_carried_where_nothing_is_copied():
    assert carried("It doesn't have any counters.", lambda _: None) == ()


def test_copies_reach_the_floor_on_gold(data, full):
    right = found = wanted = 0
    for line in (data / "gold" / "relations-dev.jsonl").read_text(encoding="utf-8").splitlines():
        gold = json.loads(line)
        one = full.statements[key(gold["text"])]
        have = {link.copied for link in copying(one, [full.cards[i] for i in one.oracle_ids])}
        want = {copy["copied"] for copy in gold["copies"]}
        optional = {copy["copied"] for copy in gold["copies"] if copy.get("conditional")}
        right += len(have & want)
        found += len(have)
        wanted += len(want - optional | (have & want))
    assert 2 * right / (found + wanted) >= 0.75
