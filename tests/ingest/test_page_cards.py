"""Which card a saved page is about."""

from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from rulings.ingest.corpus import Corpus
from rulings.ingest.merge import CorpusBuilder, _names
from rulings.ingest.page_cards import Known, place_pages
from rulings.ingest.read import build_corpus, read_sources
from rulings.ingest.records import Card, Face, Place, Printing, Report, Ruling, SavedPage

AT = Place("page.txt")
DAY = date(2018, 7, 13)
COMMON = ("An ability is copied on the stack.", "The copy has the same source.")
OWN = "Nobody may choose for the copy what was chosen before."


def card(name: str, oracle_id: str, type_line: str = "Creature") -> Card:
    return Card(name, oracle_id, faces=tuple(Face(half) for half in name.split(" // ")), type_line=type_line)


def page(*texts: str, heading: str = "", language: str = "en") -> SavedPage:
    return SavedPage(heading, tuple(Ruling(text, DAY, "page") for text in texts), AT, language)


def build(*pages: SavedPage) -> Corpus:
    builder = CorpusBuilder()
    for record in (
        card("Mirror Smith", "smith"),
        card("Tana, Guild Mage", "tana", "Legendary Creature"),
        card("Tana, the Old", "old", "Legendary Creature"),
        card("Fire // Ice", "fire"),
        card("Flash", "flash", "Instant"),
        Printing("Fire // Ice", "de", "Feuer // Eis", "fire"),
        Printing("Flash", "de", "Aufblitzen", "flash"),
        Printing("Mirror Smith", "de", "Flash", "smith"),
        *(Ruling(text, DAY, "wotc", i) for text in COMMON for i in ("smith", "tana", "old")),
        Ruling(OWN, DAY, "wotc", "tana"),
        Ruling("Pay {X} once more.", DAY, "wotc", "fire"),
        *pages,
    ):
        builder.add(record, AT)
    return builder.finish()


def told(corpus: Corpus, text: str) -> set[str]:
    return {
        i
        for s in corpus.statements.values()
        for r in s.rulings
        if s.text == text and "page" in r.sources
        for i in [r.oracle_id]
    }


@pytest.mark.parametrize(
    ("heading", "language", "oracle_id"),
    [
        ("Mirror Smith", "en", "smith"),
        ("MIRROR SMITH", "fr", "smith"),
        ("Feuer // Eis // Feuer // Eis //", "de", "fire"),
        ("Eis", "de", "fire"),
        ("Feuer / Eis", "de", "fire"),
        ("Mirror Smith – Rulings | A site", "en", "smith"),
        ("Rulings for “Mirror Smith”", "en", "smith"),
        ("A site\nCards\nFire // Ice\nInstant // Instant", "en", "fire"),
        ("Flash", "en", "flash"),
        ("Flash", "de", "smith"),
    ],
)
def test_by_the_heading(heading: str, language: str, oracle_id: str) -> None:
    corpus = build(page("A new wording about it.", heading=heading, language=language))
    assert told(corpus, "A new wording about it.") == {oracle_id}
    assert not corpus.report.problems


def test_known_rulings_outweigh_a_line_that_is_another_cards_name() -> None:
    corpus = build(page(*COMMON, "A new wording.", heading="Flash\nMirror Smith"))
    assert told(corpus, "A new wording.") == {"smith"}


def test_by_rulings_known_on_one_card() -> None:
    corpus = build(page(*COMMON, OWN))
    assert told(corpus, OWN) == {"tana"}
    assert "3 of its 3 rulings are known on it" in corpus.report.notes[0].reason


def test_by_the_short_name_of_a_legend_and_rulings() -> None:
    corpus = build(page("Tana's ability is not a spell.", "Another of Tana's ways.", OWN))
    assert told(corpus, OWN) == {"tana"}


def test_by_the_full_name_in_the_rulings() -> None:
    corpus = build(page("When Mirror Smith leaves, nothing happens.", "More."))
    assert told(corpus, "More.") == {"smith"}


@pytest.mark.parametrize(
    "texts",
    [
        COMMON,
        ("Tana's ability is not a spell.", "Another of Tana's ways."),
        ("Something happens (as with Mirror Smith).", "For example, Mirror Smith stays.", "More."),
        ("Flash is a word here.",),
        ("Nothing is known of this.",),
    ],
)
def test_a_card_that_can_not_be_told_keeps_the_page(texts: tuple[str, ...]) -> None:
    waiting = page(*texts)
    corpus = build(waiting)
    assert corpus.unplaced == (waiting,)
    assert "--card NAME" in corpus.report.problems[0].reason
    assert not any(told(corpus, text) for text in texts)


