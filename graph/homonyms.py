"""Tells whether a capitalised word is a card's name or a rules term, a subtype, a set, a flavor word or plain English.

A score (log-odds, by hand) adds what speaks for and against; no list of names is used. See `name_score`.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_SENTENCE_START = re.compile(r"(?:^|[.!?:;•*—–]|\(|\"|\n|\[|--|\d\))[\s\"'(_]*$")
_NAMED = re.compile(r"\b(?:named|called|cards? named|the cards?|enchantment|sorcery|instant) [\"(]?$")
_LIKE = re.compile(
    r"(?:\b(?:such as|like|due to|perhaps due to|with|from|of|via|by|because of|unlike|thanks to|"
    r"including|example,|(?<=\()as)) "
    r"(?:(?:that|those|the one|the ones|the effect|the ability|the effects)(?: (?:of|from|on))? )?(?:an? )?$"
)
_ACT = re.compile(
    r"\b(?:cast|casts|casting|copy of|copies of|copy|targets|targeting|targeted by|target of|control|"
    r"controls|controlled|enchanted with|enchanted by|"
    r"equipped with|resolves?|resolving|counter|if|when|while|where|since|unless|but|then|"
    r"exiled with|before|after|activate|suppose) (?:another |two |your |their |a second |an? )?$"
)
_ARTICLE = re.compile(
    r"\b(?:a|an|another|each|any|every|no|two|three|one|other|many|all|non|nontoken|noncreature|your|"
    r"that|this|those|these|more|legendary|basic|snow|target|some|first)[ -]$",
    re.IGNORECASE,
)
_THE = re.compile(r"\bthe $", re.IGNORECASE)
_AFTER_TERM = re.compile(
    r"^(?:'s)?[ -](?:zone|step|phase|tokens?|counters?|costs?|keyword|type|types|creatures?|"
    r"permanents?|spells?|cards?|subtypes?|land type|lands?|planeswalkers?|"
    r"abilities|deck|game|games|format|team|teams|you control|mana|artifacts?|enchantments?|text|"
    r"damage|update|rules|sources?|Equipment|Auras?)\b"
)
_BEFORE_TERM = re.compile(
    r"\b(?:types?|subtypes?|step|zone|word|keyword|non|(?:creature|land) types? (?:[A-Z]\w+(?:, |"
    r" and | or |, and |, or ))*)[ -]?[\"(]?$"
)
_SET_AFTER = re.compile(
    r"^_?,? (?:sets?|block|expansion|timeshifted|booster|draft|prerelease|release|limited|sealed|"
    r"Commander deck|commander deck|era|card set)\b"
)
_SET_BEFORE = re.compile(r"\b(?:in|from|before|since|until|printed in|sets?|the|and|or) _?$")
_VERB = re.compile(
    r"^(?:'s\b|,? (?:is|isn't|was|wasn't|has|had|does|doesn't|did|would|wouldn't|could|couldn't|"
    r"might|will|won't|can|can't|cannot|enters|leaves|resolves?|says|deals?|costs?|"
    r"itself|causes?|makes?|gives?|targets?|copies|becomes?|triggers|gets|remains|stays|allows?|"
    r"changes|dies|tries|lets|only|also|still|first)\b)"
)
_FLAVOR_AFTER = re.compile(r"^(?:'s)? (?:ability|effect|—)")
_IMPERATIVE = re.compile(
    r"^ (?:a|an|the|target|all|any|each|your|that|those|this|two|three|one|it|them|up|X|another|only|"
    r"into|to|for|by|in|on|as|from|with|cards?|which|whether|if|\w+ing)\b"
)
_PROPER_BEFORE = re.compile(r"(?<![.!?:;,\"(])\b([A-Z][\w'-]+),? $")
_TITLE_AFTER = re.compile(r"^ (?:to|of|from|the|in|for) (?:the )?[A-Z][a-z]")
_PROPER_AFTER = re.compile(r"^(?:'s|s')?(?: |-)([A-Z][a-z][\w'-]*)")


@dataclass(slots=True)
class Usage:
    """How words are used: ``lower`` counts each name's uses in lower case.

    ``terms`` and ``subtypes`` are in lower case.
    """

    lower: Mapping[str, int] = field(default_factory=dict)
    terms: frozenset[str] = frozenset()
    subtypes: frozenset[str] = frozenset()

    def is_term(self, form: str) -> bool:
        """Whether a form in lower case is a rules term, or the head of one ("two-headed giant" of "... variant")."""
        return form in self.terms


def at_sentence_start(text: str, start: int) -> bool:
    """Whether a sentence, quotation, list item or parenthesis begins at this place."""
    return bool(_SENTENCE_START.search(text, max(0, start - 12), start))


def name_score(text: str, start: int, end: int, form: str, usage: Usage, own_text: str = "") -> float:
    """Score a capitalised span as a card's name; above 0 it is taken as one.

    Args:
        text: The folded statement.
        start: Where the span starts.
        end: Where it ends, a plural ending included, a possessive not.
        form: The name in lower case.
        usage: How the words are used elsewhere.
        own_text: Rules text of the cards that the statement is published on, folded; tells flavor words.

    Returns:
        Log-odds.
    """
    left, right = text[max(0, start - 60) : start], text[end : end + 40]
    surface = text[start:end]
    if _is_marked(text, start, end) or _is_flavor(surface, right, own_text):
        return -5.0
    named = bool(_NAMED.search(left)) and "type" not in left[-24:]
    words = form.count(" ") + 1
    if words > 1 and not usage.is_term(form):
        return _long_score(text, start, form, left, right, usage, words)
    known = _Word(form, usage.lower.get(form, 0), usage.is_term(form), form in usage.subtypes)
    score = (4.0 if named else 0.0) + _base(form, usage) + _position_score(text, start, right, known)
    score += _before_score(left, known) + _after_score(right, known)
    score -= 3.5 * bool(_AFTER_TERM.match(right)) + 3.5 * bool(_BEFORE_TERM.search(left))
    return score - _inside_larger(text, start, left, right, usage) - _set_name(left, right)


@dataclass(frozen=True, slots=True)
class _Word:
    """A one-word name, or a rules term, and how it is used."""

    form: str
    lower: int
    term: bool
    subtype: bool

    @property
    def common(self) -> bool:
        return self.term or self.subtype or self.lower > 0


def _position_score(text: str, start: int, right: str, word: _Word) -> float:
    if at_sentence_start(text, start):
        score = -2.0 if word.common else 0.0
        return score - 2.0 if word.lower and _IMPERATIVE.match(right) else score
    if word.subtype:
        return 0.0
    return 0.5 if word.term else 1.5


def _before_score(left: str, word: _Word) -> float:
    article = bool(_ARTICLE.search(left))
    for pattern, score in ((_LIKE, 1.0 if word.subtype or word.term else 2.0), (_ACT, 1.2)):
        if pattern.search(left):
            return score - 1.5 if article and word.subtype else score
    if article:
        return -1.5 if word.subtype or word.term else -0.5
    return -1.0 if word.common and _THE.search(left) else 0.0


def _after_score(right: str, word: _Word) -> float:
    owns = right.startswith("'s")
    score = 0.0
    if _VERB.match(right) and (owns or not (word.subtype or (word.term and right[:1] == ","))):
        score += 1.2
    if word.term and _FLAVOR_AFTER.match(right) and not owns:
        score -= 3.0
    return score - _begins_title(right) if word.common else score


def _base(form: str, usage: Usage) -> float:
    if len(form) == 1:
        return -5.0
    base = 1.5 - 0.75 * math.log(1 + usage.lower.get(form, 0))
    if form in usage.subtypes:
        base = min(base, -2.5)
    if usage.is_term(form):
        base = min(base, -1.5)
    return max(base, -4.0)


def _long_score(text: str, start: int, form: str, left: str, right: str, usage: Usage, words: int) -> float:
    score = 1.5 + words - 0.5 * math.log(1 + usage.lower.get(form, 0))
    if at_sentence_start(text, start) and usage.lower.get(form, 0):
        score -= 2.0
    if form.startswith("the ") and at_sentence_start(text, start):
        score -= 4.5 if form[4:] in usage.subtypes else 2.5
    return score - 0.6 * _inside_larger(text, start, left, right, usage) - 2 * _set_name(left, right)


def _is_marked(text: str, start: int, end: int) -> bool:
    """Whether the span stands in _italics_, which mark set names."""
    return text.count("_", 0, start) % 2 == 1 and "_" in text[end : end + 30]


def _is_flavor(surface: str, right: str, own_text: str) -> bool:
    """Whether the own card's text uses the words as a flavor or ability word: before a dash."""
    return f"{surface} —" in own_text or (right.startswith((" —", "—")) and f"{surface} " in own_text)


def _inside_larger(text: str, start: int, left: str, right: str, usage: Usage) -> float:
    """How much a capitalised neighbour speaks for a longer name that isn't known."""
    penalty = 0.0
    if (after := _PROPER_AFTER.match(right)) and after[1].lower() not in usage.subtypes:
        penalty += 6.0
    before = _PROPER_BEFORE.search(left)
    if before and not left.endswith(", ") and not at_sentence_start(text, start - len(left) + before.start(1)):
        penalty += 6.0
    return penalty


def _begins_title(right: str) -> float:
    """How much what follows speaks for a longer title: "Return to Ravnica"."""
    return 3.0 if _TITLE_AFTER.match(right) else 0.0


def _set_name(left: str, right: str) -> float:
    return 4.0 if _SET_AFTER.match(right) and _SET_BEFORE.search(left) else 0.0
