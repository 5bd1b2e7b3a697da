"""Reader of the Comprehensive Rules as published, in any edition since 2003."""

import re
from collections.abc import Iterator
from datetime import date
from typing import BinaryIO

from rulings.ingest.decoding import decode, lines, read_text
from rulings.ingest.errors import SourceError
from rulings.ingest.page_dates import english_date, file_date
from rulings.ingest.reader import Head
from rulings.ingest.records import GlossaryEntry, Place, Record, Report, Rule
from rulings.ingest.rules_book import Entry, body_start, entries, heading, numbered
from rulings.ingest.rules_glossary import glossary
from rulings.ingest.rules_references import references, resolve

_TITLE = re.compile(r"comprehensive\s+rules", re.IGNORECASE)
_EFFECTIVE = re.compile(r"\beffective\b", re.IGNORECASE)
_DATED = re.compile(r"\b(?:as of|dated?|updated?|revised|revision|published|version)\b", re.IGNORECASE)
_WORD = re.compile(r"[^a-z ]+")
_GLOSSARY = frozenset({"glossary", "the glossary", "glossary of terms", "comprehensive rules glossary"})
_AFTER_GLOSSARY = frozenset({"credits", "customer service information", "rulings contributors"})


class RulesTextReader:
    """Reads a rules book: its rules in book order, then its glossary.

    The edition is the day on which the rules take effect, as the text says, else the day in the file's name.
    """

    kind = "Comprehensive Rules text"

    def matches(self, head: Head) -> bool:
        """Whether the text has the title of the rules near its top, or many lines that start with rule numbers."""
        start = [line for line in lines(decode(head.data)) if line.strip()]
        counted = sum(1 for line in start if numbered(line) or _is_chapter(line))
        titled = any(_TITLE.search(line) and len(line) < 120 for line in start[:8])
        return counted >= (2 if titled else 8) and counted * 8 >= len(start)

    def read(self, stream: BinaryIO, place: Place, report: Report) -> Iterator[tuple[Record, Place]]:
        """Yield each `Rule`, then each `GlossaryEntry`.

        Raises:
            SourceError: there is no rule in it, or no day of effect in its text or name.
            LimitError: it is too large to be a rules book.
        """
        text = lines(read_text(stream, place))
        start = body_start(text)
        if start is None:
            raise SourceError(f"{place}: no numbered rule found; is this the text edition of the Comprehensive Rules?")
        edition = _edition(text[:start], place)
        glossary_at, end = _parts(text, start)

        def mended(entry: Entry, reason: str) -> None:
            report.note(Place(place.file, f"line {entry.line + 1}"), reason)

        book = {entry.number: entry for entry in entries(text, start, glossary_at, mended)}
        yield from _rules(book, edition, place)
        if glossary_at == end:
            report.problem(place, "the rules have no glossary at their end; the file may be cut short")
        elif end == len(text):
            report.note(place, "no credits stand after the glossary; if the edition has them, the file is cut short")
        yield from _glossary(text[:end], glossary_at + 1, book, edition, place, report)


def _is_chapter(line: str) -> bool:
    title = heading(line)
    return title is not None and len(title[0]) == 3


def _edition(intro: list[str], place: Place) -> date:
    """The day of effect: on a line that says "effective", else on one that tells its date, else in the file's name."""
    filled = [line for line in intro if line.strip()]
    # A sentence may be wrapped: look at each line together with the next.
    pairs = [f"{line} {after}" for line, after in zip(filled, [*filled[1:], ""], strict=False)]
    for marker in (_EFFECTIVE, _DATED):
        for pair in pairs:
            found = marker.search(pair)
            day = english_date(pair[found.end() :]) if found else None
            if day:
                return day
    day = file_date(place.file) or next((d for d in map(english_date, filled[:12]) if d), None)
    if day is None:
        raise SourceError(
            f"{place}: no day of effect in the text; put it in the file's name, as in MagicCompRules-20260227.txt"
        )
    return day


def _parts(text: list[str], start: int) -> tuple[int, int]:
    """The index of the glossary's head and that of the first line after the glossary (the same where there is none)."""
    end = next((n for n in range(len(text) - 1, start, -1) if _bare(text[n]) == "credits"), None)
    at = next((n for n in range(start, len(text)) if _bare(text[n]) in _GLOSSARY), None)
    if at is None:
        end = len(text) if end is None else end
        return end, end
    end = next((n for n in range(at, len(text)) if _bare(text[n]) in _AFTER_GLOSSARY), len(text))
    return at, end


def _bare(line: str) -> str:
    return _WORD.sub("", line.casefold()).strip() if len(line) < 60 else ""


def _rules(book: dict[str, Entry], edition: date, place: Place) -> Iterator[tuple[Record, Place]]:
    for number, entry in book.items():
        text, examples = entry.text, entry.examples
        whole = "\n".join((text, *examples))
        see = tuple(n for n in resolve(references(whole), book) if n != number) if not entry.is_heading else ()
        rule = Rule(number, text, edition, _parent(number, book), examples, see)
        yield rule, Place(place.file, f"rule {number}")


def _parent(number: str, book: dict[str, Entry]) -> str | None:
    """The nearest number above that is in the book."""
    chapter = number.split(".", maxsplit=1)[0]
    above = (
        number[:-1] if number[-1].isalpha() else "",
        chapter if chapter != number else "",
        number[0] if len(number) > 1 else "",
    )
    return next((n for n in above if n in book), None)


def _glossary(
    text: list[str], start: int, book: dict[str, Entry], edition: date, place: Place, report: Report
) -> Iterator[tuple[Record, Place]]:
    found: dict[str, tuple[int, str]] = {}
    for n, term, meaning in glossary(text[start:]):
        at, known = found.get(term, (start + n, ""))
        found[term] = at, f"{known}\n{meaning}" if known else meaning
    for term, (at, meaning) in found.items():
        position = Place(place.file, f"line {at + 1}")
        if meaning:
            yield GlossaryEntry(term, meaning, edition, resolve(references(meaning), book)), position
        else:
            report.problem(position, f"glossary head {term!r} has no text")
