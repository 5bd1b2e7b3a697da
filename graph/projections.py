"""Simple weighted graphs made from the whole one, ready for NetworkX's algorithms."""

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import pyoxigraph as ox
from scipy import sparse

from rulings.graph.networks import relations
from rulings.graph.node_table import NodeTable, matching

if TYPE_CHECKING:
    import networkx as nx


def cards_by_shared_concepts(store: ox.Store, *, least: int = 2, most: int = 500) -> "nx.Graph":
    """Join cards that have or use the same concepts.

    Args:
        store: The graph.
        least: How many concepts two cards must share.
        most: Concepts of more cards than this say little, and are left out; the graph's attribute ``left_out`` names
            them with their number of cards.

    Returns:
        A graph whose ``weight`` is the number of concepts shared.
    """
    return _projected(store, ("hasKeyword", "uses"), "Card", "Concept", least, most)


def concepts_by_shared_rulings(store: ox.Store, *, least: int = 1, most: int | None = None) -> "nx.Graph":
    """Join concepts that the same statements clarify.

    Args:
        store: The graph.
        least: How many statements two concepts must share.
        most: Statements about more concepts than this are left out.

    Returns:
        A graph whose ``weight`` is the number of statements shared.
    """
    return _projected(store, ("clarifies",), "Concept", "Statement", least, most)


def _projected(store: ox.Store, names: Iterable[str], joined: str, by: str, least: int, most: int | None) -> "nx.Graph":
    """Join the nodes of one kind by the nodes of the other that they share along some relations."""
    import networkx as nx

    table = NodeTable(store, whole=True)
    groups: dict[str, set[str]] = defaultdict(set)
    for name in names:
        for quad in matching(store, None, relations()[name]):
            ends = (quad.subject.value, quad.object.value)
            for one, shared in (ends, ends[::-1]):
                if table.kind(one) == joined and table.kind(shared) == by:
                    groups[shared].add(one)
    gone = {table.key(shared): len(ones) for shared, ones in groups.items() if most is not None and len(ones) > most}
    kept = [ones for shared, ones in sorted(groups.items()) if table.key(shared) not in gone]
    nodes = sorted({one for ones in groups.values() for one in ones}, key=table.key)
    graph = nx.Graph(left_out=gone)
    graph.add_nodes_from((table.key(node), table.attributes(node)) for node in nodes)
    place = {node: n for n, node in enumerate(nodes)}
    columns = np.fromiter((place[one] for ones in kept for one in sorted(ones)), dtype=np.int64)
    rows = np.repeat(np.arange(len(kept)), [len(ones) for ones in kept])
    incidence = sparse.csr_matrix((np.ones(len(rows), dtype=np.int32), (rows, columns)), shape=(len(kept), len(nodes)))
    shared = sparse.triu(incidence.T @ incidence, k=1).tocoo()
    strong = shared.data >= least
    keys = [table.key(node) for node in nodes]
    graph.add_weighted_edges_from(
        (keys[a], keys[b], int(weight))
        for a, b, weight in zip(shared.row[strong], shared.col[strong], shared.data[strong], strict=True)
    )
    return graph
