"""What some statements are tied to, read from the index once: their cards, their concepts, the cards they mention."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.index import Index

Floats = NDArray[Any]  # float32; numpy types mixed arithmetic wider than it is


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The ties of some statements (``rows``), each kind as parallel arrays whose first holds positions in ``rows``.

    ``owner``, ``cards``: the cards that each is published on; ``unique`` are those cards without repeats, ``local`` the
    position of each of ``cards`` there. ``holder``, ``concepts``, ``values``, ``weights``: the
    concepts that it names, how much it is about them, and the same times how much the concept says.
    ``mentioning``, ``mentioned``, ``sure``: the cards that it names, and how surely.
    """

    rows: NDArray[np.intp]
    owner: NDArray[np.intp]
    cards: NDArray[np.int32]
    unique: NDArray[np.int32]
    local: NDArray[np.intp]
    holder: NDArray[np.intp]
    concepts: NDArray[np.int32]
    values: Floats
    weights: Floats
    mentioning: NDArray[np.intp]
    mentioned: NDArray[np.int32]
    sure: Floats

    @classmethod
    def of(cls, index: Index, rows: NDArray[np.intp]) -> "Surroundings":
        """Read them."""
        owner, cards = index.about.gather_columns(rows)
        unique, local = np.unique(cards, return_inverse=True)
        holder, concepts, values = index.tags.gather(rows)
        weights = values * index.concept_weights[concepts]
        return cls(rows, owner, cards, unique, local, holder, concepts, values, weights, *index.mentions.gather(rows))

    def best_card(self, by_card: Floats) -> Floats:
        """For each row the greatest value of a card that it is published on, at least 0."""
        return best_of(self.owner, by_card[self.cards], len(self.rows))

    def best_mentioned(self, by_card: Floats) -> Floats:
        """For each row the greatest value of a card that it names, by how surely it does, at least 0."""
        return best_of(self.mentioning, self.sure * by_card[self.mentioned], len(self.rows))


def best_of(place: NDArray[np.intp], values: Floats, count: int) -> Floats:
    """The greatest of the values at each of ``count`` places, at least 0."""
    best = np.zeros(count, np.float32)
    np.maximum.at(best, place, values)
    return best
