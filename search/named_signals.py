"""Signals of questions that name several cards: which of them a statement is about, and which it mentions."""

from collections import defaultdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.index import Index
from rulings.search.question import Understood
from rulings.search.question_names import NamedCard
from rulings.search.surroundings import Surroundings, best_of

Floats = NDArray[Any]  # float32; numpy types mixed arithmetic wider than it is

_SURE = 0.5


def named_signals(index: Index, read: Understood, near: Surroundings) -> dict[str, Floats]:
    """Two signals a row, each nothing where the question names no card.

    ``touched`` is half the number of named cards that a statement is published on or mentions, each by how surely it
    is named; ``about_and_mentions`` is 1 where it is surely published on one and mentions another. Cards read from the
    same words count as one.
    """
    count = len(near.rows)
    spans: dict[int, list[NamedCard]] = defaultdict(list)
    for card in read.cards:
        if card.strength >= _SURE:
            spans[card.start].append(card)
    about, mentions = [], []
    for same in spans.values():
        strength = np.zeros(len(index.oracle_ids), np.float32)
        for card in same:
            strength[card.card] = max(strength[card.card], card.strength)
        about.append(near.best_card(strength))
        mentions.append(best_of(near.mentioning, strength[near.mentioned], count))
    touched, both = np.zeros(count, np.float32), np.zeros(count, np.float32)
    for n, own in enumerate(about):
        touched += np.maximum(own, mentions[n]) / 2
        for m, other in enumerate(mentions):
            if m != n:
                both = np.maximum(both, own * other)
    return {"touched": touched, "about_and_mentions": both}
