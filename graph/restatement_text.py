"""Normal forms of statements for comparison: own names masked, contractions opened, pointers and pronouns levelled."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rulings.graph.records import Analysis
from rulings.graph.stems import words
from rulings.graph.term_changes import today
from rulings.ingest import Card, Corpus, Statement, fold

SELF = "~"
_OTHER = "card-name"
_CONTRACTION = re.compile(r"\b(?:(can)not|(ca|wo|sha)n't|(\w+)n't|(\w+)'(ll|re|ve|d|m|s)(?= (\w+)|\b))\b")
_ENDINGS = {"ll": "will", "re": "are", "ve": "have", "d": "would", "m": "am"}
_STEMS = {"can": "can", "ca": "can", "wo": "will", "sha": "shall"}
_BEFORE_IS, _AFTER_IS = words("before-is"), words("after-is")
_TOKEN = re.compile(r"[~]|\{[^}]*\}|[+-]?\d+/[+-]?\d+|-?\d+|[a-z][a-z-]*[a-z]|[a-z]|[^\W\d_]+")
_POINTER = re.compile(
    r"(~(?: 's)?|\bits|\bthis card 's|\bthe) (?:first |second |third |fourth |fifth |last |middle |other |final )+"
    r"((?:triggered |activated |static |loyalty |mana )?abilit(?:y|ies))\b"
)
_LEVELLED = {
    "his or her": "their",
    "her or his": "their",
    "he or she": "they",
    "she or he": "they",
    "him or her": "them",
    "her or him": "them",
    "himself or herself": "themself",
    "he": "it",
    "she": "it",
    "him": "it",
    "himself": "it",
    "herself": "it",
    "his": "its",
}
_GENDERED = re.compile(rf"\b(?:{'|'.join(_LEVELLED)})\b")
_EXAMPLE = re.compile(
    r"(?:^|[.;!?] )(?:for example|for instance|so,? for example)\b[^.]*(?:\.|$)|\(?for example\b[^.)]*"
)
_EXAMPLE_NAME = re.compile(
    r"(\b(?:like|such as|due to|because of|including|for example, (?:by|with|due to|because of)) "
    r"(?:(?:that|those|the one) (?:of|on) |an? |the )?)"
    r"((?:[A-Z][\w'-]*,?(?: (?:of|the|to|and|in|for|from|a|an))*(?: |(?=[^\w])))+)"
)
_NUMBER_IN_EXAMPLE = re.compile(r"\{[^}]*\}|(?<![\w/])[+-]?\d+(?:/[+-]?\d+)?")
_ORDINAL = re.compile(r"\b(first|second|third|fourth|fifth|last|middle|other|final) (?=(?:\w+ )?abilit)")
_SMALL = frozenset({"a", "an", "the", "that", "then", "this", "also", "simply", "just"})


@dataclass(frozen=True, slots=True)
class NormalForm:
    """A statement ready for comparison.

    ``tokens`` are as published after levelling; ``modern`` the same in today's terms; ``sentences`` their count.
    ``same_key`` is equal
    for statements that say the same.
    """

    tokens: tuple[str, ...]
    modern: tuple[str, ...]
    sentences: int
    same_key: str


def own_names(cards: list[Card]) -> list[str]:
    """Give the names a statement on these cards may call its own card by, longest first, folded."""
    names: set[str] = set()
    for card in cards:
        wholes = {card.name, *card.name.split(" // "), *(face.name for face in card.faces)}
        for whole in {fold(name).removeprefix("A-") for name in wholes}:
            names.add(whole)
            legendary = "Legendary" in card.type_line or "Planeswalker" in card.type_line
            if "," in whole:
                names.add(whole.split(",")[0])
            if legendary:
                short = re.split(r",| of | the | from | and ", whole)[0]
                names |= {short, short.split(" ")[0]} - {"The", "A", "An"}
    return sorted((name for name in names if len(name) > 2), key=lambda name: (-len(name), name))


def mask_own(statement: Statement, corpus: Corpus, analysis: Analysis | None = None) -> str:
    """Give the folded text with the own card's name as ``~`` and, in examples, other cards' names masked."""
    text = statement.text
    if analysis is not None:
        for start, end, mask in sorted([(r.start, r.end, SELF) for r in analysis.self_references], reverse=True):
            text = text[:start] + mask + text[end:]
    text = fold(text)
    cards = [corpus.cards[i] for i in statement.oracle_ids if i in corpus.cards]
    for name in own_names(cards):
        if name in text:
            text = _with_self(text, name)
    return text


def _with_self(text: str, name: str) -> str:
    """Put ``~`` for a name that stands as a word; plain search, for a pattern a name costs more than the whole rest."""
    parts, kept, start = [], 0, text.find(name)
    while start >= 0:
        end = start + len(name)
        if _in_word(text[start - 1 : start]) or _in_word(text[end : end + 1]):
            start = text.find(name, start + 1)
            continue
        parts += [text[kept:start], SELF]
        kept = end
        start = text.find(name, end)
    return "".join([*parts, text[kept:]])


def _in_word(char: str) -> bool:
    return char.isalnum() or char in {"_", "-"}


def normal_form(masked: str, names: Mapping[str, object] | frozenset[str] = frozenset()) -> NormalForm:
    """Level a text whose own names are masked; those of ``names`` (folded) given as examples are masked too."""
    text = _EXAMPLE_NAME.sub(lambda m: _mask_example(m, names), masked) if names else masked
    text = levelled(text)
    sentences = len(re.findall(r"[a-z0-9~)\"}][.!?](?:[\")]|\s|$)", text))
    text = re.sub(r"(?<=\w)'s\b", " 's", text)
    modern = today(text)
    tokens, new_tokens = _tokens(text), _tokens(modern)
    said = _EXAMPLE.sub(lambda m: _NUMBER_IN_EXAMPLE.sub("0", m[0]), text)
    return NormalForm(tokens, new_tokens, max(1, sentences), " ".join(_sorted_pairs(_tokens(said))))


def _mask_example(match: re.Match[str], names: Mapping[str, object] | frozenset[str]) -> str:
    name = match[2].strip().rstrip(",").removesuffix("'s").strip()
    if name in names:
        return f"{match[1]}{_OTHER}{match[2][len(match[2].rstrip()) :]}"
    return match[0]


def levelled(text: str) -> str:
    """Lower a folded text, open its contractions, and level genders and pointers to abilities."""
    text = text.lower()
    if "'" in text or "cannot" in text:
        text = _CONTRACTION.sub(_opened, text)
    text = re.sub(rf"{SELF}'s?", f"{SELF} 's", text)
    text = _GENDERED.sub(lambda m: _LEVELLED[m[0]], text)
    return _POINTER.sub(r"\1 \2", text) if "abilit" in text else text


def _opened(match: re.Match[str]) -> str:
    can, irregular, negated, word, ending, after = match.groups()
    if can or irregular:
        return f"{_STEMS[can or irregular]} not"
    if negated:
        return f"{negated} not"
    if ending == "s":
        return f"{word} is" if word in _BEFORE_IS or after in _AFTER_IS else match[0]
    return f"{word} {_ENDINGS[ending]}"


def _tokens(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(text))


def _sorted_pairs(tokens: tuple[str, ...]) -> list[str]:
    """Leave small words out and order the two sides of each "x or y" and "x and y"."""
    kept = [token for token in tokens if token not in _SMALL]
    for i in range(1, len(kept) - 1):
        if kept[i] in {"or", "and"} and kept[i - 1] > kept[i + 1] and kept[i - 1].isalpha() and kept[i + 1].isalpha():
            kept[i - 1], kept[i + 1] = kept[i + 1], kept[i - 1]
    return kept


_SENTENCE_START = re.compile(r"(?:^|[.:;!?]\s+|[\"(—]\s*)\W*[A-Z][\w'-]*")
_PROPER = re.compile(r"\b[A-Z][\w'-]+")


def pointers(masked: str) -> tuple[str, ...]:
    """Give the words that tell which ability of a card a text speaks of, in order."""
    return tuple(_ORDINAL.findall(masked.lower())) if "abilit" in masked else ()


def proper_words(masked: str) -> frozenset[str]:
    """Give the words, in lower case, that have a capital inside a sentence: names, subtypes, some keywords."""
    inside = _SENTENCE_START.sub(" ", masked)
    return frozenset(word.lower().removesuffix("'s") for word in _PROPER.findall(inside))
