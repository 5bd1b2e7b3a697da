"""How sure it is that any ruling answers a question: a logistic model over what was read and what was found."""

import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from rulings.search.candidates import Scores
from rulings.search.index import Index
from rulings.search.question import Understood
from rulings.search.words import STOP_WORDS, split_words, stem

Floats = NDArray[np.float32]

CUES = (
    "top_cosine", "mean_cosine", "gap", "spread_of_scores", "text_share", "named_cards", "weak_names",
    "concepts",  "unknown_words", "game_words", "off_topic", "top_named", "made_up",
    "examples_nearest", "examples_mean",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Confidence:
    """Weights of the cues, an offset, and the confidence below which a question is declined."""

    weights: Floats
    offset: float
    threshold: float

    def of(self, cues: Floats) -> float:
        """The chance, 0..1, that a ruling answers the question."""
        return round(1 / (1 + math.exp(-float(cues @ self.weights) - self.offset)), 4)


def default_confidence() -> Confidence:
    """The model that comes with the program."""
    record = json.loads((resources.files("rulings.search") / "data" / "confidence.json").read_text("utf-8"))
    weights = np.array([record["weights"].get(cue, 0.0) for cue in CUES], np.float32)
    return Confidence(weights, record["offset"], record["threshold"])


@cache
def off_topic_words() -> dict[str, dict[str, float]]:
    """Words and phrases of questions that no ruling answers, with their weight, by language."""
    table: dict[str, dict[str, float]] = {}
    text = (resources.files("rulings.search") / "data" / "off_topic.tsv").read_text("utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            language, phrase, weight = line.split("\t")
            table.setdefault(language, {})[" ".join(split_words(phrase))] = float(weight)
    return table


def word_cues(index: Index, read: Understood) -> dict[str, float]:
    """The cues that need no more than what was read, and so can be had while the question is encoded."""
    words = [word for word in split_words(read.english) if word not in STOP_WORDS]
    known = [stem(word) in index.text or word in index.text for word in words]
    strengths = [card.strength for card in read.cards]
    named = {place for card in read.cards if card.strength > 0.6 for place in range(card.start, card.stop)}
    unnamed = Counter(word for place, word in enumerate(read.words) if place not in named and word not in STOP_WORDS)
    unknown = [word for word in unnamed if word.isalpha() and len(word) > 3 and not index.names.is_plain(word)]
    return {
        "named_cards": max(strengths, default=0.0),
        "weak_names": float(0.2 < max(strengths, default=0.0) < 0.6),
        "concepts": _understood(read, named),
        "unknown_words": min(4, len(unknown)) / 4 if read.language == "en" else 0.0,
        "game_words": sum(known) / max(1, len(words)),
        "off_topic": min(3.0, _off_topic(read)),
        "made_up": float(any(_made_up(word, index) for word in unknown)),
    }


def read_cues(
    index: Index,
    read: Understood,
    scores: Scores,
    ranked: Floats,
    top_named: float,
    words: Mapping[str, float] | None = None,
) -> Floats:
    """The cues of a question, as in `CUES`.

    ``ranked`` are the values of the ranker in falling order, ``top_named`` is how strongly the best result's card is
    named, ``words`` what `word_cues` gave where that was asked already.
    """
    cosine, lexical = scores.cosine, scores.text
    off_near, on_near = index.off_topic @ scores.question, index.on_topic @ scores.question
    best = (
        np.sort(np.partition(cosine, max(0, len(cosine) - 10))[-10:])[::-1] if len(cosine) else np.zeros(1, np.float32)
    )
    values = {
        **(word_cues(index, read) if words is None else words),
        "top_cosine": float(best[0]),
        "mean_cosine": float(best.mean()),
        "gap": float(ranked[0] - ranked[min(9, len(ranked) - 1)]) / 5 if len(ranked) else 0.0,
        "spread_of_scores": float(ranked.std()) / 5 if len(ranked) else 0.0,
        "text_share": float(lexical.max()) / (4 * max(4, len(set(read.terms)))) if len(lexical) else 0.0,
        "top_named": top_named,
        "examples_nearest": float(off_near.max() - on_near.max()),
        "examples_mean": float(np.sort(off_near)[-8:].mean() - np.sort(on_near)[-8:].mean()),
    }
    return np.array([values[cue] for cue in CUES], np.float32)


def _understood(read: Understood, named: set[int]) -> float:
    """The share of a question's words, stop words apart, that name a concept or a card."""
    covered = named | {place for concept in read.concepts for place in range(concept.start, concept.stop)}
    content = [place for place, word in enumerate(read.words) if word not in STOP_WORDS]
    return sum(place in covered for place in content) / max(4, len(content))


def _off_topic(read: Understood) -> float:
    table = off_topic_words()
    phrases = table.get("en", {}) | table.get(read.language, {})
    total = 0.0
    for length in (1, 2, 3, 4):
        for start in range(len(read.words) - length + 1):
            total += phrases.get(" ".join(read.words[start : start + length]), 0.0)
    return total


def _made_up(word: str, index: Index) -> bool:
    """Whether a word is in no name and no text, and not a small misspelling of one."""
    return len(word) > 5 and word not in index.names.positions and not index.names.speller.nearest(word, 1)
