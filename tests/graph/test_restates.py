"""Groups of the same ruling: what joins two statements and what keeps them apart."""

import json
from datetime import date
from pathlib import Path

import pytest

from rulings.graph.restates import find_restatements, members
from rulings.ingest import Corpus, key

OLD, NEW = date(2010, 1, 1), date(2023, 1, 1)


@pytest.fixture
def relation(made):
    keywords = (made.rule("702", "Keyword Abilities"), made.rule("702.1", "Hovering"), made.rule("702.2", "Lurking"))

    def judge(
        one: str, two: str, cards: tuple[str, str] = ("Red Fox", "Blue Owl"), types: str = "Creature"
    ) -> str | None:
        corpus = made.corpus_of([(cards[0], one, OLD), (cards[1], two, NEW)], *keywords, types=types)
        same, reworded = members(*find_restatements(corpus)).get(key(one), ((), ()))
        return "same" if key(two) in same else "reworded" if key(two) in reworded else None

    return judge


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("If Red Fox dies, its owner isn't paid.", "If Blue Owl dies, its owner is not paid."),
        ("Red Fox's first ability can't target it.", "Blue Owl’s ability cannot target it."),
        ("You may choose a card or permanent with “Red Fox”.", 'You may choose a permanent or card with "Blue Owl".'),
        ("It costs X. For example, choose 2 and pay {2}.", "It costs X. For example, choose 3 and pay {3}."),
        ("He or she may pick it, as Red Fox says.", "They may pick it, as Blue Owl says."),
    ],
)
def test_template_differences_are_the_same_ruling(relation, one: str, two: str):
    assert relation(one, two) == "same"


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Its converted mana cost counts while you wait for it.", "Its mana value counts while you wait for it."),
        ("When Red Fox is put into a graveyard from the battlefield, look.", "When Blue Owl dies, look."),
        ("Red Fox enters the battlefield with all of them ready.", "Blue Owl enters with all of them ready."),
        ("The totem armor stays on the wearer all along.", "The umbra armor stays on the wearer all along."),
        (
            "Each copy will have the same shape as the first one made.",
            "The copy has the same shape as the first one made.",
        ),
    ],
)
def test_newer_terms_reword(relation, one: str, two: str):
    assert relation(one, two) == "reworded"


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("You may untap up to five of them as it resolves.", "You may untap up to seven of them as it resolves."),
        (
            "The ability is one that can be answered by players.",
            "The ability is not one that can be answered by players.",
        ),
        (
            "It matters whether that creature is white as you look.",
            "It matters whether that creature is black as you look.",
        ),
        ("Count the lands that are in use when it resolves.", "Count the artifacts that are in use when it resolves."),
        ("Such a thing with hovering can be picked.", "Such a thing with lurking can be picked."),
        ("Then that one is destroyed at the end of the turn.", "Then that one is sacrificed at the end of the turn."),
        ("It counts a creature that enters at that time.", "It counts a creature or Vehicle that enters at that time."),
        ("It is seen by all of them.", "It is seen by all of them. This stays so if an opponent takes it over later."),
        ("Choose it before it resolves, not after that.", "Choose it after it resolves, not before that."),
        ("An opponent may pay for it as it is cast.", "You may pay for it as it is cast."),
        ("It will pick the Goblin that you name.", "It will pick the Merfolk that you name."),
        ("You pay {3} for each of these things.", "You pay {4} for each of these things."),
        ("You may look at it.", "You must look at it."),
    ],
)
def test_what_the_ruling_says_is_guarded(relation, one: str, two: str):
    assert relation(one, two) is None


def test_names_given_as_examples_may_differ_but_not_what_a_ruling_is_about(relation):
    assert (
        relation(
            "The copy has that X (like Red Fox does).",
            "The copy has that X (like Blue Owl does).",
            ("Blue Owl", "Red Fox"),
        )
        == "same"
    )
    assert (
        relation("This is the brother of Red Fox.", "This is the brother of Blue Owl.", ("Blue Owl", "Red Fox")) is None
    )


def test_short_names_of_legendary_cards_are_masked(relation):
    cards = ("Aldo, King of Foxes", "Berta, Queen of Owls")
    assert (
        relation("Aldo’s ability counts Aldo too.", "Berta’s ability counts Berta too.", cards, "Legendary Creature")
        == "same"
    )


def test_groups_are_transitive_and_the_newest_wording_stands_for_them(made):
    texts = [
        ("Red Fox", "Its converted mana cost isn't changed by this at all.", OLD),
        ("Blue Owl", "Its converted mana cost is not changed by this at all.", date(2012, 1, 1)),
        ("Grey Elk", "Its mana value isn't changed by this at all.", NEW),
    ]
    pairs, groups = find_restatements(made.corpus_of(texts))
    keys = [key(text) for _, text, _ in texts]
    assert groups == ((keys[2], keys[1], keys[0]),)
    assert {(p.relation, p.subject, p.object) for p in pairs} == {
        ("restates", keys[1], keys[0]),
        ("rewords", keys[2], keys[1]),
    }
    assert members(pairs, groups)[keys[0]] == ((keys[1],), (keys[2],))


def test_two_abilities_of_one_card_are_told_apart(made):
    one, two = "Red Fox's first ability can be answered.", "Red Fox's last ability can be answered."
    assert find_restatements(made.corpus_of([("Red Fox", one), ("Red Fox", two)])) == ((), ())
    assert find_restatements(made.corpus_of([("Red Fox", one), ("Blue Owl", two.replace("Red Fox", "Blue Owl"))]))[1]


def test_nothing_to_group(made):
    assert find_restatements(made.corpus_of([("Red Fox", "It is red.")])) == ((), ())


def test_hand_made_pairs(full: Corpus, data: Path):
    found = members(*find_restatements(full))
    counts = {"same": [0, 0, 0], "either": [0, 0, 0]}
    for line in (data / "gold" / "restates-dev.jsonl").read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        one, two = key(pair["a_text"]), key(pair["b_text"])
        same, reworded = found.get(one, ((), ()))
        is_same = one == two or two in same
        for name, got, wanted in (
            ("same", is_same, pair["label"] == "same"),
            ("either", is_same or two in reworded, pair["label"] in {"same", "reworded"}),
        ):
            counts[name][0] += got and wanted
            counts[name][1] += got and not wanted
            counts[name][2] += wanted and not got
    scores = {name: 2 * tp / (2 * tp + fp + fn) for name, (tp, fp, fn) in counts.items()}
    assert scores["same"] >= 0.88, counts
    assert scores["either"] >= 0.82, counts
