"""Guards that tell a rewording from a ruling with another number, negation, colour, type, keyword, condition or outcome."""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from rapidfuzz.distance import Indel

from rulings.ingest import Edition

Verdict = Literal["restates", "rewords"]

_NUMBERS = (
    "zero two three four five six seven eight nine ten eleven twelve thirteen twenty once twice thrice half double triple twelfth "
    "second third fourth fifth single both x y z"
)
_NEGATIONS = (
    "not no never nor neither without unless except none nothing instead rather cease unable illegal nonland noncreature nontoken "
    "nonbasic regardless"
)
_COLOURS = "white blue black red green colorless multicolored monocolored gold color colors"
_TYPES = (
    "artifact battle creature enchantment instant sorcery land planeswalker kindred legendary basic snow plains island swamp mountain "
    "forest equipment aura vehicle saga token emblem dungeon plane scheme nonartifact"
)
_ZONES = "battlefield graveyard hand library exile stack command"
_OUTCOMES = (
    "die enter leave destroy return lose gain draw deal prevent counter resolve trigger attack block tap untap target win damage life "
    "sacrifice discard copy pay power toughness indestructible cast skip prevent regenerate legal mulligan loyalty remove"
)
_CONDITIONS = (
    "opponent opponents owner youcontrol before after until during all any more less most least greater fewer higher lower "
    "first last next previous beginning end upkeep combat main turn step phase another other simultaneously same different must may can "
    "again cost mana value time top bottom up down controller defending attacking blocking face tapped untapped additional "
    "alternative if when whenever while"
)
_FREE = frozenset(
    "a an the that then this these those also simply just it they its their them themself you your ~ s which who whom be is are was were been "
    "being become becomes became will would do does did have has had as of to for with in on by at so either and or there here such get gets "
    "go going somehow put each only still already always actually about into onto from like when one player players instead however therefore note remember".split()
) - frozenset("instead when".split())
_SWAPPED = frozenset("ability spell permanent card token source object player effect counter".split())
_IRREGULAR = {
    "chosen": "choose",
    "chose": "choose",
    "dealt": "deal",
    "left": "leave",
    "dying": "die",
    "died": "die",
    "lost": "lose",
    "paid": "pay",
    "drawn": "draw",
    "drew": "draw",
    "won": "win",
    "became": "become",
    "taken": "take",
    "given": "give",
    "copied": "copy",
    "abilities": "ability",
    "beneath": "under",
    "whenever": "when",
    "won't": "not",
    "goes": "go",
    "gets": "get",
    "bring": "get",
    "dies": "die",
    "does": "do",
    "whose": "who",
    "lies": "lie",
    "player's": "player",
    "understood": "understand",
    "cards": "card",
}
# Forms that mean something else than their stem: "tapped" is a state, "attacking creature" a kind of creature.
_KEPT = frozenset(
    "tapped untapped attacking blocking during always this plains unless during beginning countered previous".split()
)
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
    """Compares statements word by word. The keywords and actions of ``edition`` are guarded besides the built-in words."""

    def __init__(self, edition: Edition | None = None) -> None:
        words = " ".join((_NUMBERS, _NEGATIONS, _COLOURS, _TYPES, _ZONES, _OUTCOMES, _CONDITIONS)).split()
        self._hard = {stem(word) for word in words}
        if edition is not None:
            for rule in edition.rules.values():
                if re.fullmatch(r"70[12]\.\d+", rule.number) and len(rule.text) < 40:
                    self._hard |= {stem(word) for word in re.findall(r"[a-z-]+", rule.text.lower())} - _FREE

    def fingerprint(self, modern: tuple[str, ...], sentences: int, proper: frozenset[str] = frozenset()) -> Fingerprint:
        """Split today's words of a statement into hard and soft ones. ``proper`` are names and subtypes, guarded too."""
        text = _ONE.sub(r"\1 it", _NOT.sub("not", " ".join(modern))).replace("you control", "youcontrol")
        text = _TRYING.sub("", text)
        stems = tuple(stem(word) for word in text.split())
        own = {stem(word) for word in proper}
        hard = tuple(
            word
            for word in stems
            if word in self._hard or word in own or not word.isalpha() and word not in {"~", "enters-the-battlefield"}
        )
        soft = Counter(
            word
            for word in stems
            if word not in _FREE and word not in self._hard and word not in own and word.isalpha()
        )
        return Fingerprint(hard, soft, stems, sentences)


def verdict(first: Fingerprint, second: Fingerprint) -> tuple[Verdict, float] | None:
    """Say how two statements of equal hard words relate, with a confidence; None where a guard refuses.

    Refused: any hard word added, lost or moved; other nouns for the thing spoken of; whole phrases or sentences on one side only.
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


def stem(word: str) -> str:
    """Cut a word's ending so that its forms compare equal; not a word of the language."""
    word = _IRREGULAR.get(word, word)
    if word in _KEPT or len(word) < 4 or word.endswith(("ss", "us")):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    for ending in ("ing", "ed", "es", "s"):
        root = word.removesuffix(ending)
        if root != word and len(root) > 2:
            if ending in {"ing", "ed"} and root[-1] == root[-2] and root[-1] not in "ls":
                root = root[:-1]
            return root.removesuffix("e")
    return word.removesuffix("e")
