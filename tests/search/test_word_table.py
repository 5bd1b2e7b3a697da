"""Words learned from cards printed in two languages."""

from datetime import date
from pathlib import Path

from rulings.ingest import Card, CorpusBuilder, Place, Printing, Ruling
from rulings.search.word_table import learn_words, printed_pairs, write_word_table

PAIRS = [
    (["friedhof", "karte"], ["graveyard", "card"]),
    (["karte", "ziehe"], ["card", "draw"]),
    (["friedhof", "lege"], ["graveyard", "put"]),
    (["kreatur", "zerstore"], ["creature", "destroy"]),
    (["karte", "lege"], ["card", "put"]),
    (["kreatur", "friedhof"], ["creature", "graveyard"]),
]


def test_learn_words_pairs_each_word_with_its_own() -> None:
    table = learn_words(PAIRS, rounds=20)
    assert table["friedhof"][0][0] == "graveyard"
    assert table["karte"][0][0] == "card"
    assert table["friedhof"][0][1] > 0.8


def test_learn_words_of_nothing_is_empty() -> None:
    assert learn_words([]) == {}


def test_printed_pairs_and_the_written_table(tmp_path: Path) -> None:
    builder, place = CorpusBuilder(), Place("made-up")
    for n in range(4):
        builder.add(Card(f"Card {n}", f"id{n}", type_line="Instant", text="Counter target spell.\nDraw a card."), place)
        text = "Neutralisiere einen Zauberspruch deiner Wahl.\nZiehe eine Karte."
        builder.add(Printing(f"Card {n}", "de", f"Karte {n}", f"id{n}", printed_text=text), place)
        builder.add(Ruling(f"Ruling {n}.", date(2020, 1, 1), "wotc", f"id{n}"), place)
    corpus = builder.finish()
    pairs = list(printed_pairs(corpus, "de"))
    assert (("eine", "karte", "ziehe"), ("card", "draw")) in pairs
    write_word_table(tmp_path, corpus)
    lines = dict(line.split("\t") for line in (tmp_path / "learned.de.tsv").read_text("utf-8").splitlines())
    assert lines["karte"].startswith("card:")
    assert (tmp_path / "learned.fr.tsv").read_text("utf-8") == ""
