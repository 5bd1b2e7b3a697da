"""Card names in questions."""

from datetime import date
from pathlib import Path

import pytest

from rulings.ingest import Card, CorpusBuilder, Face, Place, Printing, Ruling
from rulings.search.name_table import read_name_table, write_name_table
from rulings.search.question_names import NameReader

CARDS = {
    "Garruk's Uprising": "Enchantment",
    "Krark, the Thumbless": "Legendary Creature",
    "Thalia, Heretic Cathar": "Legendary Creature",
    "Thalia, Guardian of Thraben": "Legendary Creature",
    "Skyclave Apparition": "Creature",
    "Clone": "Creature",
    "Exile": "Instant",
    "Opposition": "Enchantment",
    "Appeal // Authority": "Sorcery // Sorcery",
    "Lim-Dûl's Vault": "Instant",
    "Thieving Skydiver": "Creature",
}


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> tuple[NameReader, list[str]]:
    builder, place = CorpusBuilder(), Place("made-up")
    for n, (name, line) in enumerate(CARDS.items()):
        faces = tuple(Face(part) for part in name.split(" // "))
        builder.add(Card(name, f"id{n:02}", faces=faces, type_line=line, text="Exile it. Draw a card."), place)
        plain = f"You may exile it, clone number {n}, and exile another creature with the ability."
        builder.add(Ruling(plain, date(2020, 1, 1), "wotc", f"id{n:02}"), place)
    builder.add(Printing("Thieving Skydiver", "de", "Diebische Himmelstaucherin", "id10"), place)
    builder.add(Printing("Exile", "de", "Lebe schnell", "id06"), place)
    builder.add(Printing("Opposition", "de", "Leben und Tod", "id07"), place)
    builder.add(Printing("Clone", "fr", "L'Apparence de l'autre", "id05"), place)
    corpus = builder.finish()
    folder: Path = tmp_path_factory.mktemp("names")
    write_name_table(folder, corpus)
    return NameReader(read_name_table(folder)), [card.name for card in corpus.cards.values()]


@pytest.mark.parametrize(
    ("question", "language", "name"),
    [
        ("Walking Ballista with Garruks Uprising on the table, draw or no?", "en", "Garruk's Uprising"),
        ("krark and a copied spell", "en", "Krark, the Thumbless"),
        ("opp has heretic thalia, tapped or untapped?", "en", "Thalia, Heretic Cathar"),
        ("bolts my Skyclave Apparation in response", "en", "Skyclave Apparition"),
        ("does Authority flash back?", "en", "Appeal // Authority"),
        ("lim-dul's vault at 1 life", "en", "Lim-Dûl's Vault"),
        ("opposition: do the creatures need to be there", "en", "Opposition"),
        ("Hab mit der Diebischen Himmelstaucherin was geklaut", "de", "Thieving Skydiver"),
        ("si je copie avec l'apparence de l'autre ?", "fr", "Clone"),
        ("my guy got Skyclave Apparitioned", "en", "Skyclave Apparition"),
        ("I'm Garruk's Uprising'd up", "en", "Garruk's Uprising"),
    ],
)
def test_read_finds_the_card(reader: tuple[NameReader, list[str]], question: str, language: str, name: str) -> None:
    found = reader[0].read(question, language)
    assert found
    assert reader[1][found[0].card] == name
    assert found[0].strength > 0.4


@pytest.mark.parametrize("question", ["do I exile it first?", "what about the ability of another creature", "", "???"])
def test_read_takes_common_words_for_no_name(reader: tuple[NameReader, list[str]], question: str) -> None:
    assert [named for named in reader[0].read(question, "en") if named.strength > 0.4] == []


def test_read_is_surer_of_an_exact_name_than_of_a_shared_first_name(reader: tuple[NameReader, list[str]]) -> None:
    exact = reader[0].read("does Thalia, Guardian of Thraben tax me", "en")
    short = reader[0].read("does thalia tax me", "en")
    assert exact[0].strength > max(named.strength for named in short)
    assert {reader[1][named.card] for named in short} == {"Thalia, Heretic Cathar", "Thalia, Guardian of Thraben"}


def test_another_form_of_an_ordinary_word_names_no_card(reader: tuple[NameReader, list[str]]) -> None:
    names = reader[0]._table
    usual = {word: names.ordinary[names.positions[word]] for word in ("leben", "lebe")}
    assert usual["leben"] > 0.9
    assert usual["lebe"] < 0.1
    found = reader[0].read("Was ist, wenn ich Leben bezahle?", "de")
    assert [named for named in found if reader[1][named.card] == "Exile" and named.strength > 0.4] == []
    found = reader[0].read("Was macht Lebe schnell?", "de")
    assert reader[1][found[0].card] == "Exile"


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Clone", True),
        ("clone", False),
        ("Clone Skyclave Apparition", True),
        ("Clone vs Skyclave Apparition?", True),
        ("Clone my Skyclave Apparition now", False),
        ("clone Skyclave Apparition", False),
        ("Clone it", False),
    ],
)
def test_a_common_word_that_begins_a_list_of_names_may_be_one(
    reader: tuple[NameReader, list[str]], question: str, named: bool
) -> None:
    found = {reader[1][card.card]: card.strength for card in reader[0].read(question, "en")}
    assert (found.get("Clone", 0) > 0.4) == named
