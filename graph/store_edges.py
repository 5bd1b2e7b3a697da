"""Reads the edges at a node from the store, relation by relation, only those that the vocabulary allows there."""

from collections.abc import Iterable, Iterator
from itertools import islice

import pyoxigraph as ox

from rulings.graph.node_table import is_derived, matching
from rulings.graph.relations import ends, relations

ASIDE = frozenset({"inEdition", "faceOf"})
"""Relations that are left out unless asked for: they lead to hubs, or only back."""


class StoreEdges:
    """The edges of some relations. Nodes are given by kind and IRI; outward edges are kept once they were read."""

    def __init__(self, store: ox.Store, names: Iterable[str]) -> None:
        self.store = store
        self._outward: dict[str, list[tuple[str, str]]] = {}
        self._inward: dict[str, list[tuple[str, str]]] = {}
        for name in names:
            starts, targets = ends()[name]
            for kind in starts:
                self._outward.setdefault(kind, []).append((name, relations()[name]))
            for kind in targets:
                self._inward.setdefault(kind, []).append((name, relations()[name]))
        self._known: dict[str, list[tuple[str, str, bool]]] = {}

    def outward(self, kind: str, node: str) -> list[tuple[str, str, bool]]:
        """Relation, other end and whether derived, of the edges that leave a node."""
        known = self._known.get(node)
        if known is None:
            known = self._known[node] = [
                (name, quad.object.value, is_derived(quad))
                for name, predicate in self._outward.get(kind, ())
                for quad in matching(self.store, node, predicate)
            ]
        return known

    def inward(self, kind: str, node: str, most: int | None) -> Iterator[tuple[str, list[tuple[str, bool]]]]:
        """By relation, the other ends of the edges that come to a node; at most ``most`` + 1 of each."""
        for name, predicate in self._inward.get(kind, ()):
            quads = matching(self.store, None, predicate, node)
            found = [(quad.subject.value, is_derived(quad)) for quad in islice(quads, most and most + 1)]
            if found:
                yield name, found
