"""What a ruling says about copying: which kind of object is copied, by whose effect, as what."""

import re
from collections.abc import Iterator, Sequence

from rulings.graph.copy_kinds import BECOMES, TOKEN, CopyKind, copies_of, named_kinds, result_of
from rulings.graph.records import Copying
from rulings.ingest import Card, Statement

_COPY = re.compile(r"\bcop(?:y|ies|ied|ying)\b", re.IGNORECASE)
_COPIED_NOUN = re.compile(
    r"\b(?:copied|original|imprinted)\s+((?:\w+\s+){0,2}?(?:spell|card|token|permanent|planeswalker"
    r"|creature|artifact|enchantment|land|(?:(?:activated|triggered|loyalty)\s+)?ability))\b",
    re.IGNORECASE,
)
_COPY_OF = re.compile(r"\bcopy of (?:the|that|an? imprinted)\s+(?=([^.,;]{1,60}))", re.IGNORECASE)
_ACTIVE = re.compile(
    r"\b(?:you|player|opponent|effects?|abilit(?:y|ies)|something) cop(?:y|ies)\s+"
    r"(?:an?|that|another)\s+([^.,;]{1,40})",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    r"\b((?:[\w’'-]+\s+){0,3}?(?:spell|card|token|permanent|creature"
    r"|abilit(?:y|ies)))\s+(?:is|are|was|were)\s+(?:also\s+)?copied\b",
    re.IGNORECASE,
)
_TRIGGERED = re.compile(
    r"enters-the-battlefield|enters ability|leaves-the-battlefield|dies ability|triggered|\btrigger", re.IGNORECASE
)
_ITSELF = re.compile(r"\bis (?:itself )?an? (token|copy)\b", re.IGNORECASE)
_BY_OTHERS = re.compile(
    r"\b(?:if|when|whenever)\s+(?:you|a player|an opponent|another \w+|an effect|something(?: else)?"
    r"|this spell|a permanent[^.]{0,40}|one)\b[^.]{0,40}?\b(?:cop(?:y|ies)|(?:is|are) copied|becomes? a copy)\b"
    r"|\b(?:a|an|another|other)\s+(?:creature|permanent|land|artifact|enchantment"
    r"|token)s?\b[^.]{0,60}?\b(?:becom(?:es?|ing)|became|enters?[^.]{0,20} as) (?:a )?cop(?:y|ies) of\b"
    r"|\btoken cop(?:y|ies) of\b|\btoken that[’']s a copy of\b",
    re.IGNORECASE,
)
_GENERIC = re.compile(
    r"\b(?:copies of (?:spells|cards)|(?:isn[’']t|aren[’']t|not) (?:a )?cop(?:y|ies) of something else)\b",
    re.IGNORECASE,
)
_PERMANENT = ("creature", "planeswalker", "artifact", "enchantment", "land")


def copying(statement: Statement, cards: Sequence[Card]) -> tuple[Copying, ...]:
    """Read what copies what from a statement and the rules texts of the cards that it stands on.

    A statement that only speaks of copies as things (copies of spells in a list) gives nothing.
    """
    text = statement.text
    cues = list(_COPY.finditer(text))
    if not cues:
        return ()
    card = cards[0] if cards else None
    own_kinds = copies_of(card) if card else ()
    found: dict[tuple[str, str], Copying] = {}
    for kind, start, end in _said(text):
        copier = "this card" if own_kinds and not _from_outside(text, own_kinds, kind) else "another object"
        result = _result(kind, own_kinds)
        found.setdefault((copier, kind), Copying(copier, kind, result, start, end, 0.85, "ruling text"))
    bare = _GENERIC.sub("", text)
    if not found and own_kinds and _COPY.search(bare):
        for own in _fitting(text, own_kinds):
            found[own.copied, own.result] = Copying(
                "this card", own.copied, own.result, cues[0].start(), cues[0].end(), 0.7, "rules text"
            )
    elif not found and card and not own_kinds and _BY_OTHERS.search(bare):
        kind = _own_kind(card)
        found["another object", kind] = Copying(
            "another object", kind, result_of(kind), cues[0].start(), cues[0].end(), 0.6, "own type"
        )
    return tuple(found.values())


def _said(text: str) -> Iterator[tuple[str, int, int]]:
    """The kinds that the text itself names as copied."""
    for noun in _COPIED_NOUN.finditer(text):
        for kind in named_kinds(noun[1])[-1:]:
            yield kind, noun.start(), noun.end()
        itself = _ITSELF.match(text, noun.end() + 1)
        if itself and itself[1].lower() == "token":
            yield "token", itself.start(), itself.end()
    for copy in _COPY_OF.finditer(text):
        for kind in named_kinds(copy[1])[:1]:
            yield kind, copy.start(), copy.end() + len(copy[1])
    for active in _ACTIVE.finditer(text):
        for kind in named_kinds(active[1])[:1]:
            yield kind, active.start(), active.end()
    for passive in _PASSIVE.finditer(text):
        for kind in named_kinds(passive[1])[-1:]:
            exact = "triggered ability" if kind == "ability" and _TRIGGERED.search(passive[1]) else kind
            yield exact, passive.start(), passive.end()


def _from_outside(text: str, own_kinds: Sequence[CopyKind], kind: str) -> bool:
    """Whether another effect copies, though the card itself copies too: its own kinds are others than this one."""
    kinds = {k.copied for k in own_kinds}
    if kind in kinds or kind in {"permanent", "token"} or kind in _PERMANENT:
        return False
    return bool(_BY_OTHERS.search(text)) and kind not in kinds


def _result(kind: str, own_kinds: Sequence[CopyKind]) -> str:
    same = [k.result for k in own_kinds if k.copied == kind]
    near = [k.result for k in own_kinds if k.result in {TOKEN, BECOMES}]
    if same:
        return same[0]
    return near[0] if near and result_of(kind) == BECOMES else result_of(kind)


def _fitting(text: str, kinds: Sequence[CopyKind]) -> Sequence[CopyKind]:
    """Of several kinds that a card copies, those whose words the text has; else the first."""
    named = [kind for kind in kinds if re.search(rf"\b{kind.copied.split()[0]}", text, re.IGNORECASE)]
    return named or kinds[:1]


def _own_kind(card: Card) -> str:
    types = card.type_line.lower()
    if "instant" in types or "sorcery" in types:
        return "spell"
    return next((kind for kind in _PERMANENT if kind in types), "permanent")
