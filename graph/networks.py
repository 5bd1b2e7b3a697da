"""The graph for NetworkX: whole, by kinds and relations, the neighbourhood of anything, or what a CONSTRUCT gives."""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from rulings.graph.errors import QueryError
from rulings.graph.node_table import KINDS, NodeTable, is_derived, matching
from rulings.graph.sparql import run, value
from rulings.graph.vocabulary import PREFIXES, VOCAB

if TYPE_CHECKING:
    import networkx as nx

_RDF, _SKOS = PREFIXES["rdf"], PREFIXES["skos"]
SUBJECT, _PREDICATE, OBJECT = (_RDF + name for name in ("subject", "predicate", "object"))
_CONFIDENCE = VOCAB + "confidence"
_ASIDE = {"inEdition", "faceOf"}
"""Relations that a neighbourhood leaves out unless asked for: they lead to hubs, or only back."""
HUB = 2000
"""A node that so many others point to by one relation is not looked into, unless it is where one starts."""


@cache
def relations() -> dict[str, str]:
    """The IRIs of the relations between nodes by their local names."""
    text = Path(__file__).with_name("vocabulary.ttl").read_text(encoding="utf-8")
    names = re.findall(r"^rul:(\w+) a owl:ObjectProperty", text, re.MULTILINE)
    return {name: VOCAB + name for name in names} | {name: _SKOS + name for name in ("broader", "related")}


def _chosen(names: Collection[str] | None, known: Collection[str], what: str) -> list[str]:
    unknown = sorted(set(names or ()) - set(known))
    if unknown:
        raise QueryError(f"no {what} is called {unknown[0]!r}; take some of {', '.join(known)}")
    return [name for name in known if names is None or name in names]


def whole(
    store: ox.Store, *, kinds: Collection[str] | None = None, wanted: Collection[str] | None = None
) -> "nx.MultiDiGraph":
    """All nodes of the kinds and all edges of the relations between them; see `KnowledgeGraph.networkx`."""
    import networkx as nx

    table = NodeTable(store, whole=True)
    graph = nx.MultiDiGraph()
    keys: dict[str, str] = {}
    for kind in _chosen(kinds, KINDS, "kind"):
        for node in table.of_kind(kind):
            keys[node] = table.key(node)
            graph.add_node(keys[node], **table.attributes(node))
    names = _chosen(wanted, relations(), "relation")
    for name in names:
        for quad in matching(store, None, relations()[name]):
            _add(graph, keys.get(quad.subject.value), keys.get(quad.object.value), name, derived=is_derived(quad))
    _add_confidences(store, graph, keys, names)
    return graph


def _add(graph: "nx.MultiDiGraph", start: str | None, end: str | None, name: str, *, derived: bool) -> None:
    """Add an edge; where it is both asserted and derived, it is asserted."""
    if start is None or end is None:
        return
    known = graph.get_edge_data(start, end, name)
    if known is None:
        graph.add_edge(start, end, name, relation=name, derived=derived)
    elif not derived:
        known["derived"] = False


def _add_confidences(store: ox.Store, graph: "nx.MultiDiGraph", keys: dict[str, str], names: list[str]) -> None:
    sure = {q.subject.value: float(q.object.value) for q in matching(store, None, _CONFIDENCE)}
    subjects = {q.subject.value: q.object.value for q in matching(store, None, SUBJECT)}
    said = {iri: name for name, iri in relations().items() if name in names}
    links = {q.subject.value: said[q.object.value] for q in matching(store, None, _PREDICATE) if q.object.value in said}
    for quad in matching(store, None, OBJECT):
        link = quad.subject.value
        name = links.get(link)
        start, end = keys.get(subjects[link]), keys.get(quad.object.value)
        if name is not None and start is not None and end is not None:
            edge = graph.get_edge_data(start, end, name)
            if edge is not None:
                edge["confidence"] = max(edge.get("confidence", 0.0), sure[link])


class Neighbours:
    """Reads the edges at a node from the store. Nodes are IRIs."""

    def __init__(self, store: ox.Store, names: Iterable[str]) -> None:
        self.store = store
        self.predicates = {name: relations()[name] for name in names}

    def outward(self, node: str) -> Iterator[tuple[str, str, bool]]:
        """Relation, other end and whether derived, of the edges that leave a node."""
        for name, predicate in self.predicates.items():
            for quad in matching(self.store, node, predicate):
                yield name, quad.object.value, is_derived(quad)

    def inward(self, node: str, most: int | None) -> Iterator[tuple[str, list[tuple[str, bool]]]]:
        """By relation, the other ends of the edges that come to a node; at most ``most`` + 1 of each."""
        for name, predicate in self.predicates.items():
            quads = matching(self.store, None, predicate, node)
            found = [(quad.subject.value, is_derived(quad)) for quad in islice(quads, most and most + 1)]
            if found:
                yield name, found

    def confidences(self, node: str, end: str) -> dict[tuple[str, str], float]:
        """How sure the edges at a node are, by relation and other end; ``end``: the side of the link it is on."""
        names = {predicate: name for name, predicate in self.predicates.items()}
        found: dict[tuple[str, str], float] = {}
        for quad in matching(self.store, None, end, node):
            about: dict[str, list[str]] = {}
            for fact in matching(self.store, quad.subject.value, None):
                about.setdefault(fact.predicate.value, []).append(fact.object.value)
            name = names.get(about[_PREDICATE][0])
            if name is not None:
                for other in about[OBJECT if end == SUBJECT else SUBJECT]:
                    sure = float(about[_CONFIDENCE][0])
                    found[name, other] = max(sure, found.get((name, other), 0.0))
        return found


