"""The nodes of the graph as people read them: kind, a readable key of its own for each, label, text and date."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any

import pyoxigraph as ox

from rulings.graph.errors import UnknownNameError
from rulings.graph.node_keys import card_key, concept_key, edition_key, face_key, rule_key, ruling_key
from rulings.graph.sparql import short_iri
from rulings.graph.vocabulary import DERIVED, PREFIXES, VOCAB

KINDS = ("Card", "Face", "Ruling", "Statement", "Concept", "Rule", "Edition")
_TYPE = PREFIXES["rdf"] + "type"
_LABEL = PREFIXES["rdfs"] + "label"
_ISSUED = PREFIXES["dcterms"] + "issued"
_TEXTS = {"Card": VOCAB + "oracleText", "Face": VOCAB + "oracleText", "Concept": PREFIXES["skos"] + "definition"}


def matching(
    store: ox.Store, subject: str | None, predicate: str | None, obj: str | ox.Literal | None = None
) -> Iterator[Any]:
    """The quads of a pattern in all named graphs; IRIs as texts."""
    return store.quads_for_pattern(
        ox.NamedNode(subject) if subject is not None else None,
        ox.NamedNode(predicate) if predicate is not None else None,
        ox.NamedNode(obj) if isinstance(obj, str) else obj,
        None,
    )


class NodeTable:
    """Reads what nodes are called. Nodes are given by their IRIs."""

    def __init__(self, store: ox.Store, folded: Callable[[str], Iterable[str]]) -> None:
        """Take the store, and what finds the IRIs for a name in any spelling, or raises UnknownNameError."""
        self.store, self.folded = store, folded
        self._values: dict[tuple[str, str], str] = {}
        self._keys: dict[str, str] = {}

    def value(self, node: str, predicate: str) -> str | None:
        """The value of a property of a node as text; of several, one."""
        known = self._values.get((node, predicate))
        if known is None:
            found = matching(self.store, node, predicate)
            # A concept is a Concept of ours and a skos:Concept.
            values = (quad.object.value for quad in found)
            known = next((value for value in values if predicate != _TYPE or value.startswith(VOCAB)), None)
            if known is not None:
                self._values[node, predicate] = known
        return known

    def kind(self, node: str) -> str | None:
        """One of `KINDS`; None for a link, a scheme, or what isn't in the graph."""
        found = (self.value(node, _TYPE) or "").removeprefix(VOCAB)
        return found if found in KINDS else None

    def key(self, node: str) -> str:
        """A short name that only this node has; the IRI, shortened, of what is no node of ours."""
        known = self._keys.get(node)
        if known is None:
            known = self._keys[node] = self._key(node)
        return known

    def _key(self, node: str) -> str:  # noqa: PLR0911 - one line a kind
        label, tail = self.value(node, _LABEL) or short_iri(node), node.rpartition("/")[2]
        match self.kind(node):
            case "Card":
                return card_key(label, tail, shared=self._shared("Card", label, node))
            case "Face":
                card = self.value(node, VOCAB + "faceOf")
                return face_key(label, int(tail) + 1 if tail.isdecimal() else tail, self.key(card or node))
            case "Ruling":
                return ruling_key(label, tail)
            case "Statement":
                return self.value(node, VOCAB + "key") or tail
            case "Concept":
                return concept_key(label, tail, shared=self._shared("Concept", label, node))
            case "Rule":
                number, edition = self.value(node, VOCAB + "number"), self.value(node, VOCAB + "inEdition") or ""
                day = self.value(edition, _ISSUED)
                return rule_key(number or tail, day, newest=day == self._newest)
            case "Edition":
                return edition_key(self.value(node, _ISSUED))
        return short_iri(node)

    @cached_property
    def _newest(self) -> str | None:
        days = (self.value(edition, _ISSUED) for edition in self.of_kind("Edition"))
        return max((day for day in days if day), default=None)

    def _shared(self, kind: str, label: str, node: str) -> bool:
        """Whether another node of the kind has the same label."""
        literal = ox.Literal(label, language="en") if kind == "Concept" else ox.Literal(label)
        found = (quad.subject.value for quad in matching(self.store, None, _LABEL, literal))
        return any(other != node and self.kind(other) == kind for other in found)

    def of_kind(self, kind: str) -> Iterator[str]:
        """All nodes of a kind."""
        for quad in matching(self.store, None, _TYPE, VOCAB + kind):
            yield quad.subject.value

    def attributes(self, node: str) -> dict[str, str]:
        """What a NetworkX node holds: kind, label, iri, and where there are such, text and date."""
        kind = self.kind(node) or ""
        words = self.value(node, _TEXTS.get(kind, VOCAB + "text"))
        found = {"kind": kind, "label": self.value(node, _LABEL) or "", "iri": node, "text": words}
        if kind in {"Ruling", "Edition"}:
            found["date"] = self.value(node, _ISSUED)
        return {name: value for name, value in found.items() if value}

    def find(self, name: str) -> str:
        """The node that a name stands for: its key here, a card's name, a concept's label, a number, a key or an IRI.

        A card goes before a concept of the same name; "Flash (concept)" asks for the concept. A name as it is written
        in the graph goes before one in another spelling or language.

        Raises:
            UnknownNameError: there is none; the message names the nearest.
        """
        wanted = name.strip()
        if wanted.startswith(("http://", "https://")) and self.kind(wanted):
            return wanted
        bare = wanted.removesuffix(" (concept)").removeprefix("rule ")
        kinds = ["Concept"] if bare + " (concept)" == wanted else ["Rule"] if "rule " + bare == wanted else list(KINDS)
        found = list(self._named(bare))
        for kind in kinds:
            fitting = sorted(node for node in found if self.kind(node) == kind)
            if fitting:
                # Of the rules of a number the one in force: its key has no day.
                return min(fitting, key=lambda node: len(self.key(node)))
        if " (" in wanted and (nodes := self._by_key(wanted)):
            return nodes
        for node in self.folded(bare):
            if self.kind(node) in kinds:
                return node
        raise UnknownNameError(f"no {kinds[0].lower()} is called {bare!r}; leave out what says its kind")

    def _named(self, name: str) -> Iterator[str]:
        for predicate in (_LABEL, VOCAB + "name", VOCAB + "number", VOCAB + "key"):
            for literal in (ox.Literal(name), ox.Literal(name, language="en")):
                for quad in matching(self.store, None, predicate, literal):
                    yield quad.subject.value

    def _by_key(self, key: str) -> str | None:
        """The face, ruling or other node with this key, told by the label that it starts with."""
        label, _, rest = key.rpartition(" (")
        candidates = (n for start in (label, label.rpartition(" (")[0]) if start for n in self._named(start))
        rule = self._named(label.removeprefix("rule ")) if rest else iter(())
        return next((node for node in (*candidates, *rule) if self.key(node) == key), None)


def is_derived(quad: ox.Quad) -> bool:
    """Whether the program worked the quad out."""
    return isinstance(quad.graph_name, ox.NamedNode) and quad.graph_name.value == DERIVED
