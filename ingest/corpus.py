"""The corpus: everything that was read, merged; one card per oracle id, one statement per wording."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from rulings.ingest.records import Card, GlossaryEntry, Printing, Report, Rule, SavedPage


@dataclass(frozen=True, slots=True)
class PublishedRuling:
    """A statement (``key``) published on a card (``oracle_id``) on a day, with all the sources that carry it."""

    oracle_id: str
    published: date
    key: str
    sources: tuple[str, ...]
    face: str | None = None
    restored: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """A distinct wording.

    ``text`` is the wording as published last (ties: the smallest); ``variants`` are all exact texts that fold to the
    same key, ``text`` first. ``rulings`` are sorted by day, newest first, then card name.
    """

    key: str
    text: str
    variants: tuple[str, ...]
    rulings: tuple[PublishedRuling, ...]

    @property
    def oracle_ids(self) -> tuple[str, ...]:
        """The cards that it is published on, without repeats, in the order of ``rulings``."""
        return tuple(dict.fromkeys(r.oracle_id for r in self.rulings))

    @property
    def dates(self) -> tuple[date, ...]:
        """The days on which it was published, ascending, without repeats."""
        return tuple(sorted({r.published for r in self.rulings}))


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition of the Comprehensive Rules: rules by number in book order, glossary by term."""

    effective: date
    rules: Mapping[str, Rule]
    glossary: Mapping[str, GlossaryEntry]

    def children(self, number: str) -> tuple[Rule, ...]:
        """The rules directly below a number, in book order."""
        return tuple(rule for rule in self.rules.values() if rule.parent == number)


@dataclass(frozen=True, slots=True)
class Name:
    """A name and what it stands for: a card, or one face of it, in a language."""

    oracle_id: str
    name: str
    language: str = "en"
    face: str | None = None


@dataclass(slots=True)
class Corpus:
    """All records after merging. Iteration orders are fixed by content, not by the order of reading.

    ``cards`` is sorted by name then id, ``statements`` by key, ``editions`` by date, ``rulings`` by card, day and key.
    """

    cards: Mapping[str, Card]
    printings: Mapping[str, tuple[Printing, ...]]
    rulings: tuple[PublishedRuling, ...]
    statements: Mapping[str, Statement]
    editions: Mapping[date, Edition]
    report: Report = field(default_factory=Report)
    unplaced: tuple[SavedPage, ...] = ()
    """Saved pages whose card could not be told; kept so that a later build can place them."""

    @property
    def newest(self) -> Edition | None:
        """The newest edition of the rules, None where none was loaded.

        A few house rules of a later date are no edition: what holds less than a tenth of the fullest one doesn't count.
        """
        fullest = max((len(edition.rules) for edition in self.editions.values()), default=0)
        whole = [day for day, edition in self.editions.items() if len(edition.rules) * 10 >= fullest]
        return self.editions[max(whole)] if whole else None

    def names(self, *, tokens: bool = False) -> Iterator[Name]:
        """Every name of every card: full names, faces, printed names and their halves; some come several times.

        Tokens and emblems are left out unless ``tokens`` is set: they are called Human or Beast, as types are.
        """
        for oracle_id, card in self.cards.items():
            if card.is_token and not tokens:
                continue
            yield Name(oracle_id, card.name)
            faces = card.faces if len(card.faces) > 1 or card.faces[0].name != card.name else ()
            for face in faces:
                yield Name(oracle_id, face.name, face=face.name)
            for printing in self.printings.get(oracle_id, ()):
                on_face = next((f.name for f in faces if f.name == printing.name), None)
                yield Name(oracle_id, printing.printed_name, printing.language, on_face)
                if " // " in printing.printed_name:
                    for half, face in zip(printing.printed_name.split(" // "), faces, strict=False):
                        yield Name(oracle_id, half, printing.language, face.name)
