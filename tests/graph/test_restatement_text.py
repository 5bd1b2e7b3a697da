"""Levelling of texts, one rule at a time."""

from datetime import date

import pytest

from rulings.graph.records import Analysis, SelfReference
from rulings.graph.restatement_text import _with_self, levelled, mask_own, normal_form, own_names, proper_words
from rulings.ingest import Card, Face


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It can't and won't.", "it can not and will not."),
        ("They're sure it'll go; you've won.", "they are sure it will go; you have won."),
        ("That's the player's hand.", "that is the player's hand."),
        ("The card's exiled, the card's owner isn't.", "the card is exiled, the card's owner is not."),
        ("She taps his or her mount.", "it taps their mount."),
        ("~'s second triggered ability and its last ability", "~ 's triggered ability and its ability"),
    ],
)
def test_levelled(text: str, expected: str):
    assert levelled(text) == expected


def test_own_names_are_faces_and_short_names():
    card = Card(
        "Aldo, King of Foxes // Old Den",
        type_line="Legendary Creature",
        faces=(Face("Aldo, King of Foxes"), Face("Old Den")),
    )
    assert {"Aldo, King of Foxes", "Old Den", "Aldo"} <= set(own_names([card]))


def test_spans_of_an_analysis_are_masked_too(made):
    corpus = made.corpus_of([("Creeping Vine", "The Vine grows on Creeping Vine.", date(2020, 1, 1))])
    statement = next(iter(corpus.statements.values()))
    analysis = Analysis(statement.key, self_references=(SelfReference("id Creeping Vine", 4, 8),))
    assert mask_own(statement, corpus) == "The Vine grows on ~."
    assert mask_own(statement, corpus, analysis) == "The ~ grows on ~."


def test_same_key_passes_over_articles_order_and_example_numbers():
    one = normal_form("Pick a card or an emblem. For example, {2} is 2.")
    two = normal_form("Pick an emblem or card. For example, {3} is 3.")
    assert one.same_key == two.same_key
    assert one.same_key != normal_form("Pick a card and an emblem. For example, {2} is 2.").same_key
    assert normal_form("Pay {2}.").same_key != normal_form("Pay {3}.").same_key
    assert one.sentences == 2


def test_proper_words_are_those_with_a_capital_inside_a_sentence():
    assert proper_words("The Goblin picks. Then it sees a Forest.") == {"goblin", "forest"}


def test_an_own_name_is_masked_only_where_it_is_a_word():
    text = "Ox: an Oxen, an Ox-like and a wild-Ox stay; Ox's, (Ox) and OxOx Ox"
    assert _with_self(text, "Ox") == "~: an Oxen, an Ox-like and a wild-Ox stay; ~'s, (~) and OxOx ~"
    assert _with_self("nothing", "Ox") == "nothing"
