"""The names of nodes: readable keys, one form a kind ("Clone", "Copy (concept)", "rule 707.2"), or IRIs."""

from collections import Counter
from datetime import date
from typing import Protocol

from rulings.graph.records import Derived
from rulings.graph.vocabulary import Iris
from rulings.ingest import Corpus


class NodeNames(Protocol):
    """What gives each node its name: `Keys` a readable one, `Iris` its IRI. None: it is no node of the graph."""

    def card(self, oracle_id: str, /) -> str | None:
        """A card."""

    def face(self, oracle_id: str, n: int, /) -> str | None:
        """The n-th face of a card, from 0."""

    def ruling(self, oracle_id: str, published: date, key: str, /) -> str | None:
        """A statement published on a card on a day."""

    def statement(self, key: str, /) -> str | None:
        """A distinct wording."""

    def concept(self, slug: str, /) -> str | None:
        """A concept."""

    def rule(self, edition: date, number: str, /) -> str | None:
        """A rule of one edition."""

    def edition(self, edition: date, /) -> str | None:
        """An edition of the rules."""


def card_key(name: str, oracle_id: str, *, shared: bool) -> str:
    """A card's name, with its oracle id where another card is called the same."""
    return f"{name} ({oracle_id})" if shared else name


def face_key(name: str, n: int | str, card: str) -> str:
    """A face's name with its place, counted from 1, on the card with the key ``card``."""
    return f"{name} (face {n} of {card})"


def ruling_key(label: str, key: str) -> str:
    """A ruling's label (card and day) with the key of its statement."""
    return f"{label} ({key})"


def concept_key(label: str, slug: str, *, shared: bool) -> str:
    """A concept's label, with its slug where another concept is called the same."""
    return f"{label} (concept {slug})" if shared else f"{label} (concept)"


def rule_key(number: str, day: str | None, *, newest: bool) -> str:
    """A rule's number, with its edition's day where that isn't the newest."""
    return f"rule {number}" if newest else f"rule {number} ({day})"


def edition_key(day: str | None) -> str:
    """An edition by its day."""
    return f"rules of {day}"


class Keys:
    """The readable keys of all nodes of a corpus and its concepts."""

    def __init__(self, corpus: Corpus, derived: Derived, iris: Iris) -> None:
        self._corpus = corpus
        names = Counter(card.name for card in corpus.cards.values())
        self._cards = {
            i: card_key(card.name, _tail(iris.card(i)), shared=names[card.name] > 1) for i, card in corpus.cards.items()
        }
        labels = Counter(concept.label for concept in derived.concepts.values())
        self._concepts = {
            slug: concept_key(c.label, _tail(iris.concept(slug)), shared=labels[c.label] > 1)
            for slug, c in derived.concepts.items()
        }
        newest = max(corpus.editions, default=None)
        self._rules = {
            (day, number): rule_key(number, day.isoformat(), newest=day == newest)
            for day, edition in corpus.editions.items()
            for number in edition.rules
        }

    def card(self, oracle_id: str, /) -> str | None:
        """A card by its name."""
        return self._cards.get(oracle_id)

    def face(self, oracle_id: str, n: int, /) -> str | None:
        """The n-th face of a card, from 0, by its name and place."""
        card = self._corpus.cards.get(oracle_id)
        if card is None or not 0 <= n < len(card.faces) or len(card.faces) == 1:
            return None
        return face_key(card.faces[n].name, n + 1, self._cards[oracle_id])

    def ruling(self, oracle_id: str, published: date, key: str, /) -> str | None:
        """A statement published on a card on a day, by the card's name, the day and the statement's key."""
        card = self._corpus.cards.get(oracle_id)
        return None if card is None else ruling_key(f"{card.name}, {published.isoformat()}", key)

    def statement(self, key: str, /) -> str | None:
        """A distinct wording by its key."""
        return key if key in self._corpus.statements else None

    def concept(self, slug: str, /) -> str | None:
        """A concept by its label."""
        return self._concepts.get(slug)

    def rule(self, edition: date, number: str, /) -> str | None:
        """A rule of one edition by its number."""
        return self._rules.get((edition, number))

    def edition(self, edition: date, /) -> str | None:
        """An edition of the rules by its day."""
        return edition_key(edition.isoformat()) if edition in self._corpus.editions else None


def _tail(iri: str) -> str:
    return iri.rpartition("/")[2]
