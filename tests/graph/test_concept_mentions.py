"""Concepts named in statements."""

import pytest

from rulings.graph.automaton import folded
from rulings.graph.concept_mentions import ConceptFinder, flavor_words
from rulings.graph.concepts import ConceptScheme
from rulings.ingest import Card, CorpusBuilder, Face, Place, whole

CARDS = [
    Card(
        "Old Gravedigger",
        keywords=("Unearth", "Flying", "Trample", "Scry", "Deathtouch", "Storm"),
        text="Unearth Glow — Draw a card.",
    ),
]


@pytest.fixture(scope="module")
def finder():
    builder = CorpusBuilder()
    for card in CARDS:
        builder.add(whole(card.name, [Face(card.name, text=card.text)], keywords=card.keywords), Place("made up"))
    scheme = ConceptScheme.from_corpus(builder.finish())
    return scheme, ConceptFinder(scheme)


def labels(finder, text, **options):
    scheme, find = finder
    return [(scheme.concepts[m.concept].label, text[m.start : m.end]) for m in find.find(folded(text), **options)]


def test_inflections_and_offsets(finder):
    text = "The “unearthed” card’s trample, then you scry."
    found = dict(labels(finder, text))
    assert found["Trample"] == "trample"
    assert found["Scry"] == "scry"


def test_card_names_and_flavor_words_hold_no_concepts(finder):
    text = "Unearth Glow draws, and Scry Master gains trample."
    start = text.index("Scry")
    found = [label for label, _ in labels(finder, text, cards=CARDS, taken=[(start, start + 11)])]
    assert "Unearth" not in found
    assert "Scry" not in found
    assert "Trample" in found


def test_a_capital_inside_a_sentence_is_no_keyword(finder):
    assert "Trample" not in [label for label, _ in labels(finder, "It was made for Trample once.")]
    assert "Trample" in [label for label, _ in labels(finder, "Trample matters.")]


def test_everyday_words_need_an_ability(finder):
    assert "Storm" not in [label for label, _ in labels(finder, "They storm the gates.")]
    assert "Storm" in [label for label, _ in labels(finder, "Each spell with storm counts.")]


def test_x_is_a_capital(finder):
    assert [label for label, _ in labels(finder, "x times")].count("X") == 0


def test_flavor_words():
    assert flavor_words(CARDS) == {"Unearth Glow"}
