"""The graph for NetworkX: whole or by kinds and relations, and what a CONSTRUCT gives."""

import gc
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from rulings.graph.errors import QueryError
from rulings.graph.network_rows import NetworkRows
from rulings.graph.node_table import KINDS, NodeTable
from rulings.graph.relations import relations
from rulings.graph.sparql import run, value

if TYPE_CHECKING:
    import networkx as nx


def chosen(names: Collection[str] | None, known: Collection[str], what: str) -> list[str]:
    """The names that were asked for, in the order of the known ones; None: all.

    Raises:
        QueryError: one is not known.
    """
    unknown = sorted(set(names or ()) - set(known))
    if unknown:
        raise QueryError(f"no {what} is called {unknown[0]!r}; take some of {', '.join(known)}")
    return [name for name in known if names is None or name in names]


@contextmanager
def uncollected() -> Iterator[None]:
    """Hold Python's cycle collector back: it would walk the growing millions of live objects again and again."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def whole(
    rows: NetworkRows, *, kinds: Collection[str] | None = None, wanted: Collection[str] | None = None
) -> "nx.MultiDiGraph":
    """All nodes of the kinds and all edges of the relations between them; see `KnowledgeGraph.networkx`."""
    import networkx as nx

    graph = nx.MultiDiGraph()
    with uncollected():
        for kind in chosen(kinds, KINDS, "kind"):
            graph.add_nodes_from(rows.nodes(kind))
        nodes, edges = set(graph), dict[tuple[str, str, str], dict[str, Any]]()
        for start, name, end, derived, confidence in rows.edges(frozenset(chosen(wanted, relations(), "relation"))):
            if start in nodes and end in nodes:
                # What is asserted comes first, and of several links the first is in the graph.
                about = edges.setdefault((start, end, name), {"relation": name, "derived": derived})
                if confidence is not None:
                    about.setdefault("confidence", round(confidence, 3))
        for (start, end, name), about in edges.items():
            graph.add_edge(start, end, name, **about)
    return graph


def from_construct(store: ox.Store, table: NodeTable, query: str) -> "nx.MultiDiGraph":
    """Turn the triples of a CONSTRUCT or DESCRIBE into a graph: edges between nodes, texts and numbers as attributes.

    Raises:
        QueryError: the query can't be run, or gives rows.
    """
    import networkx as nx

    result = run(store, query)
    if result.kind != "graph":
        raise QueryError("a graph is made from a CONSTRUCT or DESCRIBE; for a SELECT use `sparql`")
    graph = nx.MultiDiGraph()

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
