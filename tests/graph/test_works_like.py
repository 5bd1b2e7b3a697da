"""Cards whose rules text does the same thing are found, and other cards are not."""

from rulings.graph.works_like import terms, works_like
from rulings.ingest import Card, Corpus, Face

TEXTS = {
    "Puller": "When Puller enters, return target creature to its owner's hand.",
    "Drawer": "When Drawer enters, return target creature to its owner's hand.",
    "Burner": "Burner deals 3 damage to any target.",
    "Scorcher": "Scorcher deals 5 damage to any target.",
    "Grower": "Put two +1/+1 counters on every beast that is yours.",
    "Blank": "",
}


def corpus() -> Corpus:
    cards = {n: Card(n, n, faces=(Face(n, text=t),), text=t, type_line="Instant") for n, t in TEXTS.items()}
    return Corpus(cards, {}, (), {}, {})


def test_the_same_text_under_another_name_or_number_is_nearest():
    alike = works_like(corpus())
    assert alike["Puller"][0].oracle_id == "Drawer"
    assert alike["Puller"][0].score > 0.99
    assert alike["Burner"][0].oracle_id == "Scorcher"
    assert all(a.score < 0.6 for a in alike.get("Grower", ()))


def test_no_card_is_like_itself_or_like_a_card_without_text():
    alike = works_like(corpus())
    assert all(name not in {a.oracle_id for a in found} for name, found in alike.items())
    assert "Blank" not in alike
    assert all(a.oracle_id != "Blank" for found in alike.values() for a in found)


def test_scores_fall_and_are_bounded():
    for found in works_like(corpus(), count=2).values():
        assert len(found) <= 2
        assert [a.score for a in found] == sorted((a.score for a in found), reverse=True)
        assert all(0 < a.score <= 1 for a in found)


def test_names_numbers_and_reminders_do_not_count():
    one = Card("One", faces=(Face("One", text="One gets +1/+1. (It's bigger.)"),))
    two = Card("Two", faces=(Face("Two", text="Two gets +3/+3."),))
    assert list(terms(one)) == list(terms(two))


def test_nothing_to_compare():
    assert works_like(Corpus({}, {}, (), {}, {})) == {}
