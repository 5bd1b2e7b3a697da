"""Merging of records into a corpus."""

import uuid
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import date

from rulings.ingest.corpus import Corpus, Edition, PublishedRuling, Statement
from rulings.ingest.records import (
    Card,
    Face,
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
                self._nameless[folded] = _merged(self._nameless[folded], record) if folded in self._nameless else record
            case Card(oracle_id=str(oracle_id)):
                self._cards[oracle_id] = _merged(self._cards[oracle_id], record) if oracle_id in self._cards else record
            case Printing():
                entry = (record.oracle_id, record.name, record.language, record.printed_name)
                known = self._printings.get(entry)
                if known is None or (record.printed_text and not known.printed_text):
                    self._printings[entry] = record
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
        by_name = _names(cards, printings)
        placed = self._place_rulings(cards, by_name)
        rulings, statements = _merge_rulings(placed, cards)
        editions = {
            day: Edition(day, self._rules[day], self._glossary.get(day, {}))
            for day in sorted(self._rules.keys() | self._glossary.keys())
        }
        return Corpus(cards, printings, rulings, statements, editions, self.report)

    def _finish_cards(self) -> dict[str, Card]:
        cards = dict(self._cards)
        by_name: dict[str, str] = {}
        for oracle_id, card in cards.items():
            by_name.setdefault(fold_name(card.name), oracle_id)
        for folded, card in self._nameless.items():
            if folded in by_name:
                oracle_id = by_name[folded]
                cards[oracle_id] = _merged(cards[oracle_id], card)
            else:
                oracle_id = str(uuid.uuid5(_MADE_UP, folded))
                cards[oracle_id] = replace(card, oracle_id=oracle_id)
                by_name[folded] = oracle_id
        return dict(sorted(cards.items(), key=lambda item: (item[1].name, item[0])))

    def _finish_printings(self, cards: dict[str, Card]) -> dict[str, tuple[Printing, ...]]:
        by_name = _names(cards, {})
        found: dict[str, list[Printing]] = defaultdict(list)
        for printing in self._printings.values():
            oracle_id = printing.oracle_id
            if oracle_id not in cards:
                candidates = by_name.get(fold_name(printing.name), ())
                if len(candidates) != 1:
                    self.report.count("Printing of an unknown card")
                    continue
                oracle_id = candidates[0]
            found[oracle_id].append(printing)
        order = {oracle_id: n for n, oracle_id in enumerate(cards)}
        return {
            oracle_id: tuple(sorted(group, key=lambda p: (p.language, p.name, p.printed_name)))
            for oracle_id, group in sorted(found.items(), key=lambda item: order[item[0]])
        }

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


def _merged(first: Card, second: Card) -> Card:
    """The first record with its gaps filled from the second."""
    sets = tuple(sorted({*first.sets, *second.sets}))
    richer = second if len(second.faces) > len(first.faces) else first
    other = first if richer is second else second
    filled = {
        name: getattr(other, name)
        for name in ("mana_cost", "type_line", "text", "keywords", "faces")
        if not getattr(richer, name) and getattr(other, name)
    }
    return replace(richer, sets=sets, **filled)


def whole(name: str, faces: Iterable[Face], **fields: object) -> Card:
    """A card made from its faces: cost, types and text joined as `Card` says."""
    faces = tuple(faces)
    return Card(
        name=name,
        faces=faces,
        mana_cost=" // ".join(f.mana_cost for f in faces if f.mana_cost),
        type_line=" // ".join(f.type_line for f in faces if f.type_line),
        text="\n//\n".join(f.text for f in faces if f.text),
        **fields,  # type: ignore[arg-type]
    )


def _names(cards: dict[str, Card], printings: dict[str, tuple[Printing, ...]]) -> dict[str, tuple[str, ...]]:
    """Oracle ids by folded name, the strongest kind of name only: full names before faces before printed names."""
    layers: list[dict[str, dict[str, None]]] = [defaultdict(dict), defaultdict(dict), defaultdict(dict)]
    for name in Corpus(cards, printings, (), {}, {}).names():
        rank = 2 if name.language != "en" else 1 if name.face else 0
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
    for oracle_id, ruling in placed:
        statement = key(ruling.text)
        groups[oracle_id, ruling.published, statement].append(ruling)
        known = texts[statement].get(ruling.text, date.min)
        texts[statement][ruling.text] = max(known, ruling.published)
    by_statement: dict[str, list[PublishedRuling]] = defaultdict(list)
    for (oracle_id, published, statement), same in groups.items():
        faces = {r.face for r in same}
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
