"""Merging of records into a corpus."""

import uuid
from collections import defaultdict
from dataclasses import replace
from datetime import date

from rulings.ingest.corpus import Corpus, Edition, PublishedRuling, Statement
from rulings.ingest.merge_cards import completed, merged, on_faces
from rulings.ingest.page_cards import Known, place_pages
from rulings.ingest.records import (
    Card,
    GlossaryEntry,
    Place,
    Printing,
    Record,
    Report,
    Rule,
    Ruling,
    SavedPage,
)
from rulings.ingest.text import fold_name, key

_MADE_UP = uuid.UUID("5c1b2f0e-7a51-5b0c-9d0e-0d7f0a6b1c11")


LONGEST_RULING = 100_000
"""Characters of a ruling; the longest official one has 5,325."""


class CorpusBuilder:
    """Takes records in any order and merges them; `finish` gives the corpus.

    The same records in another order give the same corpus, but that where two sources disagree about a card's text
    the one read first is kept.
    """

    def __init__(self, report: Report | None = None) -> None:
        self.report = report or Report()
        self._cards: dict[str, Card] = {}
        self._nameless: dict[str, Card] = {}
        self._printings: dict[tuple[str | None, str, str, str], Printing] = {}
        self._rulings: list[tuple[Ruling, Place]] = []
        self._rules: dict[date, dict[str, Rule]] = defaultdict(dict)
        self._glossary: dict[date, dict[str, GlossaryEntry]] = defaultdict(dict)
        self._pages: list[SavedPage] = []

    def add(self, record: Record, place: Place) -> None:
        """Take one record; ``place`` is where it stood."""
        match record:
            case Card(oracle_id=None):
                folded = fold_name(record.name)
                self._nameless[folded] = merged(self._nameless[folded], record) if folded in self._nameless else record
            case Card(oracle_id=str(oracle_id)):
                self._cards[oracle_id] = merged(self._cards[oracle_id], record) if oracle_id in self._cards else record
            case Printing():
                entry = (record.oracle_id, record.name, record.language, record.printed_name)
                known = self._printings.get(entry)
                if known is None or (record.printed_text and not known.printed_text):
                    self._printings[entry] = record
            case Ruling() if len(record.text) > LONGEST_RULING:
                size = f"{len(record.text):,} characters, at most {LONGEST_RULING:,} are taken"
                self.report.problem(place, f"a ruling has {size}; cut it into rulings")
                return
            case Ruling():
                self._rulings.append((record, place))
            case Rule():
                self._rules[record.edition].setdefault(record.number, record)
            case GlossaryEntry():
                self._glossary[record.edition].setdefault(record.term, record)
            case SavedPage():
                self._pages.append(record)
        self.report.count(type(record).__name__)

    def finish(self) -> Corpus:
        """Merge what was added. Rulings whose card isn't known become problems in the report; nothing else is lost."""
        cards = self._finish_cards()
        printings = self._finish_printings(cards)
        # a second's work, and most sources name a card by its id
        named = bool(self._pages) or any(ruling.oracle_id not in cards for ruling, _ in self._rulings)
        by_name = _names(cards, printings) if named else {}
        placed = self._place_rulings(cards, by_name)
        from_pages, unplaced = place_pages(self._pages, Known(cards, printings, by_name, placed), self.report)
        rulings, statements = _merge_rulings(placed + from_pages, cards)
        editions = {
            day: Edition(day, self._rules[day], self._glossary.get(day, {}))
            for day in sorted(self._rules.keys() | self._glossary.keys())
        }
        return Corpus(cards, printings, rulings, statements, editions, self.report, unplaced)

    def _finish_cards(self) -> dict[str, Card]:
        cards = {oracle_id: completed(card) for oracle_id, card in self._cards.items()}
        by_name: dict[str, str] = {}
        # A token may share its name with a card, and several cards one name: cards come first, then the smallest id.
        for oracle_id, card in sorted(cards.items(), key=lambda item: (item[1].is_token, item[0])):
            by_name.setdefault(fold_name(card.name), oracle_id)
        for folded, card in self._nameless.items():
            if folded in by_name:
                oracle_id = by_name[folded]
                cards[oracle_id] = merged(cards[oracle_id], card)
            else:
                oracle_id = str(uuid.uuid5(_MADE_UP, folded))
                cards[oracle_id] = completed(replace(card, oracle_id=oracle_id))
                by_name[folded] = oracle_id
        return dict(sorted(cards.items(), key=lambda item: (item[1].name, item[0])))

    def _finish_printings(self, cards: dict[str, Card]) -> dict[str, tuple[Printing, ...]]:
        nameless = any(p.oracle_id not in cards for p in self._printings.values())
        by_name = _names(cards, {}) if nameless else {}
        found: dict[str, list[Printing]] = defaultdict(list)
        for printing in self._printings.values():
            oracle_id = printing.oracle_id
            if oracle_id not in cards:
                candidates = by_name.get(fold_name(printing.name), ())
                if len(candidates) != 1:
                    self.report.count("Printing of an unknown card")
                    continue
                oracle_id = candidates[0]
            found[oracle_id].append(
                printing if printing.oracle_id == oracle_id else replace(printing, oracle_id=oracle_id)
            )
        return {oracle_id: on_faces(cards[oracle_id], found[oracle_id]) for oracle_id in cards if oracle_id in found}

    def _place_rulings(self, cards: dict[str, Card], by_name: dict[str, tuple[str, ...]]) -> list[tuple[str, Ruling]]:
        placed = []
        for ruling, place in self._rulings:
            oracle_id = ruling.oracle_id
            if oracle_id is None or oracle_id not in cards:
                candidates = by_name.get(fold_name(ruling.card or ""), ())
                if len(candidates) != 1:
                    what = f"card {ruling.card!r}" if ruling.card else f"oracle id {oracle_id}"
                    why = "names several cards" if candidates else "is not among the cards that were read"
                    self.report.problem(place, f"a ruling's {what} {why}; add the source that has the card")
                    continue
                oracle_id = candidates[0]
            placed.append((oracle_id, ruling))
        return placed


