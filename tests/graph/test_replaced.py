"""Rulings that later ones on the same card replace."""

from datetime import date

from rulings.graph.replaced import replaced
from rulings.ingest import key

FIRST, LATER = date(2010, 1, 1), date(2020, 1, 1)
OLD = "You pick up to two of the apples that lie under it, one at a time, if you like."
NEW = "You pick up to three of the apples that lie under it, one at a time, if you like."
OTHER = "Nobody may look under the hat before the clock strikes twelve."


def test_a_later_ruling_on_the_card_that_changes_a_number_replaces_the_first(made):
    corpus = made.corpus_of([("Red Fox", OLD, FIRST), ("Red Fox", NEW, LATER), ("Red Fox", OTHER, FIRST)])
    found = replaced(corpus, ())
    assert set(found) == {key(OLD)}
    assert found[key(OLD)].replaced_by == key(NEW)
    assert found[key(OLD)].reason == "replaced by a ruling of 2020-01-01 on Red Fox"


def test_it_stands_while_it_is_still_published_on_another_card_or_on_the_same_day(made):
    assert (
        replaced(made.corpus_of([("Red Fox", OLD, FIRST), ("Red Fox", NEW, LATER), ("Blue Owl", OLD, FIRST)]), ()) == {}
    )
    assert replaced(made.corpus_of([("Red Fox", OLD, FIRST), ("Red Fox", NEW, FIRST)]), ()) == {}
    assert (
        replaced(made.corpus_of([("Red Fox", OLD, FIRST), ("Red Fox", NEW, LATER), ("Red Fox", OLD, LATER)]), ()) == {}
    )


def test_a_later_member_of_its_group_replaces_it_however_it_is_worded(made):
    corpus = made.corpus_of([("Red Fox", OLD, FIRST), ("Red Fox", OTHER, LATER)])
    assert set(replaced(corpus, [(key(OTHER), key(OLD))])) == {key(OLD)}
