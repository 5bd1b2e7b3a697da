"""What a card's rules text copies: the kinds of object, and as what."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from rulings.ingest import Card

SPELL, ABILITY, TOKEN, BECOMES, CARD = "spell copy", "ability copy", "token", "becomes a copy", "card copy"

KINDS = (
    "activated ability",
    "triggered ability",
    "loyalty ability",
    "ability",
    "spell",
    "card",
    "token",
    "permanent",
    "planeswalker",
    "creature",
    "artifact",
    "enchantment",
    "land",
)
"""The kinds of object that can be copied, in the order in which the last word of a phrase decides."""

_TYPES = ("planeswalker", "creature", "artifact", "enchantment", "land", "permanent")
_COPY = re.compile(r"\bcop(?:y|ies|ied|ying)\b", re.IGNORECASE)
_OBJECT = re.compile(
    r"(?P<both>activated(?:,)? or triggered abilit(?:y|ies)|activated, triggered, or loyalty abilit(?:y|ies))"
    r"|(?P<ability>activated abilit(?:y|ies)|triggered abilit(?:y|ies)|loyalty abilit(?:y|ies)|\babilit(?:y|ies)\b)"
    r"|(?P<spell>\bspells?\b)|(?P<card>\bcards?\b)|(?P<token>\btokens?\b)"
    r"|(?P<type>\b(?:planeswalker|creature|artifact|enchantment|land|permanent)s?\b)",
    re.IGNORECASE,
)
_AS_TOKEN = re.compile(
    r"tokens? (?:that(?:’s|'s| is| are|’re|'re) (?:each )?(?:a |tapped )?cop(?:y"
    r"|ies) of|that(?:’s|'s) (?:attacking|tapped)[^.]*?cop(?:y|ies) of)"
    r"|token cop(?:y|ies) of|cop(?:y|ies) of it[^.]*tokens?",
    re.IGNORECASE,
)
_AS_COPY = re.compile(
    r"(?:becom(?:e|es|ing)|enters?(?: the battlefield)?(?: tapped)? as"
    r"|comes into play as|turned face up as|is|are) (?:a |each )?cop(?:y|ies) of",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"(?<!\bthe )(?<!\ba )(?<!\bthat )(?<!\beach )(?<!\bthose )\bcop(?:y|ies|ied)\b(?! of)", re.IGNORECASE
)
_PRONOUN = re.compile(r"\s*(?:it|them|that|those)\b(?! (?:spell|card|ability|creature|permanent|token))", re.IGNORECASE)
_ACTIVATED = re.compile(r"\bactivates? (?:an|one or more|a \w+) abilit", re.IGNORECASE)
_TRIGGERED = re.compile(r"\babilit(?:y|ies)\b[^.]{0,60}\btriggers?\b", re.IGNORECASE)
_KEYWORDS = {
    "storm": ("spell", SPELL),
    "gravestorm": ("spell", SPELL),
    "replicate": ("spell", SPELL),
    "conspire": ("spell", SPELL),
    "casualty": ("spell", SPELL),
    "demonstrate": ("spell", SPELL),
    "cipher": ("card", CARD),
    "embalm": ("card", TOKEN),
    "eternalize": ("card", TOKEN),
    "encore": ("card", TOKEN),
    "populate": ("token", TOKEN),
    "myriad": ("creature", TOKEN),
    "squad": ("creature", TOKEN),
    "offspring": ("creature", TOKEN),
    "unearth copy": ("card", TOKEN),
}


@dataclass(frozen=True, slots=True)
class CopyKind:
    """A kind of object that is copied, and what the copy is."""

    copied: str
    result: str


@lru_cache(maxsize=65536)
def copies_of(card: Card) -> tuple[CopyKind, ...]:
    """Give what the card copies, in the order of its text; nothing for a card that doesn't copy."""
    found: dict[CopyKind, None] = {}
    for face in card.faces:
        for sentence in re.split(r"(?<=[.)])\s|\n", face.text):
            for kind in _sentence_kinds(sentence):
                found[kind] = None
    for keyword in card.keywords:
        copied = _KEYWORDS.get(keyword.lower())
        if copied:
            found[CopyKind(*copied)] = None
    return tuple(found)


def _sentence_kinds(sentence: str) -> Iterator[CopyKind]:
    if not _COPY.search(sentence):
        return
    as_token, as_copy = _AS_TOKEN.search(sentence), _AS_COPY.search(sentence)
    if as_token or as_copy:
        cue = as_token or as_copy
        if cue:
            result = TOKEN if as_token else BECOMES
            kinds = named_kinds(sentence[cue.end() : cue.end() + 90]) or named_kinds(sentence[: cue.start()])[-1:]
            yield from (CopyKind(kind, result) for kind in kinds[:2] or ("permanent",))
        return
    verb = _VERB.search(sentence)
    if verb:
        before = named_kinds(_last_noun(sentence[: verb.start()]))
        pronoun = _PRONOUN.match(sentence, verb.end())
        kinds = () if pronoun else named_kinds(sentence[verb.end() : verb.end() + 80])
        for kind in kinds[:2] or before[-1:] or ("spell",):
            exact = _exact_ability(sentence) if kind == "ability" else kind
            yield CopyKind(exact, result_of(exact))


def _last_noun(phrase: str) -> str:
    """The phrase from its last kind of object that a spell or ability is, which is what a pronoun stands for."""
    starts = [found.start() for found in _OBJECT.finditer(phrase) if found.lastgroup != "type"]
    return phrase[starts[-1] :] if starts else phrase


def _exact_ability(sentence: str) -> str:
    if _ACTIVATED.search(sentence):
        return "activated ability"
    return "triggered ability" if _TRIGGERED.search(sentence) else "ability"


def result_of(kind: str) -> str:
    """What the copy of a kind of object is where nothing else is said."""
    if kind == "spell":
        return SPELL
    if kind.endswith("ability"):
        return ABILITY
    return CARD if kind == "card" else BECOMES


def named_kinds(phrase: str) -> tuple[str, ...]:
    """The kinds of object that a phrase names, up to the end of its first noun phrase.

    The last of adjacent words decides: a creature card is a card, an artifact token a token, an instant or sorcery
    spell a spell; "artifact or creature" are two.
    """
    kinds: list[str] = []
    last_end = None
    for found in _OBJECT.finditer(phrase):
        between = phrase[last_end : found.start()] if last_end is not None else ""
        if last_end is not None and not re.fullmatch(
            r"[\s,]*(?:(?:or|and|and/or)\s+)?(?:(?:another|target|legendary|nontoken|noncreature|a|an)\s+)*", between
        ):
            break
        word = found[0].lower()
        kind = found.lastgroup
        if kind == "both":
            kinds += ["activated ability", "triggered ability"]
        elif kind == "ability":
            kinds.append(re.sub(r"abilities$", "ability", word))
        elif kind in {"spell", "card", "token"}:
            # "creature card", "artifact or creature token": the types before it only describe it.
            if not between.strip(" ,") or kinds:
                kinds = [k for k in kinds if k not in _TYPES] if last_end is not None else kinds
            kinds.append(str(kind))
        else:
            kinds.append(word.rstrip("s") if word != "planeswalkers" else "planeswalker")
        last_end = found.end()
    return tuple(dict.fromkeys(kinds))
