"""Reader of saved ruling pages, text or HTML, in six languages."""

import re
from collections.abc import Iterator
from typing import BinaryIO

from rulings.ingest.decoding import decode, read_text
from rulings.ingest.errors import SourceError
from rulings.ingest.page_blocks import Blocks, blocks, is_sentence
from rulings.ingest.page_dates import LANGUAGES, WrittenDate
from rulings.ingest.page_language import language_of
from rulings.ingest.page_text import PageText, page_text
from rulings.ingest.reader import Head
from rulings.ingest.records import Place, Record, Report, Ruling, SavedPage

# The game's plainest words in each language: a page that has none of them is no ruling page.
_GAME = re.compile(
    r"\b(?:cards?|creatures?|spells?|abilit(?:y|ies)|players?|mana|tokens?|battlefield|graveyard|counters?|damage"
    r"|karten?|kreatur(?:en)?|zauberspr\w+|fähigkeit(?:en)?|spieler\w*|cartes?|créatures?|sorts?|capacités?|joueurs?"
    r"|cartas?|criaturas?|hechizos?|habilidad(?:es?)?|jugador(?:es)?|creatur[ae]|mag(?:ia|ie)|abilità|giocator[ei]"
    r"|mágicas?|jogador(?:es)?)\b",
    re.IGNORECASE,
)
_PUBLISHER = re.compile(r"\bwotc\b|wizards of the coast", re.IGNORECASE)


class PageReader:
    """Reads one page into one `SavedPage`, whose card the corpus then tells.

    ``card`` is the card's name where the user gave it; it counts where a page doesn't tell its card.
    """

    kind = "saved ruling page"

    def __init__(self, card: str | None = None) -> None:
        self.card = card

    def matches(self, head: Head) -> bool:
        """Whether it has dated rulings: two, or one below a heading, most of them sentences, some about the game."""
        text = decode(head.data)
        if "\0" in text[:1000] or text.lstrip()[:1] in {"{", "["}:
            return False
        found = blocks(page_text(text).lines)
        texts = [block.text for block in found.dated if block.text]
        sentences = [t for t in texts if is_sentence(t) and len(t) >= 25]
        enough = len(sentences) >= 2 or (len(sentences) == 1 and 0 < len(found.before) <= 40)
        return enough and len(sentences) * 2 >= len(texts) and any(_GAME.search(t) for t in sentences)

    def read(self, stream: BinaryIO, place: Place, report: Report) -> Iterator[tuple[Record, Place]]:
        """Yield the page.

        Raises:
            SourceError: no dated ruling is in it.
            LimitError: it is too large to be a page.
        """
        page = page_text(read_text(stream, place))
        found = blocks(page.lines)
        language = _language(page, found, place)
        month_first = _month_first([b.written for b in found.dated], language)
        rulings = tuple(_rulings(found, month_first, place, report))
        if not rulings:
            raise SourceError(f"{place}: no ruling with a date found on the page; save it with its rulings shown")
        if _is_ambiguous(found, month_first):
            report.note(place, "the page's dates were read as month/day/year")
        yield SavedPage(_heading(page, found), rulings, place, language, self.card or ""), place


def _rulings(found: Blocks, month_first: bool, place: Place, report: Report) -> Iterator[Ruling]:
    outside = any(_PUBLISHER.search(text) for text in found.outside)
    for block in found.dated:
        position = Place(place.file, f"line {block.line + 1}")
        published = block.written.read(month_first=month_first)
        if published is None:
            report.problem(position, f"a ruling's date is not in the calendar; correct it: {block.text[:60]!r}")
        elif not block.text:
            report.problem(position, f"the date {published} has no ruling beside it")
        else:
            source = "wotc" if outside or _PUBLISHER.search(block.extra) else "page"
            yield Ruling(block.text, published, source)


def _heading(page: PageText, found: Blocks) -> str:
    """The lines that may name the card, one a line: the page's titles, then the short lines before the first ruling."""
    short = [line for line in found.before if len(line) <= 160 and not is_sentence(line)]
    return "\n".join(dict.fromkeys([*page.titles, *short[:40]]))


def _language(page: PageText, found: Blocks, place: Place) -> str:
    """By the markup, the months' names, the file's name, the words around the rulings, and those of the rulings."""
    if page.language in LANGUAGES:
        return page.language
    fitting = set(LANGUAGES)
    for block in found.dated:
        if block.written.languages:
            fitting &= block.written.languages
    if len(fitting) == 1:
        return fitting.pop()
    among = sorted(fitting) or LANGUAGES
    marked = [part for part in re.split(r"[._-]", re.split(r"[/\\!]", place.file)[-1].casefold()) if part in among]
    if marked:
        return marked[-1]
    outside = [text for text in found.outside if is_sentence(text) or len(text.split()) > 3]
    return language_of(outside, among) or language_of((b.text for b in found.dated), among) or "en"


def _month_first(written: list[WrittenDate], language: str) -> bool:
    """Whether numbers stand with the month first (07/13/2018): as any date shows, else as the language writes."""
    if any(d.first > 12 for d in written):
        return False
    if any(d.second > 12 for d in written):
        return True
    return language == "en" and not any(d.separator == "." for d in written)


def _is_ambiguous(found: Blocks, month_first: bool) -> bool:
    numbers = [b.written for b in found.dated if b.written.first]
    return month_first and bool(numbers) and not any(d.second > 12 or d.first == d.second for d in numbers)
