"""Cards that work alike: for each card those whose rules text does the same thing, with a score each.

A card's text becomes word stems, pairs and triples (own name, numbers and mana symbols masked), with its card types and
keywords, weighted by inverse document frequency; likeness is the cosine. Terms on very many cards are left out of the
products, so that the cost stays near linear: no card is compared with all others.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from rulings.graph.likeness import Likeness
from rulings.graph.tfidf import Tfidf, nearest_rows
from rulings.ingest import Card, Corpus

COUNT = 40
"""How many cards are kept for each, at most."""

LEAST = 0.12
"""A likeness below this says nothing."""

_SYMBOL = re.compile(r"\{[^}]*\}")
_NUMBER = re.compile(r"[+-]?\d+(?:/[+-]?\d+)?")
_WORD = re.compile(r"[a-z~#¤']+")
_REMINDER = re.compile(r"\([^)]*\)")
_STOP = frozenset(
    {
        "a",
        "an",
        "the",
        "of",
        "to",
        "and",
        "or",
        "it",
        "its",
        "is",
        "are",
        "be",
        "that",
        "this",
        "you",
        "your",
        "on",
        "in",
    }
    | {"for", "with", "as", "at", "by", "if", "may", "from"}
)


def works_like(corpus: Corpus, count: int = COUNT) -> Likeness:
    """Give each card with rules text the cards most alike, best first, ties by oracle id."""
    ids = [oracle_id for oracle_id, card in corpus.cards.items() if card.text.strip()]
    starts, others, scores = [0], [np.zeros(0, np.int32)], [np.zeros(0, np.float32)]
    if len(ids) > 1:
        most = max(50.0, 12 * len(ids) ** 0.5) / len(ids)
        rows = Tfidf([list(terms(corpus.cards[oracle_id])) for oracle_id in ids], rarest=2, commonest=most).rows
        for row, columns, values in nearest_rows(rows, rows, count + 1, LEAST):
            kept = np.flatnonzero(columns != row)[:count]
            others.append(columns[kept].astype(np.int32))
            scores.append(values[kept])
            starts.append(starts[-1] + len(kept))
    rounded = np.minimum(1.0, np.concatenate(scores).astype(np.float64).round(4))
    return Likeness(ids[: len(starts) - 1], np.array(starts, np.int64), np.concatenate(others), rounded)


def terms(card: Card) -> Iterator[str]:
    """The terms of a card's rules text: stems, pairs and triples inside a sentence, and its types and keywords."""
    for face in card.faces or ():
        text = _masked(face.text, (face.name, face.name.split(",")[0]))
        for sentence in re.split(r"[.:\n—•]", text):
            words = [_stem(word) for word in _WORD.findall(sentence)]
            yield from (word for word in words if word not in _STOP)
            yield from map(" ".join, pairwise(words))
            yield from map(" ".join, zip(words, words[1:], words[2:], strict=False))
    yield from (f"type:{word}" for word in card.type_line.split("—")[0].lower().split())
    yield from (f"keyword:{keyword.lower()}" for keyword in card.keywords)


def _masked(text: str, names: tuple[str, ...]) -> str:
    for name in names:
        text = text.replace(name, "~")
    text = _REMINDER.sub("", text)
    return _NUMBER.sub("#", _SYMBOL.sub("¤", text)).lower()


def _stem(word: str) -> str:
    for ending in ("'s", "ies", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word
