"""The signals of each candidate for a question: words, vectors, named cards, cards alike, concepts, groups, age."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.index import Index
from rulings.search.named_signals import named_signals
from rulings.search.question import Understood
from rulings.search.spread import spread

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


@dataclass(frozen=True, slots=True)
class Scores:
    """What is worked out for all statements at once: similarity, BM25 over text, and over card names and text.

    The names that end in ``_z`` hold the same in standard deviations from the mean. `score_all` gives ``cosine`` to
    about 0.004, `scored_candidates` makes it exact for the candidates.
    """

    cosine: Floats
    cosine_z: Floats
    text: Floats
    text_z: Floats
    named: Floats
    named_z: Floats
    card_text: Floats
    card_strength: Floats
    card_alike: Floats
    question: Floats


@dataclass(frozen=True, slots=True)
class WordScores:
    """BM25 of all statements over their text and over card names and text, and of all cards over theirs."""

    text: Floats
    named: Floats
    cards: Floats


def score_words(index: Index, read: Understood) -> WordScores:
    """Score by words alone: needs no vector, and so can be done while the question is encoded."""
    return WordScores(index.text.scores(read.terms), index.named.scores(read.terms), index.card_text.scores(read.terms))


def score_all(index: Index, read: Understood, vector: Floats, words: WordScores | None = None) -> Scores:
    """Score every statement, and every card, against a question with the encoder's ``vector``."""
    strength = np.zeros(len(index.oracle_ids), np.float32)
    alike = np.zeros(len(index.oracle_ids), np.float32)
    for card in read.cards:
        strength[card.card] = max(strength[card.card], card.strength)
        others = index.alike.columns(card.card)
        np.maximum.at(alike, others, index.alike.values(card.card) * np.float32(card.strength))
    words = words or score_words(index, read)
    cosine = index.quick.cosines(vector)
    return Scores(
        cosine=cosine,
        cosine_z=_z(cosine),
        text=words.text,
        text_z=_z(words.text),
        named=words.named,
        named_z=_z(words.named),
        card_text=words.cards,
        card_strength=strength,
        card_alike=alike,
        question=vector,
    )


def scored_candidates(
    index: Index, read: Understood, vector: Floats, words: WordScores | None = None
) -> tuple[NDArray[np.intp], Scores]:
    """The statements worth ranking, ascending, and the scores of all statements, exact for those."""
    scores = score_all(index, read, vector, words)
    rows = candidates(index, read, scores)
    return rows, _exact(index, scores, rows)


def candidates(index: Index, read: Understood, scores: Scores) -> NDArray[np.intp]:
    """The statements worth ranking, ascending.

    The best by each score, those of named, alike and described cards, their groups; no headings.
    """
    fused = scores.cosine_z + 0.15 * (scores.text_z + scores.named_z)
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
        _, found, _ = index.published.gather(np.asarray(cards))
        found = np.unique(found)
        parts.append(found[np.lexsort((found, -fused[found]))[:most]])
    parts += [found[np.lexsort((found, -fused[found]))[:_OF_CONCEPT]] for found in _about_concepts(index, read)]
    _, found, _ = index.published.gather(np.asarray([c.card for c in read.cards if c.strength >= _SURE], np.intp))
    parts.append(found)
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
    z = scores.cosine_z
    out: dict[str, Floats | float] = {"cosine": cosine[rows], "cosine_z": z[rows], "cosine_gap": cosine[rows] - top}
    for name, values, standard in (
        ("text", scores.text, scores.text_z),
        ("named", scores.named, scores.named_z),
    ):
        out[f"{name}_z"] = standard[rows]
        out[f"{name}_share"] = values[rows] / max(float(values.max()), 1e-6)
    described: Floats = scores.card_text / max(float(scores.card_text.max()), 1e-6)
    out["card_text"] = index.about.best(rows, described)
    out["card_text_best"] = np.square(out["card_text"])
    owner, cards, _ = index.about.gather(rows)
    out["named"], out["named_second"] = _two_best(owner, scores.card_strength[cards], len(rows))
    out["alike"] = index.about.best(rows, scores.card_alike)
    out["alike_cosine"] = out["alike"] * z[rows] / 6
    out["mentions_named"] = index.mentions.best(rows, scores.card_strength)
    out |= _concept_signals(index, read, rows, owner, cards)
    out |= named_signals(index, read, rows, owner, cards)
    best_of_card = np.zeros(len(index.oracle_ids), np.float32)
    best_of_card[cards] = 0
    unique = np.unique(cards)
    holder, others, _ = index.published.gather(unique)
    card_best = np.full(len(unique), -1, np.float32)
    np.maximum.at(card_best, holder, cosine[others])
    best_of_card[unique] = card_best
    out["card_cosine"] = index.about.best(rows, best_of_card) - top
    group_best = np.zeros(len(index.keys), np.float32)
    np.maximum.at(group_best, index.group[rows], cosine[rows])
    out["group_cosine"] = group_best[index.group[rows]] - top
    out["group_size"] = np.log1p(index.group_sizes[rows]).astype(np.float32)
    leaders = np.lexsort((rows, -cosine[rows]))[:_FEEDBACK]
    wanted = scores.question + 0.3 * index.statements[rows[leaders]].sum(axis=0)
    out["feedback"] = index.statements[rows] @ (wanted / np.linalg.norm(wanted))
    start = np.exp(z[rows] - z[rows].max()) + 0.3 * out["named"] * np.exp(out["cosine_gap"] * 4)
    out["spread"] = spread(index, rows, start.astype(np.float32))
    out["named_uses"] = _named_uses(index, read, rows, owner, cards)
    order = np.empty(len(rows), np.float32)
    order[np.lexsort((rows, -(out["alike"] + 0.02 * z[rows])))] = np.arange(len(rows))
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


