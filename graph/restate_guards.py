"""Guards that tell a rewording from a ruling with another number, negation, colour, type, keyword or outcome."""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from rapidfuzz.distance import Indel

from rulings.graph.stems import stem, words
from rulings.ingest import Edition

Verdict = Literal["restates", "rewords"]

_HARD = ("number", "negation", "colour", "type", "zone", "outcome", "condition")
_FREE, _SWAPPED = words("free"), words("swapped")
_TRYING = re.compile(r"(?<=not resolve) (?:as|when) it tries to resolve\b")
_NOT = re.compile(
    r"\b(?:can|could|will|would|do|does|did|is|are|was|were|has|have|should|may) not\b|\bfails? to\b|\bunable to\b"
)
_ONE = re.compile(r"\b(different|another|new|which|this|each|no|the|that) one\b")
_LEAST_ALIKE = 0.6


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What guards compare: the hard words in order, and the other words that carry meaning."""

    hard: tuple[str, ...]
    soft: Counter[str] = field(compare=False)
    stems: tuple[str, ...] = field(compare=False)
    sentences: int = field(compare=False, default=1)


class Guards:
    """Compares statements word by word; the keywords and actions of ``edition`` are guarded besides listed words."""

    def __init__(self, edition: Edition | None = None) -> None:
        self._hard = {stem(word) for kind in _HARD for word in words(kind)}
        if edition is not None:
            for rule in edition.rules.values():
                if re.fullmatch(r"70[12]\.\d+", rule.number) and len(rule.text) < 40:
                    self._hard |= {stem(word) for word in re.findall(r"[a-z-]+", rule.text.lower())} - _FREE

    def fingerprint(self, modern: tuple[str, ...], sentences: int, proper: frozenset[str] = frozenset()) -> Fingerprint:
        """Split a statement's words, in today's terms, into hard and soft ones; ``proper`` ones are hard too."""
        text = _ONE.sub(r"\1 it", _NOT.sub("not", " ".join(modern))).replace("you control", "youcontrol")
        text = _TRYING.sub("", text)
        stems = tuple(stem(word) for word in text.split())
        own = {stem(word) for word in proper}
        hard = tuple(
            word
            for word in stems
            if word in self._hard or word in own or (not word.isalpha() and word not in {"~", "enters-the-battlefield"})
        )
        soft = Counter(
            word
            for word in stems
            if word not in _FREE and word not in self._hard and word not in own and word.isalpha()
        )
        return Fingerprint(hard, soft, stems, sentences)


def verdict(first: Fingerprint, second: Fingerprint) -> tuple[Verdict, float] | None:
    """Say how two statements of equal hard words relate, with a confidence; None where a guard refuses.

    Refused: any hard word added, lost or moved; other nouns for the thing spoken of; whole phrases or sentences on
        one side only.
    """
    if first.hard != second.hard:
        return None
    left, right = first.soft - second.soft, second.soft - first.soft
    if set(left) & _SWAPPED and set(right) & _SWAPPED:
        return None
    lost, gained = left.total(), right.total()
    size = max(1, min(len(first.stems), len(second.stems)))
    if abs(first.sentences - second.sentences) > (1 if lost + gained <= 2 else 0):
        return None
    if max(lost, gained) > max(1, round(0.1 * size)) + 1 or abs(lost - gained) > 3:
        return None
    alike = Indel.normalized_similarity(first.stems, second.stems)
    if alike < _LEAST_ALIKE:
        return None
    return "rewords", round(alike * (1 - 0.5 * (lost + gained) / (2 * size)), 3)
