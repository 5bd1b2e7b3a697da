"""Merging: one card per oracle id, one ruling from several sources, the same corpus in any order."""

import random
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.ingest import CorpusBuilder, build_corpus
from rulings.ingest.corpus import Corpus
from rulings.ingest.merge_cards import whole
from rulings.ingest.records import Card, Face, Place, Printing, Record, Ruling
from rulings.ingest.text import key

DAY = date(2020, 1, 31)
MIMIC = whole("Mimic", [Face("Mimic", text="Text.")], oracle_id="1", layout="normal")
SPLIT = whole("Left // Right", [Face("Left", text="One."), Face("Right", text="Two.")], oracle_id="2", layout="split")


def merge(*records: Record) -> Corpus:
    builder = CorpusBuilder()
    for number, record in enumerate(records, 1):
        builder.add(record, Place("f", f"item {number}"))
    return builder.finish()


def ruling(words: str = "So it is.", source: str = "wotc", day: date = DAY, **others: str) -> Ruling:
    return Ruling(words, day, source, **(others or {"oracle_id": "1"}))


def test_the_same_ruling_from_several_sources_is_one() -> None:
    corpus = merge(
        MIMIC,
        ruling("It’s  “so”.", "wotc"),
        ruling('It\'s "so".', "house", card="mimic"),
        ruling('It\'s "so".', "page", oracle_id="1", face="Mimic"),
    )
    (one,) = corpus.rulings
    assert (one.sources, one.face) == (("house", "page", "wotc"), "Mimic")
    statement = corpus.statements[key("It’s  “so”.")]
    assert statement.variants == ('It\'s "so".', "It’s  “so”.")
    assert statement.text == statement.variants[0]


def test_text_of_a_statement_is_that_published_last() -> None:
    corpus = merge(MIMIC, ruling("It’s so.", day=date(2021, 1, 1)), ruling("It's so."))
    (statement,) = corpus.statements.values()
    assert statement.text == "It’s so."
    assert statement.dates == (DAY, date(2021, 1, 1))
    assert [r.published for r in statement.rulings] == [date(2021, 1, 1), DAY]


def test_a_ruling_repeated_on_both_faces_is_of_no_single_face() -> None:
    corpus = merge(SPLIT, *(ruling("Both.", oracle_id="2", face=f) for f in ("Left", "Right")))
    assert [r.face for r in corpus.rulings] == [None]


def test_ruling_of_an_unknown_card_is_a_problem_with_its_place() -> None:
    corpus = merge(MIMIC, ruling(card="Nobody"), ruling(oracle_id="9"), ruling(oracle_id="9", card="Mimic"))
    assert len(corpus.rulings) == 1
    assert [str(p.place) for p in corpus.report.problems] == ["f, item 2", "f, item 3"]
    assert "card 'Nobody' is not among the cards" in corpus.report.problems[0].reason
    assert "oracle id 9" in corpus.report.problems[1].reason


@pytest.mark.parametrize(
    "name", ["mimic", "Left", "right", "LEFT // RIGHT", "Links", "Rechts", "Links // Rechts", "Mímic"]
)
def test_a_ruling_finds_its_card_by_any_name(name: str) -> None:
    german = Printing("Left // Right", "de", "Links // Rechts", "2")
    corpus = merge(ruling(card=name), german, SPLIT, MIMIC)
    assert [r.oracle_id for r in corpus.rulings] == ["1" if name.casefold() in ("mimic", "mímic") else "2"]


def test_a_name_of_two_cards_decides_nothing() -> None:
    other = replace(MIMIC, oracle_id="3")
    corpus = merge(MIMIC, other, ruling(card="Mimic"))
    assert not corpus.rulings
    assert "names several cards" in corpus.report.problems[0].reason


def test_foreign_name_of_one_card_does_not_hide_another_english_card() -> None:
    corpus = merge(MIMIC, SPLIT, Printing("Left // Right", "de", "Mimic", "2"), ruling(card="Mimic"))
    assert [r.oracle_id for r in corpus.rulings] == ["1"]


def test_a_token_does_not_take_the_name_of_a_card() -> None:
    token = replace(MIMIC, oracle_id="0", layout="token")
    nameless = replace(MIMIC, oracle_id=None, sets=("OLD",))
    corpus = merge(token, nameless, MIMIC, ruling(card="Mimic"))
    assert corpus.cards["1"].sets == ("OLD",)
    assert [r.oracle_id for r in corpus.rulings] == ["1"]
    assert [n.oracle_id for n in corpus.names()] == ["1"]
    assert {n.oracle_id for n in corpus.names(tokens=True)} == {"0", "1"}