def _concept_signals(
    index: Index, read: Understood, rows: NDArray[np.intp], owner: NDArray[np.intp], cards: NDArray[np.int32]
) -> dict[str, Floats]:
    """How much of the question's concepts a statement is about, how much else, and how far its cards use them."""
    place = index.concept_places
    weight = np.zeros(len(index.concepts.slugs), np.float32)
    for named in read.concepts:
        weight[place[named.concept]] = max(weight[place[named.concept]], named.weight)
    asked = weight * index.concept_weights
    total = max(float(asked.sum()), 1e-6)
    holder, concepts, values = index.tags.gather(rows)
    shared = np.bincount(holder, np.minimum(1, values * 2) * asked[concepts], len(rows)).astype(np.float32)
    main = np.zeros(len(rows), np.float32)
    np.maximum.at(main, holder, values * asked[concepts])
    keyword = np.zeros(len(rows), np.float32)
    np.maximum.at(keyword, holder, np.minimum(1, values * 2) * np.maximum(asked[concepts] - _RARE, 0) / 4)
    own = np.bincount(holder, values * index.concept_weights[concepts], len(rows))
    matched = np.bincount(holder, values * index.concept_weights[concepts] * (weight[concepts] > 0), len(rows))
    uses_owner, used, _ = index.uses.gather(cards)
    use = np.zeros(len(cards), np.float32)
    np.add.at(use, uses_owner, asked[used])
    of_card = np.zeros(len(rows), np.float32)
    np.maximum.at(of_card, owner, use)
    return {
        "concepts": shared / total,
        "main_concept": main / max(float(asked.max(initial=0)), 1e-6),
        "other_concepts": (1 - matched / np.maximum(own, 1e-6)).astype(np.float32),
        "card_concepts": of_card / total,
        "keyword": keyword,
    }


def _named_uses(
    index: Index, read: Understood, rows: NDArray[np.intp], owner: NDArray[np.intp], cards: NDArray[np.int32]
) -> Floats:
    """How much of a statement's concepts another named card, one that it isn't published on, has in its text."""
    named = [card for card in read.cards if card.strength >= _SURE]
    holder, concepts, values = index.tags.gather(rows)
    weights = values * index.concept_weights[concepts]
    own = np.maximum(np.bincount(holder, weights, len(rows)), 1e-6)
    best = np.zeros(len(rows), np.float32)
    for card in named:
        used = np.zeros(len(index.concepts.slugs), np.float32)
        used[index.uses.columns(card.card)] = card.strength
        share = np.bincount(holder, weights * used[concepts], len(rows)) / own
        published = np.zeros(len(rows), np.bool_)
        published[owner[cards == card.card]] = True
        best = np.where(published, best, np.maximum(best, share))
    return best.astype(np.float32)


def _two_best(owner: NDArray[np.intp], values: Floats, count: int) -> tuple[Floats, Floats]:
    first = np.zeros(count, np.float32)
    np.maximum.at(first, owner, values)
    second = np.zeros(count, np.float32)
    rest = values < first[owner]
    np.maximum.at(second, owner[rest], values[rest])
    return first, second


def _exact(index: Index, scores: Scores, rows: NDArray[np.intp]) -> Scores:
    """The same with the exact cosines of some rows."""
    cosine, standard = scores.cosine.copy(), scores.cosine_z.copy()
    cosine[rows] = index.statements[rows] @ scores.question
    spread = float(scores.cosine.std())
    standard[rows] = (cosine[rows] - scores.cosine.mean()) / spread if spread > _EVEN else 0
    return replace(scores, cosine=cosine, cosine_z=standard)


def _z(values: Floats) -> Floats:
    spread = float(values.std())
    return (values - values.mean()) / spread if spread > _EVEN else np.zeros_like(values)


def _best(values: Floats, count: int) -> NDArray[np.intp]:
    """The positions of the greatest values above zero, at most ``count``; ties by position."""
    found = np.flatnonzero(values > 0)  # most are zero, and partition is slow over equal values
    kept = values[found]
    if len(found) > count:
        near = kept >= np.partition(kept, len(found) - count)[len(found) - count]
        found, kept = found[near], kept[near]
    return found[np.lexsort((found, -kept))[:count]]
