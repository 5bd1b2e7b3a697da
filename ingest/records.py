"""The typed records that readers yield.

All records are frozen: a reader makes them, a `Corpus` merges them into new ones.
"""

from dataclasses import dataclass, field
from datetime import date


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stood: the file (``archive.zip!member`` inside an archive) and a position in it.

    ``position`` is what a person can find again: ``line 12``, ``item 340``, ``rule 702.19b``.
    """

    file: str
    position: str = ""

    def __str__(self) -> str:
        return f"{self.file}, {self.position}" if self.position else self.file


@dataclass(frozen=True, slots=True)
class Problem:
    """A record that was passed over, or taken with a caution, and why."""

    place: Place
    reason: str


@dataclass(frozen=True, slots=True)
class Face:
    """One face (or half) of a card. A card with a single face has exactly one, of the card's own name."""

    name: str
    mana_cost: str = ""
    type_line: str = ""
    text: str = ""
    power: str | None = None
    toughness: str | None = None
    loyalty: str | None = None
    defense: str | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """A card as the rules see it: one per oracle id.

    ``name`` is the full name, halves joined by `` // ``. ``mana_cost``, ``type_line`` and ``text`` are those of the
    whole card (faces joined by `` // ``, texts by a line ``//``). ``oracle_id`` is None where a source has none;
    `Corpus` then gives a stable made-up one.
    """

    name: str
    oracle_id: str | None = None
    layout: str = "normal"
    faces: tuple[Face, ...] = ()
    mana_cost: str = ""
    type_line: str = ""
    text: str = ""
    keywords: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()

    @property
    def is_token(self) -> bool:
        """Whether this is a token or emblem, whose name ("Human", "Beast") is no card's; dungeons count as cards."""
        return self.layout in ("token", "double_faced_token", "emblem") and "Dungeon" not in self.type_line


@dataclass(frozen=True, slots=True)
class Printing:
    """A card's printed name in one language, with the printed text where the source has it.

    ``name`` is the English name (full, or that of the face), ``language`` an ISO 639 code.
    """

    name: str
    language: str
    printed_name: str
    oracle_id: str | None = None
    printed_text: str = ""
    printed_type: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A statement published on a card on a day.

    The card is told by ``oracle_id`` or, where the source has none, by ``card`` (a name in any language).
    ``text`` is as published. ``source`` says who published it ("wotc", "scryfall", "sample", ...), ``face`` the face's
    name where known. ``restored`` notes what a reader put back into the text (a lost mana symbol), else "".
    """

    text: str
    published: date
    source: str
    oracle_id: str | None = None
    card: str | None = None
    face: str | None = None
    restored: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """One numbered rule, or a section or chapter heading, of one edition of the Comprehensive Rules.

    ``number`` has no trailing dot: "7" (section), "702" (chapter), "702.19" (rule), "702.19b" (subrule).
    ``parent`` is the number above it, None for a section. ``see`` holds the numbers it refers to, for a range those of
    the rules in it.
    """

    number: str
    text: str
    edition: date
    parent: str | None = None
    examples: tuple[str, ...] = ()
    see: tuple[str, ...] = ()

    @property
    def is_heading(self) -> bool:
        """Whether this is a section or chapter, whose text is a title."""
        return "." not in self.number


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A glossary head with its text.

    ``term`` is spelled as printed ("Control, Controller"); ``rules`` are the numbers named in the text.
    """

    term: str
    text: str
    edition: date
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedPage:
    """A saved ruling page whose card still has to be told: the heading, if any, and its rulings (without a card).

    The card is told when a corpus is merged: from the heading (lines that may hold its name), from the cards named in
    the rulings and from rulings already known; where they don't tell it, it is ``card``, which the user gave.
    """

    heading: str
    rulings: tuple[Ruling, ...]
    place: Place
    language: str = "en"
    card: str = ""


Record = Card | Printing | Ruling | Rule | GlossaryEntry | SavedPage


@dataclass(slots=True)
class Report:
    """What happened while sources were read: the problems, and how many records of each kind came."""

    problems: list[Problem] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    def problem(self, place: Place, reason: str) -> None:
        """Note a record that was passed over."""
        self.problems.append(Problem(place, reason))

    def note(self, place: Place, reason: str) -> None:
        """Note something taken in with a change (a restored symbol, a card told from its rulings)."""
        self.notes.append(Problem(place, reason))

    def count(self, kind: str, by: int = 1) -> None:
        """Add to the count of a kind of record."""
        self.counts[kind] = self.counts.get(kind, 0) + by