def test_the_card_that_the_user_names_counts_where_the_page_tells_none() -> None:
    untold, headed = page("Nothing is known of this."), page("A new wording.", heading="Flash")
    corpus = build(replace(untold, card="mirror smith"), replace(headed, card="Mirror Smith"))
    assert told(corpus, "Nothing is known of this.") == {"smith"}
    assert told(corpus, "A new wording.") == {"flash"}
    assert "named by the user" in corpus.report.notes[0].reason


def test_a_misspelt_card_of_the_user_is_a_problem() -> None:
    corpus = build(replace(page("Nothing is known of this."), card="Mirror Smit"))
    assert "'Mirror Smit'" in corpus.report.problems[0].reason
    assert len(corpus.unplaced) == 1


def test_a_kept_page_is_placed_by_a_later_build() -> None:
    (kept,) = build(page("Nothing is known of this.")).unplaced
    corpus = build(SavedPage("Mirror Smith", kept.rulings, kept.place))
    assert told(corpus, "Nothing is known of this.") == {"smith"}
    assert not corpus.unplaced


def test_a_lost_symbol_is_restored_and_recorded() -> None:
    corpus = build(page("Pay once more.", heading="Mirror Smith"))
    (ruling,) = [r for r in corpus.rulings if r.oracle_id == "smith" and r.restored]
    assert corpus.statements[ruling.key].text == "Pay {X} once more."
    assert ruling.restored.startswith("{X} restored from ruling ")


def test_the_order_of_reading_does_not_matter() -> None:
    first, second = page(*COMMON, OWN), page("A new wording.", heading="Flash")
    assert build(first, second).rulings == build(second, first).rulings


def of_pages(corpus: Corpus, name: str, days: set[date]) -> list[str]:
    """The texts published on a card on some days."""
    return [
        corpus.statements[r.key].text
        for r in corpus.rulings
        if corpus.cards[r.oracle_id].name == name and r.published in days
    ]


GERMAN, FRENCH = {date(2022, 12, 8), date(2024, 1, 12)}, {date(2018, 7, 13)}


def test_both_real_pages_with_a_few_sets(data: Path) -> None:
    corpus = build_corpus([data / "mtgjson", data / "rules" / "2022-02-18.txt", data / "pages"])
    assert corpus.unplaced == ()
    assert len(of_pages(corpus, "Repudiate // Replicate", GERMAN)) == 17
    assert len(of_pages(corpus, "Tawnos, Urza's Apprentice", FRENCH)) >= 11
    (restored,) = [r for r in corpus.rulings if r.restored]
    assert "{X}" in corpus.statements[restored.key].text


@pytest.mark.parametrize("with_headings", [True, False])
def test_both_real_pages_with_the_large_corpus(data: Path, full: Corpus, with_headings: bool) -> None:
    read = [record for record, _ in read_sources([data / "pages"], Report()) if isinstance(record, SavedPage)]
    pages = [page if with_headings else replace(page, heading="") for page in read]
    published = [
        (r.oracle_id, Ruling(full.statements[r.key].text, r.published, r.sources[0], r.oracle_id)) for r in full.rulings
    ]
    by_name = _names(dict(full.cards), dict(full.printings) if with_headings else {})
    placed, unplaced = place_pages(pages, Known(full.cards, full.printings, by_name, published), Report())
    assert unplaced == ()
    counts = Counter((full.cards[i].name, ruling.published.year) for i, ruling in placed)
    assert counts == {
        ("Repudiate // Replicate", 2022): 7,
        ("Repudiate // Replicate", 2024): 10,
        ("Tawnos, Urza's Apprentice", 2018): 11,
    }
    assert ["{X}" in ruling.text for _, ruling in placed if ruling.restored] == [True]


@pytest.mark.parametrize("heading", ["//", " / / ", "Flash\n//", "| // |"])
def test_a_heading_of_nothing_but_strokes_names_no_card(heading: str) -> None:
    corpus = build(page("A new wording about it.", heading=heading))
    assert len(corpus.unplaced) + len(corpus.rulings) >= 1
