"""Why a ruling was found: a short true path from the question through the graph to the statement."""

from collections.abc import Iterator

from rulings.search.answer import Step
from rulings.search.index import Index
from rulings.search.question import Understood

SHOWN = 0.45
"""From this strength on a card counts as named by the question."""
_CONCEPT = 0.5


def path(index: Index, read: Understood, statement: int, clarified: frozenset[str]) -> tuple[Step, ...]:
    """The path to a statement.

    Tried in this order: a named card it is published on, a named card it mentions, a card that works like a named
    one, a named concept, a likeness of words. ``clarified`` are the slugs of the concepts that the statement
    clarifies.
    """
    key = index.keys[statement]
    own = set(index.about.columns(statement).tolist())
    mentioned = set(index.mentions.columns(statement).tolist())
    named = [card.card for card in read.cards if card.strength >= SHOWN]
    for card in named:
        if card in own:
            return Step("question", "names", index.card_names[card]), Step(index.card_names[card], "about", key)
    for card in named:
        if card in mentioned:
            return Step("question", "names", index.card_names[card]), Step(index.card_names[card], "mentions", key)
    likest = max(_alike(index, named, own), key=lambda pair: pair[0], default=None)
    if likest is not None:
        _, card, other = likest
        name, twin = index.card_names[card], index.card_names[other]
        return Step("question", "names", name), Step(name, "worksLike", twin), Step(twin, "about", key)
    tags = {index.concepts.slugs[place] for place in index.tags.columns(statement).tolist()}
    shared = [named for named in read.concepts if named.weight >= _CONCEPT and named.concept in tags]
    if shared:
        best = min(shared, key=lambda named: (named.concept not in clarified, -named.weight, named.concept)).concept
        label = index.concepts.label(best)
        relation = "clarifies" if best in clarified else "mentions"
        return Step("question", "names", label), Step(label, relation, key)
    return (Step("question", "resembles", key),)


def _alike(index: Index, named: list[int], own: set[int]) -> Iterator[tuple[float, int, int]]:
    """The cards of a statement that work like a named one: the score and the positions of both."""
    for card in named:
        for place, other in enumerate(index.alike.columns(card).tolist()):
            if other in own:
                yield float(index.alike.values(card)[place]), card, other
