"""Scores of all statements for a question, and the few hundred of them that are worth ranking."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.index import Index
from rulings.search.question import Understood

Floats = NDArray[Any]  # float32; numpy types mixed arithmetic wider than it is

SURE = 0.5
RARE = 3.5
"""Concepts from this weight on (that of one in 800 statements) say much about what is asked."""
_OF_CONCEPT = 15
_MOST_CONCEPTS = 8
_EVEN = 1e-9
"""Scores that are spread less than this are all the same."""
_FUSED = 1.0, 0.15, 0.15
"""What the cosine, the words of the text and the words of names and text count for when candidates are chosen."""


@dataclass(frozen=True, slots=True)
class Scores:
    """What is worked out for all statements at once: similarity, BM25 over text, and over card names and text.

    ``levels`` are the mean and the standard deviation of ``cosine``, ``text`` and ``named``. `score_all` gives
    ``cosine`` to about 0.004, `scored_candidates` makes it exact for the candidates. ``rules`` are the cosines
    of rules, as near.
    """

    cosine: Floats
    rules: Floats
    text: Floats
    named: Floats
    levels: tuple[tuple[float, float], ...]
    card_text: Floats
    card_strength: Floats
    card_alike: Floats
    question: Floats
    vectors: Floats | None = None
    """The vectors of the candidates, where those were chosen."""

    def standard(self, rows: NDArray[np.intp]) -> tuple[Floats, Floats, Floats]:
        """``cosine``, ``text`` and ``named`` of some statements in standard deviations from the mean of all."""
        cosine, text, named = (
            (values[rows] - np.float32(mean)) / np.float32(deviation)
            if deviation > _EVEN
            else np.zeros(len(rows), np.float32)
            for values, (mean, deviation) in zip((self.cosine, self.text, self.named), self.levels, strict=True)
        )
        return cosine, text, named


@dataclass(frozen=True, slots=True)
class ByWords:
    """What a question's words and what was read out of them say, without its vector.

    ``text``, ``named`` and ``cards`` are BM25 of all statements over their text and over card names and text, and of
    all cards over theirs; ``levels`` the mean and the standard deviation of the first two. ``fused`` is what these
    two say together. ``strength`` and ``alike`` tell how surely each card is named, or works like a named one.
    ``chosen`` are statements worth ranking, ``some`` such of which only the first few by all scores are.
    """

    text: Floats
    named: Floats
    cards: Floats
    levels: tuple[tuple[float, float], tuple[float, float]]
    fused: Floats
    strength: Floats
    alike: Floats
    chosen: NDArray[np.intp]
    some: tuple[tuple[NDArray[np.int32], int], ...]


def score_words(index: Index, read: Understood) -> ByWords:
    """Score by words alone: needs no vector, and so can be done while the question is encoded."""
    text, named, cards = (part.scores(read.terms) for part in (index.text, index.named, index.card_text))
    strength = np.zeros(len(index.oracle_ids), np.float32)
    alike = np.zeros(len(index.oracle_ids), np.float32)
    for card in read.cards:
        strength[card.card] = max(strength[card.card], card.strength)
        others = index.alike.columns(card.card)
        np.maximum.at(alike, others, index.alike.values(card.card) * np.float32(card.strength))
    levels = _level(text), _level(named)
    _, *weights = _FUSED
    fused = sum(map(_weighed, (text, named), levels, weights), np.zeros_like(text))
    every = np.asarray([card.card for card in read.cards], np.intp)
    some = [
        (np.unique(index.published.gather_columns(found)[1]), most)
        for found, most in ((every, 150), (_best(alike, 60), 120), (_best(cards, 12), 40))
        if len(found)
    ]
    some += [(found, _OF_CONCEPT) for found in _about_concepts(index, read)]
    sure = np.asarray([card.card for card in read.cards if card.strength >= SURE], np.intp)
    chosen: list[NDArray[Any]] = [_best(text, 30), _best(named, 40), index.published.gather_columns(sure)[1]]
    return ByWords(text, named, cards, levels, fused, strength, alike, np.concatenate(chosen), tuple(some))


def score_all(
    index: Index, read: Understood, vector: Floats, words: ByWords | None = None, every: Floats | None = None
) -> Scores:
    """Score every statement, and every card, against a question with the encoder's ``vector``.

    ``words`` and ``every``, the cosines of the index's `QuickScan`, are taken where they were worked out already.
    """
    words = words or score_words(index, read)
    every = index.quick.cosines(vector) if every is None else every
    cosine, rules = np.split(every, [len(index.keys)])
    return Scores(
        cosine=cosine,
        rules=rules,
        text=words.text,
        named=words.named,
        levels=(index.moments.of_cosines(vector) if index.moments else _level(cosine), *words.levels),
        card_text=words.cards,
        card_strength=words.strength,
        card_alike=words.alike,
        question=vector,
    )


def scored_candidates(
    index: Index, read: Understood, vector: Floats, words: ByWords | None = None, every: Floats | None = None
) -> tuple[NDArray[np.intp], Scores]:
    """The statements worth ranking, ascending, and the scores of all statements, exact for those."""
    words = words or score_words(index, read)
    scores = score_all(index, read, vector, words, every)
    rows = candidates(index, scores, words)
    return rows, _exact(index, scores, rows)


def candidates(index: Index, scores: Scores, words: ByWords) -> NDArray[np.intp]:
    """The statements worth ranking, ascending.

    The best by each score, those of named, alike and described cards, their groups; no headings.
    """
    fused = words.fused + _weighed(scores.cosine, scores.levels[0], _FUSED[0])
    parts: list[NDArray[Any]] = [words.chosen, _best(fused, 120), _best(scores.cosine, 60)]
    parts += [
        found[np.lexsort((found, -fused[found]))[:most]] if len(found) > most else found for found, most in words.some
    ]
    chosen = np.unique(np.concatenate(parts))
    leaders = chosen[np.argsort(-fused[chosen], kind="stable")[:40]]
    siblings = [index.members(int(row))[:12] for row in leaders if index.group_sizes[row] > 1]
    both: NDArray[np.intp] = np.unique(np.concatenate([chosen, *siblings]))
    answers: NDArray[np.intp] = both[~index.headings[both]]
    return answers


def _about_concepts(index: Index, read: Understood) -> list[NDArray[np.int32]]:
    """The statements of each rare concept that the question names, or that a card it names has in its text."""
    places = {index.concept_places[c.concept] for c in read.concepts if c.weight >= SURE}
    for card in read.cards:
        if card.strength >= SURE:
            places.update(index.uses.columns(card.card).tolist())
    rare = sorted(place for place in places if index.concept_weights[place] >= RARE)
    return [
        index.tagged.columns(place)
        for place in sorted(rare, key=lambda p: (-index.concept_weights[p], p))[:_MOST_CONCEPTS]
    ]


def _exact(index: Index, scores: Scores, rows: NDArray[np.intp]) -> Scores:
    """The same with the exact cosines of some rows."""
    vectors = index.engine.of(rows)
    scores.cosine[rows] = vectors @ scores.question
    return replace(scores, vectors=vectors)


def _level(values: Floats) -> tuple[float, float]:
    """The mean and the standard deviation."""
    if not len(values):
        return 0.0, 0.0
    mean = float(values.mean())
    off = values - np.float32(mean)
    return mean, float(off @ off / len(off)) ** 0.5


def _weighed(values: Floats, level: tuple[float, float], weight: float) -> Floats:
    """Values in standard deviations from the mean, times a weight; nothing where all are the same."""
    mean, deviation = level
    if deviation <= _EVEN:
        return np.zeros_like(values)
    weighed: Floats = (values - np.float32(mean)) * np.float32(weight / deviation)
    return weighed


def _best(values: Floats, count: int) -> NDArray[np.intp]:
    """The positions of the greatest values above zero, at most ``count``; ties by position."""
    found = np.flatnonzero(values > 0)  # most are zero, and partition is slow over equal values
    kept = values[found]
    if len(found) > count:
        near = kept >= np.partition(kept, len(found) - count)[len(found) - count]
        found, kept = found[near], kept[near]
    return found[np.lexsort((found, -kept))[:count]]
