"""Finds a card's own name, whole or shortened, in its statements."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rulings.graph.card_names import OwnForm
from rulings.graph.homonyms import Usage, at_sentence_start

_POINTER = re.compile(
    r"\b(?:the|this|that|an?|another|each|both|either|your|one|two|every|other|of|second|original|last|copied) $",
    re.IGNORECASE,
)
_PHRASE_AFTER = re.compile(r"^(?: tempts|-[a-z])")
_THE = re.compile(r"\b(?:[Tt]he|[Tt]his|[Tt]hat) $")
_ARTICLE = re.compile(r"\b(?:an?|another|each|any|no|two|non|types?|subtypes?)[ -]$", re.IGNORECASE)
_IMPERATIVE = re.compile(
    r"^ (?:a|an|the|target|all|any|each|your|that|those|this|two|up|X|another|into|to|for|by|as)\b"
)
_TYPE_USE = re.compile(
    r"^s?[ -](?:tokens?|creatures?|permanents?|spells?|cards?|planeswalkers?|types?|subtypes?|"
    r"abilities|counters?|costs?|step|zone|keyword|you control|player)\b"
)
_PROPER_AFTER = re.compile(r"^(?: |-)[A-Z][a-z]")
_PROPER_BEFORE = re.compile(r"\b[A-Z][\w'-]+[ -]$")


@dataclass(frozen=True, slots=True)
class OwnHit:
    """An own name found. ``form`` is the form it was found by."""

    oracle_id: str
    start: int
    end: int
    form: OwnForm


def own_hits(text: str, own: Sequence[tuple[str, Sequence[OwnForm]]], usage: Usage) -> list[OwnHit]:
    """Find all uses of the own cards' names in a folded statement.

    Args:
        text: The folded statement.
        own: Oracle id and forms of each card that it is published on.
        usage: How words are used elsewhere.

    Returns:
        Hits in no fixed order; they may overlap.
    """
    hits = []
    lower = text.lower()
    sharing = Counter(form.form for _, forms in own for form in forms) if len(own) > 3 else None
    for oracle_id, forms in own:
        for form in forms:
            if sharing and not form.sure and 2 * sharing[form.form] < len(own):
                continue
            # A whole name of several words may be written in other capitals ("Poison-tip Archer").
            any_case = form.sure and " " in form.form
            place, phrase = (lower, form.form.lower()) if any_case else (text, form.form)
            start = place.find(phrase)
            while start >= 0:
                end = _word_end(text, start, start + len(phrase), form)
                if end and (text[start].isupper() or not any_case) and _accept(text, start, end, form, usage):
                    hits.append(OwnHit(oracle_id, start, end, form))
                start = place.find(phrase, start + 1)
    return hits


def _word_end(text: str, start: int, end: int, form: OwnForm) -> int | None:
    """Where the word ends, a plural ending included; None where the form is only a part of a word."""
    if start and (text[start - 1].isalnum() or (text[start - 1] == "-" and not form.sure)) and form.form[0].isalnum():
        return None
    stop = end
    while stop < len(text) and stop < end + 3 and text[stop].isalnum():
        stop += 1
    if not form.form[-1].isalnum() or stop == end:
        return end
    return stop if text[end:stop] in ("s", "es") else None


def _accept(text: str, start: int, end: int, form: OwnForm, usage: Usage) -> bool:
    left, right = text[max(0, start - 30) : start], text[end : end + 30]
    lower = form.form.lower()
    if form.sure:
        return _accept_sure(text, start, lower, right, usage)
    longer = _PHRASE_AFTER.match(right) or (_PROPER_AFTER.match(right) and lower not in usage.subtypes)
    if longer or _follows_capital(text, start, left):
        return False
    if not form.suffix and form.subtype:
        # A legend's first name that is a subtype of its own: "Gideon's ability", but not "a Gideon planeswalker".
        return not _TYPE_USE.match(right) and not _ARTICLE.search(left) and right[:2] != " e"
    typed = bool(_TYPE_USE.match(right))
    if lower in usage.subtypes or usage.is_term(lower):
        return form.suffix and form.subtype and bool(_THE.search(left)) and not typed and right[:1] != "s"
    rare = usage.lower.get(lower, 0) == 0 and " " not in lower
    if at_sentence_start(text, start):
        return rare and not typed
    return not typed or (rare and bool(_POINTER.search(left)))


def _accept_sure(text: str, start: int, lower: str, right: str, usage: Usage) -> bool:
    """Whether a whole name is the name; a common word may begin an instruction or be used as a type."""
    term = usage.is_term(lower)
    if " " in lower or not (term or usage.lower.get(lower, 0)):
        return True
    if at_sentence_start(text, start) and _IMPERATIVE.match(right):
        return False
    return not ((term or lower in usage.subtypes) and _TYPE_USE.match(right))


def _follows_capital(text: str, start: int, left: str) -> bool:
    """Whether the word before is a name or the like, so that the form is a part of something longer."""
    if not _PROPER_BEFORE.search(left) or _POINTER.search(left):
        return False
    word = start - len(left) + left.rstrip(" -").rfind(" ") + 1
    return not at_sentence_start(text, word)
