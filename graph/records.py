"""The typed records of what the program works out about a corpus, each link with its evidence.

Offsets are code points in `Statement.text`. Confidence is in 0..1. ``method`` is a short fixed word for how the link
was found.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Concept:
    """A SKOS concept.

    ``slug`` is its id, ``label`` the preferred English label, spelled as the glossary head, else the 701/702 heading,
    else the ability word. ``labels`` are (language, kind, text) with kind "pref" or "alt" (inflections are not listed).

    ``rules`` are the numbers that define it in the newest edition loaded, best first. ``obsolete`` marks terms that
    the rules themselves call obsolete.
    """

    slug: str
    label: str
    kind: str
    labels: tuple[tuple[str, Literal["pref", "alt"], str], ...] = ()
    broader: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    definition: str = ""
    obsolete: bool = False


@dataclass(frozen=True, slots=True)
class CardMention:
    """A card named in a statement that isn't published on it."""

    oracle_id: str
    name: str
    start: int
    end: int
    confidence: float
    face: str | None = None
    method: str = "full name"


@dataclass(frozen=True, slots=True)
class SelfReference:
    """The own card's name, whole or shortened, in a statement published on it."""

    oracle_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ConceptMention:
    """A concept named in a statement; ``concept`` is its slug."""

    concept: str
    start: int
    end: int
    confidence: float
    method: str


@dataclass(frozen=True, slots=True)
class Clarification:
    """A concept that a statement is about, main one first in `Analysis.clarifies`."""

    concept: str
    confidence: float
    method: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """A rule number written in a statement: as written, the edition it was read in, and today's number (None: gone)."""

    written: str
    edition: date
    number: str | None
    start: int
    end: int
    confidence: float


@dataclass(frozen=True, slots=True)
class RuleLink:
    """A rule of the newest edition that a statement rests on; ``evidence``: the concept, statement or words for it."""

    number: str
    confidence: float
    method: str
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Copying:
    """What copies what.

    ``copier`` is "this card", "another object", or a name; ``copied`` a kind of object ("spell", "permanent",
    "creature", "activated ability", ...); ``result`` what the copy is ("token", "becomes a copy", "spell copy").
    """

    copier: str
    copied: str
    result: str
    start: int
    end: int
    confidence: float
    method: str


@dataclass(frozen=True, slots=True)
class Carried:
    """Something that goes along with a copy (``carried``) or is left out.

    ``what`` is a short term, ``concept`` its slug where there is one.
    """

    what: str
    carried: bool
    start: int
    end: int
    confidence: float
    concept: str | None = None


@dataclass(frozen=True, slots=True)
class Outdating:
    """Why a statement is outdated: a ``reason`` in words, and the edition, rule or statement (key) that did it."""

    reason: str
    method: str
    confidence: float
    edition: date | None = None
    rule: str | None = None
    replaced_by: str | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Analysis:
    """All that was worked out about one statement alone or against the rules."""

    key: str
    mentions_cards: tuple[CardMention, ...] = ()
    self_references: tuple[SelfReference, ...] = ()
    mentions_concepts: tuple[ConceptMention, ...] = ()
    clarifies: tuple[Clarification, ...] = ()
    cites: tuple[Citation, ...] = ()
    rules: tuple[RuleLink, ...] = ()
    copies: tuple[Copying, ...] = ()
    carried: tuple[Carried, ...] = ()
    outdated: tuple[Outdating, ...] = ()


@dataclass(frozen=True, slots=True)
class Restatement:
    """A pair of statements that say the same ("restates"), or the same in newer terms ("rewords": newer -> older)."""

    relation: Literal["restates", "rewords"]
    subject: str
    object: str
    confidence: float
    method: str


@dataclass(frozen=True, slots=True)
class SameRule:
    """The same rule in two editions. ``object_number`` None: the rule is gone in the later edition."""

    edition: date
    number: str
    object_edition: date
    object_number: str | None
    confidence: float
    method: str


@dataclass(frozen=True, slots=True)
class CardUse:
    """A card has a keyword, or its text uses a concept, on a face where it has several."""

    oracle_id: str
    concept: str
    relation: Literal["hasKeyword", "uses", "copies"]
    face: str | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Alike:
    """Another card whose rules text does the same thing. ``score`` in 0..1."""

    oracle_id: str
    score: float


@dataclass(frozen=True, slots=True)
class Vectors:
    """Embeddings made by the encoder, rows of unit length, float32; each is None where it wasn't made.

    ``statements`` has a row per statement in the order of `Corpus.statements`; ``rules`` a row per rule of the
    newest edition in its order (headings too); ``cards`` a row per card in the order of `Corpus.cards`.
    """

    statements: NDArray[np.float32] | None = None
    rules: NDArray[np.float32] | None = None
    cards: NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True)
class CardLinks:
    """What was worked out about cards alone: needs no statement, and so can be done beside the statements."""

    uses: tuple[CardUse, ...] = ()
    works_like: Mapping[str, tuple[Alike, ...]] = field(default_factory=dict)


@dataclass(slots=True)
class Derived:
    """Everything the program worked out about a corpus."""

    concepts: Mapping[str, Concept] = field(default_factory=dict)
    analyses: Mapping[str, Analysis] = field(default_factory=dict)
    restatements: tuple[Restatement, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    """Keys of statements that are the same ruling (restates and rewords together), the canonical one (newest) first."""
    same_rules: tuple[SameRule, ...] = ()
    card_uses: tuple[CardUse, ...] = ()
    works_like: Mapping[str, tuple[Alike, ...]] = field(default_factory=dict)
