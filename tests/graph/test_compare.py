"""Two corpora compared: every kind of change is found once, and nothing else is."""

from datetime import date

from rulings.graph.compare import as_of, compare
from rulings.graph.records import Analysis, Outdating
from rulings.ingest import Card, CorpusBuilder, Face, GlossaryEntry, Place, Rule, Ruling

OLD, NEW = date(2020, 1, 1), date(2024, 1, 1)


def corpus(*records):
    builder = CorpusBuilder()
    for record in records:
        builder.add(record, Place("made-up"))
    return builder.finish()


def card(name, oracle_id, text):
    return Card(name, oracle_id, faces=(Face(name, text=text),), text=text, type_line="Creature")


def ruling(text, oracle_id, published=OLD):
    return Ruling(text, published, "wotc", oracle_id)


def rules(edition, *pairs):
    return [
        Rule(number, text, edition=edition, parent=number.split(".")[0] if "." in number else None)
        for number, text in pairs
    ]


BEFORE = corpus(
    card("Mimic", "a", "Copy a creature."),
    card("Old Name", "b", "Draw a card."),
    card("Gone", "c", "Nothing."),
    ruling("The copy has the converted mana cost of the creature it was made from.", "a"),
    ruling("It stays the same.", "a"),
    ruling("This one is taken back.", "b"),
    *rules(OLD, ("700", "General"), ("700.1", "A thing is what it is, wherever it may be."), ("700.2", "Gone soon is this one."),
           ("700.3", "Words of a third rule; see rule 700.1.")),
    GlossaryEntry("Thing", "Something. See rule 700.1.", OLD, ("700.1",)),
)  # fmt: skip
AFTER = corpus(
    card("Mimic", "a", "Copy a creature or artifact."),
    card("New Name", "b", "Draw a card."),
    card("Come", "d", "Something."),
    ruling("The copy has the mana value of the creature it was made from.", "a", NEW),
    ruling("It stays the same.", "a"),
    ruling("Something new is told here.", "d", NEW),
    *rules(NEW, ("700", "General"), ("700.1", "An object has parts, and each part counts."), ("700.2", "A thing is what it is, wherever it may be."),
           ("700.3", "Words of a third rule; see rule 700.2.")),
    GlossaryEntry("Thing", "Something. See rule 700.2.", NEW, ("700.2",)),
    GlossaryEntry("Part", "Less than all. See rule 700.1.", NEW, ("700.1",)),
)  # fmt: skip


def test_rulings_that_came_went_and_were_reworded():
    found = {(r.card, r.old, r.new) for r in compare(BEFORE, AFTER).rulings}
    assert found == {
        (
            "Mimic",
            "The copy has the converted mana cost of the creature it was made from.",
            "The copy has the mana value of the creature it was made from.",
        ),
        ("New Name", "This one is taken back.", ""),
        ("Come", "", "Something new is told here."),
    }


def test_cards_that_came_went_were_renamed_and_got_new_text():
    assert {(c.oracle_id, c.kind) for c in compare(BEFORE, AFTER).cards} == {
        ("a", "new text"),
        ("b", "renamed"),
        ("c", "went"),
        ("d", "came"),
    }


def test_rules_are_followed_and_numbers_inside_texts_that_only_moved_do_not_count():
    changes = compare(BEFORE, AFTER)
    assert {(r.old_number, r.new_number, r.kind) for r in changes.rules} == {
        ("700.1", "700.2", "moved"),
        ("700.2", "", "went"),
        ("", "700.1", "came"),
    }
    assert changes.editions == (OLD, NEW)
    assert changes.concepts_came == ("Part",)
    assert changes.concepts_went == ()


def test_nothing_changed_between_a_corpus_and_itself():
    changes = compare(BEFORE, BEFORE, ({}, {}))
    assert not changes
    assert changes.outdated == ()


def test_what_became_outdated_is_told_with_its_reason():
    key = next(k for k, s in AFTER.statements.items() if s.text == "It stays the same.")
    gone = Analysis(key, outdated=(Outdating("the rule is gone", "rules", 0.9),))
    (told,) = compare(BEFORE, AFTER, ({key: Analysis(key)}, {key: gone})).outdated
    assert (told.text, told.reason) == ("It stays the same.", "the rule is gone")
    assert compare(BEFORE, AFTER, ({key: gone}, {key: gone})).outdated == ()
    assert compare(BEFORE, AFTER).outdated is None


def test_a_day_has_what_was_published_until_then():
    then = as_of(AFTER, date(2021, 1, 1))
    assert {s.text for s in then.statements.values()} == {"It stays the same."}
    assert [r.key for r in then.rulings] == list(then.statements)
    assert then.newest is None
    assert as_of(AFTER, NEW).statements == AFTER.statements


def test_without_rules_on_a_side_rules_and_concepts_are_left_out():
    changes = compare(as_of(AFTER, OLD), AFTER)
    assert changes.editions == (None, NEW)
    assert changes.rules == changes.concepts_came == ()
    assert changes.rulings
