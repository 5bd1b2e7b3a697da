"""The signals of each candidate for a question: words, vectors, named cards, cards alike, concepts, groups, age."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.candidates import RARE, SURE, Scores
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
    vectors = index.engine.of(rows) if scores.vectors is None else scores.vectors
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
    out["question_cards"] = min(4, len({c.start for c in read.cards if c.strength >= SURE})) / 2
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
    keyword = best_of(holder, twice * np.maximum(relevant - RARE, 0) / 4, count)
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
        if card.strength < SURE:
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
