"""Saved pages: real ones whole, made-up ones in each language and habit of writing dates."""

import io
from datetime import date
from pathlib import Path

import pytest

from rulings.ingest.errors import SourceError
from rulings.ingest.pages import PageReader
from rulings.ingest.reader import Head
from rulings.ingest.records import Place, Report, SavedPage

ONE = "The copy keeps the value that was chosen for X when the spell was cast."
TWO = "A token made this way leaves the battlefield like any other creature."
THREE = "You may choose new targets for the copy, but you don't have to."
RULINGS = (ONE, TWO, THREE)


def read(text: str | bytes, name: str = "page.txt", card: str | None = None) -> tuple[SavedPage, Report]:
    data = text.encode() if isinstance(text, str) else text
    report = Report()
    assert PageReader().matches(Head(data, name))
    ((page, _),) = PageReader(card).read(io.BytesIO(data), Place(name), report)
    assert isinstance(page, SavedPage)
    return page, report


def texts(page: SavedPage) -> tuple[str, ...]:
    return tuple(ruling.text for ruling in page.rulings)


def days(page: SavedPage) -> tuple[date, ...]:
    return tuple(ruling.published for ruling in page.rulings)


def test_german_page_comes_in_whole(data: Path) -> None:
    page, report = read((data / "pages" / "repudiate-replicate.de.txt").read_bytes(), "repudiate-replicate.de.txt")
    assert days(page) == (date(2022, 12, 8),) * 7 + (date(2024, 1, 12),) * 10
    assert page.language == "de"
    assert page.heading.startswith("Refüsieren // Replizieren")
    assert all(text[0].isupper() and text.endswith((".", ")")) for text in texts(page))
    assert not any("Klarstellungen" in text for text in texts(page))
    assert not report.problems


def test_french_page_comes_in_whole(data: Path) -> None:
    page, report = read((data / "pages" / "tawnos.fr.txt").read_bytes(), "tawnos.fr.txt")
    assert days(page) == (date(2018, 7, 13),) * 11
    assert page.language == "fr"
    assert page.heading == ""
    assert {ruling.source for ruling in page.rulings} == {"wotc"}
    assert not any("source" in text.split(".")[0] and "wotc" in text for text in texts(page))
    assert not any("Clarifications" in text for text in texts(page))
    assert not report.problems