def neighbourhood(
    store: ox.Store,
    start: str | Iterable[str],
    *,
    hops: int = 2,
    kinds: Collection[str] | None = None,
    wanted: Collection[str] | None = None,
    limit: int | None = 20,
) -> "nx.MultiDiGraph":
    """What lies within ``hops`` steps of one or several nodes; see `KnowledgeGraph.networkx`."""
    import networkx as nx

    table = NodeTable(store)
    allowed = set(_chosen(kinds, KINDS, "kind"))
    names = [n for n in _chosen(wanted, relations(), "relation") if wanted is not None or n not in _ASIDE]
    near = Neighbours(store, names)
    starts = [table.find(name) for name in ([start] if isinstance(start, str) else start)]
    left_out: dict[str, dict[str, int]] = {}
    graph = nx.MultiDiGraph(start=[table.key(node) for node in starts], hops=hops, limit=limit, left_out=left_out)
    for node in starts:
        graph.add_node(table.key(node), **table.attributes(node))
    seen, front = set(starts), list(starts)
    for _ in range(hops):
        reached: list[str] = []
        for node in front:
            for edge in _kept(near, table, node, limit, left_out, allowed, hub=None if node in starts else HUB):
                subject, name, target, derived = edge
                other = target if subject == node else subject
                if other not in seen:
                    seen.add(other)
                    reached.append(other)
                    graph.add_node(table.key(other), **table.attributes(other))
                _add(graph, table.key(subject), table.key(target), name, derived=derived)
        front = reached
    _complete(graph, near, table, seen)
    return graph


def _kept(
    near: Neighbours,
    table: NodeTable,
    node: str,
    limit: int | None,
    left_out: dict[str, dict[str, int]],
    allowed: set[str],
    hub: int | None,
) -> Iterator[tuple[str, str, str, bool]]:
    """The edges at a node that stay: of each relation and direction the surest ``limit``; others are counted."""
    groups: dict[tuple[str, bool], dict[str, bool]] = {}
    for name, other, derived in near.outward(node):
        ends = groups.setdefault((name, False), {})
        ends[other] = derived and ends.get(other, True)
    for name, found in near.inward(node, hub):
        ends = groups.setdefault((name, True), {})
        for other, derived in found:
            ends[other] = derived and ends.get(other, True)
    sure: dict[bool, dict[tuple[str, str], float]] = {}
    for (name, inward), ends in groups.items():
        fitting = sorted(other for other in ends if table.kind(other) in allowed)
        gone = 0
        if inward and hub is not None and len(ends) > hub:
            fitting, gone = [], len(ends)
        elif limit is not None and len(fitting) > limit:
            if inward not in sure:
                sure[inward] = near.confidences(node, OBJECT if inward else SUBJECT)
            ranks = sure[inward]
            fitting.sort(key=lambda other: -ranks.get((name, other), 0.0))
            gone = len(fitting) - limit
            fitting = fitting[:limit]
        if gone:
            left_out.setdefault(table.key(node), {})[f"{'of ' if inward else ''}{name}"] = gone
        for other in fitting:
            yield (other, name, node, ends[other]) if inward else (node, name, other, ends[other])


def _complete(graph: "nx.MultiDiGraph", near: Neighbours, table: NodeTable, seen: set[str]) -> None:
    """Add the edges between nodes that are both there, and how sure each derived edge is."""
    for node in sorted(seen):
        sure: dict[tuple[str, str], float] | None = None
        for name, other, derived in near.outward(node):
            if other in seen:
                _add(graph, table.key(node), table.key(other), name, derived=derived)
                if derived:
                    sure = near.confidences(node, SUBJECT) if sure is None else sure
                    if (name, other) in sure:
                        graph.edges[table.key(node), table.key(other), name]["confidence"] = sure[name, other]


def from_construct(store: ox.Store, query: str) -> "nx.MultiDiGraph":
    """Turn the triples of a CONSTRUCT or DESCRIBE into a graph: edges between nodes, texts and numbers as attributes.

    Raises:
        QueryError: the query can't be run, or gives rows.
    """
    import networkx as nx

    result = run(store, query)
    if result.kind != "graph":
        raise QueryError("a graph is made from a CONSTRUCT or DESCRIBE; for a SELECT use `sparql`")
    table, graph = NodeTable(store), nx.MultiDiGraph()

    def key(term: ox.NamedNode | ox.BlankNode) -> str:
        if isinstance(term, ox.BlankNode):
            graph.add_node(str(term))
            return str(term)
        name = table.key(term.value)
        if name not in graph:
            graph.add_node(name, **table.attributes(term.value))
        return name

    for subject, predicate, obj in result.terms:
        start, name = key(subject), re.split("[/#]", predicate.value)[-1]
        if not isinstance(obj, ox.Literal):
            graph.add_edge(start, key(obj), name, relation=name)
        else:
            found = graph.nodes[start].setdefault(name, value(obj))
            if found != value(obj):
                graph.nodes[start][name] = [*(found if isinstance(found, list) else [found]), value(obj)]
    return graph
