"""The signals of each candidate for a question: words, vectors, named cards, cards alike, concepts, groups, age."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.index import Index
from rulings.search.named_signals import named_signals
from rulings.search.question import Understood
from rulings.search.spread import spread
from rulings.search.surroundings import Surroundings, best_of

Floats = NDArray[Any]  # float32; numpy types mixed arithmetic wider than it is

NAMES = (
    "cosine", "cosine_z", "cosine_gap", "text_z", "text_share", "named_z", "named_share", "card_text",
    "card_text_best", "named", "named_second", "alike", "alike_cosine", "mentions_named", "concepts",
    "main_concept", "other_concepts", "card_concepts", "card_cosine", "group_cosine", "group_size",
    "feedback", "spread", "named_uses", "alike_rank", "keyword", "cards", "length", "age", "outdated",
    "question_names", "question_cards", "question_length", "foreign", "question_cosine", "question_concepts",
    "touched", "about_and_mentions",
)  # fmt: skip
"""The columns of a matrix of signals."""

_FEEDBACK = 4
_OF_CONCEPT = 15
_MOST_CONCEPTS = 8
_RARE = 3.5
"""Concepts from this weight on (that of one in 800 statements) say much about what is asked."""
_SURE = 0.5
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

    def fused(self) -> Floats:
        """What the three say together of every statement, in standard deviations of the cosine from the mean."""
        total = np.zeros_like(self.cosine)
        for values, (mean, deviation), weight in zip(
            (self.cosine, self.text, self.named), self.levels, _FUSED, strict=True
        ):
            if deviation > _EVEN:
                total += (values - np.float32(mean)) * np.float32(weight / deviation)
        return total

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
class WordScores:
    """BM25 of all statements over their text and over card names and text, and of all cards over theirs."""

    text: Floats
    named: Floats
    cards: Floats


def score_words(index: Index, read: Understood) -> WordScores:
    """Score by words alone: needs no vector, and so can be done while the question is encoded."""
    return WordScores(index.text.scores(read.terms), index.named.scores(read.terms), index.card_text.scores(read.terms))


def score_all(
    index: Index, read: Understood, vector: Floats, words: WordScores | None = None, every: Floats | None = None
) -> Scores:
    """Score every statement, and every card, against a question with the encoder's ``vector``.

    ``words`` and ``every``, the cosines of the index's `QuickScan`, are taken where they were worked out already.
    """
    strength = np.zeros(len(index.oracle_ids), np.float32)
    alike = np.zeros(len(index.oracle_ids), np.float32)
    for card in read.cards:
        strength[card.card] = max(strength[card.card], card.strength)
        others = index.alike.columns(card.card)
        np.maximum.at(alike, others, index.alike.values(card.card) * np.float32(card.strength))
    words = words or score_words(index, read)
    every = index.quick.cosines(vector) if every is None else every
    cosine, rules = np.split(every, [len(index.keys)])
    return Scores(
        cosine=cosine,
        rules=rules,
        text=words.text,
        named=words.named,
        levels=(_level(cosine), _level(words.text), _level(words.named)),
        card_text=words.cards,
        card_strength=strength,
        card_alike=alike,
        question=vector,
    )


def scored_candidates(
    index: Index, read: Understood, vector: Floats, words: WordScores | None = None, every: Floats | None = None
) -> tuple[NDArray[np.intp], Scores]:
    """The statements worth ranking, ascending, and the scores of all statements, exact for those."""
    scores = score_all(index, read, vector, words, every)
    rows = candidates(index, read, scores)
    return rows, _exact(index, scores, rows)


def candidates(index: Index, read: Understood, scores: Scores) -> NDArray[np.intp]:
    """The statements worth ranking, ascending.

    The best by each score, those of named, alike and described cards, their groups; no headings.
    """
    fused = scores.fused()
    parts: list[NDArray[Any]] = [
        _best(fused, 120),
        _best(scores.cosine, 60),
        _best(scores.text, 30),
        _best(scores.named, 40),
    ]
    named = [card.card for card in read.cards]
    for cards, most in ((named, 150), (_best(scores.card_alike, 60), 120), (_best(scores.card_text, 12), 40)):
        if not len(cards):
            continue
        found = np.unique(index.published.gather_columns(np.asarray(cards))[1])
        parts.append(found[np.lexsort((found, -fused[found]))[:most]])
    parts += [found[np.lexsort((found, -fused[found]))[:_OF_CONCEPT]] for found in _about_concepts(index, read)]
    sure = np.asarray([card.card for card in read.cards if card.strength >= _SURE], np.intp)
    parts.append(index.published.gather_columns(sure)[1])
    chosen = np.unique(np.concatenate(parts))
    leaders = chosen[np.argsort(-fused[chosen], kind="stable")[:40]]
    siblings = [index.members(int(row))[:12] for row in leaders if index.group_sizes[row] > 1]
    both: NDArray[np.intp] = np.unique(np.concatenate([chosen, *siblings]))
    answers: NDArray[np.intp] = both[~index.headings[both]]
    return answers


def _about_concepts(index: Index, read: Understood) -> list[NDArray[np.int32]]:
    """The statements of each rare concept that the question names, or that a card it names has in its text."""
    places = {index.concept_places[c.concept] for c in read.concepts if c.weight >= _SURE}
    for card in read.cards:
        if card.strength >= _SURE:
            places.update(index.uses.columns(card.card).tolist())
    rare = sorted(place for place in places if index.concept_weights[place] >= _RARE)
    return [
        index.tagged.columns(place)
        for place in sorted(rare, key=lambda p: (-index.concept_weights[p], p))[:_MOST_CONCEPTS]
    ]


def signals(index: Index, read: Understood, scores: Scores, rows: NDArray[np.intp]) -> Floats:
    """The matrix of signals of some statements: a row each, columns as in `NAMES`."""
    cosine = scores.cosine
    top = float(cosine.max())
    z, text_z, named_z = scores.standard(rows)
    near = Surroundings.of(index, rows)
    out: dict[str, Floats | float] = {"cosine": cosine[rows], "cosine_z": z, "cosine_gap": cosine[rows] - top}
    for name, values, standard in (("text", scores.text, text_z), ("named", scores.named, named_z)):
        out[f"{name}_z"] = standard
        out[f"{name}_share"] = values[rows] / max(float(values.max()), 1e-6)
    out["card_text"] = near.best_card(scores.card_text) / np.float32(max(float(scores.card_text.max()), 1e-6))
    out["card_text_best"] = np.square(out["card_text"])
    out["named"], out["named_second"] = _two_best(near.owner, scores.card_strength[near.cards], len(rows))
    out["alike"] = near.best_card(scores.card_alike)
    out["alike_cosine"] = out["alike"] * z / 6
    out["mentions_named"] = near.best_mentioned(scores.card_strength)
    out |= _concept_signals(index, read, near)
    out |= named_signals(index, read, near)
    holder, others = index.published.gather_columns(near.unique)
    card_best = best_of(holder, cosine[others], len(near.unique))
    out["card_cosine"] = best_of(near.owner, card_best[near.local], len(rows)) - top
    _, group = np.unique(index.group[rows], return_inverse=True)
    out["group_cosine"] = best_of(group, cosine[rows], len(rows))[group] - top
    out["group_size"] = np.log1p(index.group_sizes[rows]).astype(np.float32)
    leaders = np.lexsort((rows, -cosine[rows]))[:_FEEDBACK]
    vectors = index.statements[rows] if scores.vectors is None else scores.vectors
    wanted = scores.question + 0.3 * vectors[leaders].sum(axis=0)
    out["feedback"] = vectors @ (wanted / np.linalg.norm(wanted))
    start = np.exp(z - z.max()) + 0.3 * out["named"] * np.exp(out["cosine_gap"] * 4)
    out["spread"] = spread(index, near, vectors, start.astype(np.float32))
    out["named_uses"] = _named_uses(index, read, near)
    order = np.empty(len(rows), np.float32)
    order[np.lexsort((rows, -(out["alike"] + 0.02 * z)))] = np.arange(len(rows))
    out["alike_rank"] = np.where(out["alike"] > 0, 1 / (1 + order / 8), 0).astype(np.float32)
    out["cards"] = np.log1p(index.card_counts[rows]).astype(np.float32)
    out["length"] = np.log1p(index.lengths[rows]).astype(np.float32) / 4
    out["age"] = (index.days[rows] - 734000) / 4000
    out["outdated"] = index.outdated[rows].astype(np.float32)
    out["question_names"] = max((c.strength for c in read.cards), default=0.0)
    out["question_cards"] = min(4, len({c.start for c in read.cards if c.strength >= _SURE})) / 2
    out["question_length"] = np.log1p(len(read.words)) / 3
    out["foreign"] = float(read.language != "en")
    out["question_cosine"] = top
    out["question_concepts"] = min(6, len(read.concepts)) / 3
    table = np.empty((len(rows), len(NAMES)), np.float32)
    for column, name in enumerate(NAMES):
        table[:, column] = out[name]
    return table


def _concept_signals(index: Index, read: Understood, near: Surroundings) -> dict[str, Floats]:
    """How much of the question's concepts a statement is about, how much else, and how far its cards use them."""
    place = index.concept_places
    weight = np.zeros(len(index.concepts.slugs), np.float32)
    for named in read.concepts:
        weight[place[named.concept]] = max(weight[place[named.concept]], named.weight)
    asked = weight * index.concept_weights
    total = max(float(asked.sum()), 1e-6)
    holder, concepts, values, count = near.holder, near.concepts, near.values, len(near.rows)
    relevant, twice = asked[concepts], np.minimum(1, values * 2)
    shared = np.bincount(holder, twice * relevant, count).astype(np.float32)
    main = best_of(holder, values * relevant, count)
    keyword = best_of(holder, twice * np.maximum(relevant - _RARE, 0) / 4, count)
    own = np.bincount(holder, near.weights, count)
    matched = np.bincount(holder, near.weights * (weight[concepts] > 0), count)
    holder, used = index.uses.gather_columns(near.unique)
    use = np.bincount(holder, asked[used], len(near.unique)).astype(np.float32)
    of_card = best_of(near.owner, use[near.local], count)
    return {
        "concepts": shared / total,
        "main_concept": main / max(float(asked.max(initial=0)), 1e-6),
        "other_concepts": (1 - matched / np.maximum(own, 1e-6)).astype(np.float32),
        "card_concepts": of_card / total,
        "keyword": keyword,
    }