def test_cards_without_ids_get_stable_ones_and_join_those_with_ids() -> None:
    nameless = whole("Lim-Dûl", [Face("Lim-Dûl")], layout="")
    first, second = merge(nameless).cards, merge(MIMIC, nameless).cards
    (made,) = first
    assert made in second
    assert first[made].layout == "normal"
    joined = merge(nameless, replace(MIMIC, name="Lim-Dul"))
    assert list(joined.cards) == ["1"]


def test_records_of_one_card_fill_each_other() -> None:
    name_only = Card("Left // Right", "2", "", sets=("B",))
    half = whole("Left // Right", [Face("Left", power="1")], oracle_id="2", layout="normal", sets=("A",))
    wanted = replace(SPLIT, faces=(Face("Left", text="One.", power="1"), SPLIT.faces[1]), sets=("A", "B"))
    assert merge(name_only, half, SPLIT).cards == merge(SPLIT, half, name_only).cards == {"2": wanted}
    assert [f.name for f in merge(name_only).cards["2"].faces] == ["Left", "Right"]


def test_printings_find_their_card_by_the_english_name_and_halves_their_face() -> None:
    corpus = merge(
        SPLIT,
        Printing("Right", "de", "Rechts"),
        Printing("Left // Right", "de", "Links", "2", "Satz."),
        Printing("Left // Right", "de", "Links // Rechts", "2"),
        Printing("Left", "de", "Links", "2"),
        Printing("Nobody", "de", "Niemand"),
    )
    assert [(p.name, p.printed_name, p.printed_text, p.oracle_id) for p in corpus.printings["2"]] == [
        ("Left", "Links", "Satz.", "2"),
        ("Left // Right", "Links // Rechts", "", "2"),
        ("Right", "Rechts", "", "2"),
    ]
    assert corpus.report.counts["Printing of an unknown card"] == 1


POOL: list[Record] = [
    MIMIC,
    SPLIT,
    Card("Mimic", "1", "", sets=("A",)),
    replace(MIMIC, oracle_id=None, sets=("B",)),
    Printing("Right", "de", "Rechts"),
    Printing("Left // Right", "fr", "Gauche // Droite", "2"),
    ruling("It’s so."),
    ruling("It's so.", "house"),
    ruling("It's so.", "page", date(2021, 1, 1), card="Gauche"),
    ruling("Nowhere.", card="Nobody"),
    ruling("Both.", oracle_id="2", face="Left"),
]


@given(st.lists(st.sampled_from(POOL), max_size=14), st.randoms(use_true_random=False))
def test_order_does_not_matter(records: list[Record], chance: random.Random) -> None:
    shuffled = records.copy()
    chance.shuffle(shuffled)
    one, two = merge(*records), merge(*shuffled)
    for part in ("cards", "printings", "rulings", "statements"):
        assert repr(getattr(one, part)) == repr(getattr(two, part))
    assert sorted(p.reason for p in one.report.problems) == sorted(p.reason for p in two.report.problems)


def test_real_sources_of_one_set_join(data: Path) -> None:
    """The same set in two versions and the saved pages: no ruling twice, all of a page on one card."""
    paths = [
        data / "mtgjson" / "RNA.v4.json",
        data / "mtgjson" / "RNA.json",
        data / "mtgjson" / "C18.json",
        data / "pages",
    ]
    forth, back = build_corpus(paths), build_corpus(paths[::-1])
    assert forth.rulings == back.rulings
    assert list(forth.statements.items()) == list(back.statements.items())
    on = {forth.cards[r.oracle_id].name for r in forth.rulings}
    assert {"Repudiate // Replicate", "Tawnos, Urza's Apprentice"} <= on
    assert len({(r.oracle_id, r.published, r.key) for r in forth.rulings}) == len(forth.rulings)


def test_a_house_rule_of_a_later_day_is_no_new_edition():
    from datetime import date

    from rulings.ingest import CorpusBuilder, Place, Rule

    builder = CorpusBuilder()
    for n in range(30):
        builder.add(Rule(f"100.{n}", "A rule.", date(2026, 2, 27)), Place("book"))
    builder.add(Rule("999.1", "Our own rule.", date(2027, 1, 1)), Place("house"))
    corpus = builder.finish()
    assert corpus.newest.effective == date(2026, 2, 27)
    assert set(corpus.editions) == {date(2026, 2, 27), date(2027, 1, 1)}


def test_an_endless_ruling_is_passed_over():
    from datetime import date

    from rulings.ingest import Card, CorpusBuilder, Place, Ruling

    builder = CorpusBuilder()
    builder.add(Card("One", "one"), Place("made-up"))
    builder.add(Ruling("long " * 30_000, date(2026, 1, 1), "house", "one"), Place("made-up", "line 2"))
    corpus = builder.finish()
    assert not corpus.statements
    assert [str(problem.place) for problem in corpus.report.problems] == ["made-up, line 2"]
