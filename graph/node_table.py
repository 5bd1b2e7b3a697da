"""The nodes of the graph as people read them: kind, a readable key of its own for each, label, text and date."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import pyoxigraph as ox
from rapidfuzz import process

from rulings.graph.errors import UnknownNameError
from rulings.graph.nquads import text
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
    """Reads what nodes are called. Nodes are given by their IRIs.

    With ``whole`` a property is read for all nodes the first time it is asked for: for graphs of everything.
    """

    def __init__(self, store: ox.Store, *, whole: bool = False) -> None:
        self.store, self.whole = store, whole
        self._tables: dict[str, dict[str, str]] = {}
        self._keys: dict[str, str] = {}

    def value(self, node: str, predicate: str) -> str | None:
        """The value of a property of a node as text; of several, one."""
        table = self._tables.get(predicate)
        if table is None:
            table = self._tables[predicate] = self._all(predicate) if self.whole else {}
        if not self.whole and node not in table:
            found = matching(self.store, node, predicate)
            values = [quad.object.value for quad in found if self._wanted(quad)]
            if not values:
                return None
            table[node] = values[0]
        return table.get(node)

    def _all(self, predicate: str) -> dict[str, str]:
        if predicate == _TYPE:
            # Without the links, which are most of what has a type.
            return {node: VOCAB + kind for kind in KINDS for node in self.of_kind(kind)}
        quads = matching(self.store, None, predicate)
        return {quad.subject.value: quad.object.value for quad in quads if self._wanted(quad)}

    @staticmethod
    def _wanted(quad: Any) -> bool:  # noqa: ANN401
        """Leave out what isn't a kind of ours, so that a concept is a Concept and no skos:Concept."""
        return bool(quad.predicate.value != _TYPE or quad.object.value.startswith(VOCAB))

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
                return f"{label} ({tail})" if label in self._shared["Card"] else label
            case "Face":
                card = self.value(node, VOCAB + "faceOf")
                return f"{label} (face {int(tail) + 1 if tail.isdecimal() else tail} of {self.key(card or node)})"
            case "Ruling":
                return f"{label} ({tail})"
            case "Statement":
                return self.value(node, VOCAB + "key") or tail
            case "Concept":
                return f"{label} (concept {tail})" if label in self._shared["Concept"] else f"{label} (concept)"
            case "Rule":
                number, edition = self.value(node, VOCAB + "number"), self.value(node, VOCAB + "inEdition") or ""
                day = self.value(edition, _ISSUED)
                return f"rule {number}" if day == self._newest else f"rule {number} ({day})"
            case "Edition":
                return f"rules of {self.value(node, _ISSUED)}"
        return short_iri(node)

    @cached_property
    def _newest(self) -> str | None:
        days = (self.value(edition, _ISSUED) for edition in self.of_kind("Edition"))
        return max((day for day in days if day), default=None)

    @cached_property
    def _shared(self) -> dict[str, set[str]]:
        """Labels that several cards, or several concepts, have."""
        found = {}
        for kind in ("Card", "Concept"):
            query = f"SELECT ?l (COUNT(DISTINCT ?s) AS ?n) {{ ?s a <{VOCAB}{kind}> ; <{_LABEL}> ?l }} GROUP BY ?l"
            rows: Any = self.store.query(f"{query} HAVING (?n > 1)", use_default_graph_as_union=True)
            found[kind] = {row["l"].value for row in rows}
        return found

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
        return {name: value for name, value in found.items() if value is not None}

    def find(self, name: str) -> str:
        """The node that a name stands for: its key here, a card's name, a concept's label, a number, a key or an IRI.

        A card goes before a concept of the same name; "Flash (concept)" asks for the concept.

        Raises:
            UnknownNameError: there is none; the message names the nearest.
        """
        wanted = name.strip()
        if wanted.startswith(("http://", "https://")) and self.kind(wanted):
            return wanted
        bare = wanted.removesuffix(" (concept)").removeprefix("rule ")
        kinds = ["Concept"] if bare + " (concept)" == wanted else ["Rule"] if "rule " + bare == wanted else list(KINDS)
        found = list(self._named(bare)) or list(self._folded(bare))
        for kind in kinds:
            fitting = sorted(node for node in found if self.kind(node) == kind)
            if fitting:
                # Of the rules of a number the one in force: its key has no day.
                return min(fitting, key=lambda node: len(self.key(node)))
        if " (" in wanted and (nodes := self._by_key(wanted)):
            return nodes
        raise UnknownNameError(f"nothing is called {name!r}{self._nearest(bare)}")

    def _named(self, name: str) -> Iterator[str]:
        for predicate in (_LABEL, VOCAB + "name", VOCAB + "number", VOCAB + "key"):
            for literal in (ox.Literal(name), ox.Literal(name, language="en")):
                for quad in matching(self.store, None, predicate, literal):
                    yield quad.subject.value

    def _folded(self, name: str) -> Iterator[str]:
        """Nodes with a label in any language that differs at most in case."""
        labels = "<{}label>|<{}prefLabel>|<{}altLabel>".format(PREFIXES["rdfs"], PREFIXES["skos"], PREFIXES["skos"])
        rows: Any = self.store.query(
            f"SELECT DISTINCT ?s {{ VALUES ?kind {{ <{VOCAB}Concept> <{VOCAB}Card> }} ?s a ?kind ; {labels} ?l "
            f"FILTER(LCASE(STR(?l)) = {text(name.lower())}) }}",
            use_default_graph_as_union=True,
        )
        for row in rows:
            yield row["s"].value

    def _by_key(self, key: str) -> str | None:
        """The face, ruling or other node with this key, told by the label that it starts with."""
        label, _, rest = key.rpartition(" (")
        candidates = (n for start in (label, label.rpartition(" (")[0]) if start for n in self._named(start))
        rule = self._named(label.removeprefix("rule ")) if rest else iter(())
        return next((node for node in (*candidates, *rule) if self.key(node) == key), None)

    def _nearest(self, name: str) -> str:
        names = {quad.object.value for quad in matching(self.store, None, VOCAB + "name")}
        names |= {self.value(node, _LABEL) or "" for node in self.of_kind("Concept")}
        near = process.extract(name, sorted(names), limit=3, score_cutoff=70)
        return "; did you mean " + " or ".join(repr(found) for found, *_ in near) + "?" if near else ""


def is_derived(quad: ox.Quad) -> bool:
    """Whether the program worked the quad out."""
    return isinstance(quad.graph_name, ox.NamedNode) and quad.graph_name.value == DERIVED