def _named_uses(index: Index, read: Understood, near: Surroundings) -> Floats:
    """How much of a statement's concepts another named card, one that it isn't published on, has in its text."""
    count = len(near.rows)
    own = np.maximum(np.bincount(near.holder, near.weights, count), 1e-6)
    best = np.zeros(count, np.float32)
    for card in read.cards:
        if card.strength < _SURE:
            continue
        used = np.zeros(len(index.concepts.slugs), np.float32)
        used[index.uses.columns(card.card)] = card.strength
        share = np.bincount(near.holder, near.weights * used[near.concepts], count) / own
        published = np.zeros(count, np.bool_)
        published[near.owner[near.cards == card.card]] = True
        best = np.where(published, best, np.maximum(best, share))
    return best.astype(np.float32)


def _two_best(owner: NDArray[np.intp], values: Floats, count: int) -> tuple[Floats, Floats]:
    first = best_of(owner, values, count)
    rest = values < first[owner]
    return first, best_of(owner[rest], values[rest], count)


def _exact(index: Index, scores: Scores, rows: NDArray[np.intp]) -> Scores:
    """The same with the exact cosines of some rows."""
    vectors = index.statements[rows]
    scores.cosine[rows] = vectors @ scores.question
    return replace(scores, vectors=vectors)


def _level(values: Floats) -> tuple[float, float]:
    """The mean and the standard deviation."""
    if not len(values):
        return 0.0, 0.0
    mean = float(values.mean())
    off = values - np.float32(mean)
    return mean, float(off @ off / len(off)) ** 0.5


def _best(values: Floats, count: int) -> NDArray[np.intp]:
    """The positions of the greatest values above zero, at most ``count``; ties by position."""
    found = np.flatnonzero(values > 0)  # most are zero, and partition is slow over equal values
    kept = values[found]
    if len(found) > count:
        near = kept >= np.partition(kept, len(found) - count)[len(found) - count]
        found, kept = found[near], kept[near]
    return found[np.lexsort((found, -kept))[:count]]