def _names(cards: dict[str, Card], printings: dict[str, tuple[Printing, ...]]) -> dict[str, tuple[str, ...]]:
    """Oracle ids by folded name, the strongest kind of name only: full names, faces, tokens, printed names."""
    layers: list[dict[str, dict[str, None]]] = [defaultdict(dict) for _ in range(4)]
    for name in Corpus(cards, printings, (), {}, {}).names(tokens=True):
        card = cards[name.oracle_id]
        if card.is_token:
            rank = 2
        elif name.language != "en" or (name.face is None and name.name != card.name):
            rank = 3
        else:
            rank = 1 if name.face else 0
        layers[rank][fold_name(name.name)][name.oracle_id] = None
    merged: dict[str, tuple[str, ...]] = {}
    for layer in layers:
        for folded, ids in layer.items():
            merged.setdefault(folded, tuple(ids))
    return merged


def _merge_rulings(
    placed: list[tuple[str, Ruling]], cards: dict[str, Card]
) -> tuple[tuple[PublishedRuling, ...], dict[str, Statement]]:
    groups: dict[tuple[str, date, str], list[Ruling]] = defaultdict(list)
    texts: dict[str, dict[str, date]] = defaultdict(dict)
    keys: dict[str, str] = {}  # more than half of all rulings share their text with another one
    for oracle_id, ruling in placed:
        statement = keys.get(ruling.text) or keys.setdefault(ruling.text, key(ruling.text))
        groups[oracle_id, ruling.published, statement].append(ruling)
        known = texts[statement].get(ruling.text, date.min)
        texts[statement][ruling.text] = max(known, ruling.published)
    by_statement: dict[str, list[PublishedRuling]] = defaultdict(list)
    for (oracle_id, published, statement), same in groups.items():
        faces = {r.face for r in same if r.face}
        by_statement[statement].append(
            PublishedRuling(
                oracle_id,
                published,
                statement,
                tuple(sorted({r.source for r in same})),
                face=faces.pop() if len(faces) == 1 else None,
                restored=max(r.restored for r in same),
            )
        )
    statements = {}
    for statement in sorted(by_statement):
        variants = sorted(texts[statement], key=lambda text: (-texts[statement][text].toordinal(), text))
        rulings = sorted(
            by_statement[statement], key=lambda r: (-r.published.toordinal(), cards[r.oracle_id].name, r.oracle_id)
        )
        statements[statement] = Statement(statement, variants[0], tuple(variants), tuple(rulings))
    flat = sorted(
        (r for group in by_statement.values() for r in group),
        key=lambda r: (cards[r.oracle_id].name, r.oracle_id, r.published, r.key),
    )
    return tuple(flat), statements