WRITTEN = {
    "en month name": ("en", "July 8, 2018"),
    "en short month": ("en", "Jul. 8th, 2018"),
    "en numbers": ("en", "07/08/2018"),
    "iso": ("en", "2018-07-08"),
    "de numbers": ("de", "08.07.2018"),
    "de month": ("de", "8. Juli 2018"),
    "fr month": ("fr", "8 juillet 2018"),
    "fr numbers": ("fr", "08/07/2018"),
    "es month": ("es", "8 de julio de 2018"),
    "es numbers": ("es", "8/7/2018"),
    "it month": ("it", "8 luglio 2018"),
    "it numbers": ("it", "08-07-2018"),
    "pt month": ("pt", "8 de julho de 2018"),
    "pt numbers": ("pt", "08/07/2018"),
}
AROUND = {
    "en": "These are the answers that the site has collected for this card.",
    "de": "Die Antworten auf dieser Seite sind von uns und nicht von dem Verlag.",
    "fr": "Les réponses de cette page sont dans la langue du site pour les joueurs.",
    "es": "Las respuestas de esta página son para los jugadores y no del editor.",
    "it": "Le risposte di questa pagina sono per i giocatori e non del editore.",
    "pt": "As respostas desta página são para os jogadores e não do editor.",
}
SHAPES = {
    "glued before": "{h}\n\n• {d}{0}\n• {d}{1}\n• {d}{2}\n\n{a}",
    "dashed before": "{h}\n- {d}: {0}\n- {d}: {1}\n- {d}: {2}\n{a}",
    "own line before": "{a}\n{d}\n{0}\n{d}\n{1}\n{d}\n{2}",
    "own line before, labelled": "{h}\n\n{a}\n\n{d} · source : wotc\n{0}\n\n{d} · source : wotc\n{1}"
    "\n\n{d} · source : wotc\n{2}\n\n{a}",
    "own line after": "{h}\n\n{0}\n({d})\n\n{1}\n({d})\n\n{2}\n({d})\n\n{a}",
    "glued after": "{h}\n{a}\n\n{0} ({d})\n{1} ({d})\n{2} ({d})\n\n{a}",
    "glued after without a blank": "{a}\n{0} — {d}\n{1} — {d}\n{2} — {d}\n{a}",
    "table": "{h}\n| {d} | {0} |\n| {d} | {1} |\n| {d} | {2} |\n\n{a}",
    "bold": "# {h}\n\n* **{d}** {0}\n* **{d}** {1}\n* **{d}** {2}\n\n{a}",
    "numbered": "{h}\n1. {d} {0}\n2. {d} {1}\n3. {d} {2}\n\n{a}",
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("writing", WRITTEN)
def test_each_language_and_habit(writing: str, shape: str) -> None:
    language, day = WRITTEN[writing]
    text = SHAPES[shape].format(*RULINGS, d=day, h="Clone", a=AROUND[language])
    page, report = read(text)
    assert texts(page) == RULINGS
    assert days(page) == (date(2018, 7, 8),) * 3
    assert page.language == language
    assert not report.problems
    if "{h}" in SHAPES[shape]:
        assert "Clone" in page.heading


def test_html_keeps_symbols_and_drops_scripts() -> None:
    page, _ = read(
        "<!DOCTYPE html><html lang='es'><head><title>Clon | Reglas</title><style>p{}</style></head>"
        "<body><nav><a>Inicio</a></nav>"
        "<h1>Clon</h1><script>var d='2018-07-08 nada.';</script><ul>"
        "<li><b>08/07/2018</b> A spell with <img alt='{X}' src='x.svg'> in its cost &amp; more.</li>"
        "<li><b>13/07/2018</b> This costs <i class='ms ms-2 ms-cost'></i><i class='ms ms-u'></i>"
        " to cast\n again.</li></ul>"
        "<footer>© 2018 Un sitio</footer></body></html>",
        "clon.html",
    )
    assert texts(page) == ("A spell with {X} in its cost & more.", "This costs {2}{U} to cast again.")
    assert days(page) == (date(2018, 7, 8), date(2018, 7, 13))
    assert page.language == "es"
    assert page.heading.splitlines()[0] == "Clon"


def test_html_with_the_date_in_a_paragraph_of_its_own_after_the_ruling() -> None:
    items = "".join(f"<div class='item'><p>{text}</p>\n<p class='date'>(2018-07-08)</p></div>" for text in RULINGS)
    page, _ = read(
        f"<html><body><h1>Clone</h1><div>Notes and Rules</div>{items}"
        "<footer><p>Made by fans.</p></footer></body></html>"
    )
    assert texts(page) == RULINGS


def test_html_table_of_numbers_with_a_word_for_the_symbol() -> None:
    icon = "<img alt='Variable Colorless' src='i.ashx?type=symbol'>"
    row = f"<tr><td class='day'>7/13/2018</td><td>A spell with {icon} in its mana cost.</td></tr>"
    page, _ = read(
        f"<html lang='en-US'><body><div>Clone</div><table>{row}{row.replace('A spell', 'A card')}</table></body></html>"
    )
    assert texts(page) == ("A spell with {X} in its mana cost.", "A card with {X} in its mana cost.")
    assert days(page) == (date(2018, 7, 13),) * 2


def test_wrapped_lines_are_joined() -> None:
    page, _ = read(
        f"Clone\n\n2018-07-08\nThe copy keeps the value that was\nchosen for X when the spell was cast.\n\n"
        f"2018-07-09\n{TWO}\n"
    )
    assert texts(page) == (ONE, TWO)


@pytest.mark.parametrize("listed", ["• {}\n• {}\n• {}\n", "- {}\n\n- {}\n\n- {}\n", "{}\n\n{}\n\n{}\n"])
@pytest.mark.parametrize("more", ["", "\nMarch 3, 2020\n• A later one is here, about tokens.\n"])
def test_one_date_may_head_several_rulings(listed: str, more: str) -> None:
    page, _ = read("Clone\n\nJuly 8, 2018\n" + listed.format(*RULINGS) + more + "\nHome | Cards | About\n")
    assert texts(page)[:3] == RULINGS
    assert days(page)[:3] == (date(2018, 7, 8),) * 3
    assert len(page.rulings) == (4 if more else 3)


@pytest.mark.parametrize(
    "text", ["-1/-1 counters stay on it.", "(This is rarely of use to a player.)", "[+1]: Draw a card."]
)
def test_signs_that_belong_to_the_text_stay(text: str) -> None:
    for shape in ("{d} {t}\n", "{d}: {t}\n", "{d}\n{t}\n", "{t}\n({d})\n\n", "{t} ({d})\n", "• {d}{t}\n"):
        page, _ = read("Clone\n\n" + shape.format(d="July 8, 2018", t=text) + shape.format(d="July 8, 2018", t=ONE))
        assert texts(page) == (text, ONE)


def test_one_date_over_thirteen_tells_the_order_for_all() -> None:
    page, _ = read(f"Clone\n08/07/2018 {ONE}\n08/27/2018 {TWO}\n")
    assert days(page) == (date(2018, 8, 7), date(2018, 8, 27))
    page, _ = read(f"Clone\n08/07/2018 {ONE}\n27/08/2018 {TWO}\n")
    assert days(page) == (date(2018, 7, 8), date(2018, 8, 27))


def test_american_order_is_noted_where_nothing_tells() -> None:
    _, report = read(f"Clone\n08/07/2018 {ONE}\n08/09/2018 {TWO}\n")
    assert "month/day/year" in report.notes[0].reason


def test_a_day_that_is_not_in_the_calendar_is_a_problem_with_its_line() -> None:
    page, report = read(f"Clone\n31.02.2018 {ONE}\n01.03.2018 {TWO}\n02.03.2018 {THREE}\n")
    assert texts(page) == (TWO, THREE)
    assert report.problems[0].place.position == "line 2"


def test_a_date_of_last_change_is_no_ruling() -> None:
    page, _ = read(f"Clone\nUpdated 2024-01-05\n\n2018-07-08 {ONE}\n2018-07-08 {TWO}\n\nPage saved on 2024-02-01\n")
    assert texts(page) == (ONE, TWO)


def test_card_given_by_the_user_goes_with_the_page() -> None:
    page, _ = read(f"Something\n2018-07-08 {ONE}\n2018-07-08 {TWO}\n", card="Clone")
    assert (page.heading, page.card) == ("Something", "Clone")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Just a note about a card.\n",
        "2024-01-05 went to the shop and bought some bread and milk.\n2024-01-06 came home late in the evening.\n",
        "2024-01-05 10:22:01 INFO started\n2024-01-05 10:22:02 INFO card loaded\n",
        '{"published_at": "2018-07-08", "comment": "A card."}\n',
        "## 0.2.0 - 2024-01-05\n\n- Show a card.\n\n## 0.1.0 - 2023-01-05\n\n- First release\n",
    ],
)
def test_other_texts_are_not_claimed(text: str) -> None:
    assert not PageReader().matches(Head(text.encode()))


def test_text_without_a_dated_ruling_is_refused() -> None:
    with pytest.raises(SourceError, match="no ruling with a date"):
        list(PageReader().read(io.BytesIO(b"nothing here"), Place("page.txt"), Report()))
