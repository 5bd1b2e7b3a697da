"""Simple weighted networks made from the whole graph: its nodes of one kind, joined by what they share."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from rulings.graph.network_rows import NetworkRows
from rulings.graph.networks import uncollected
from rulings.graph.sparse_network import SparseNetwork

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, slots=True)
class Projection:
    """An undirected network whose weights are how much two nodes share.

    ``about`` are the attributes of each node by key. ``left_out`` names what was too common to tell anything, with the
    number of nodes that share it.
    """

    network: SparseNetwork
    about: dict[str, dict[str, str]]
    left_out: dict[str, int]

    def graph(self) -> "nx.Graph":
        """The same for NetworkX, with ``weight`` on its edges."""
        import networkx as nx

        keys = self.network.keys
        graph = nx.Graph(left_out=self.left_out)
        with uncollected():
            graph.add_nodes_from((key, self.about[key]) for key in keys)
            columns = (column.tolist() for column in self.network.pairs())
            graph.add_weighted_edges_from((keys[a], keys[b], int(w)) for a, b, w in zip(*columns, strict=True))
        return graph


def cards_by_shared_concepts(rows: NetworkRows, *, least: int = 2, most: int = 500) -> Projection:
    """Join cards that have or use the same concepts.

    Args:
        rows: The graph.
        least: How many concepts two cards must share.
        most: Concepts of more cards than this say little, and are left out.

    Returns:
        A network whose weights are the number of concepts shared.
    """
    return _projected(rows, ("hasKeyword", "uses"), "Card", "Concept", least, most)


def concepts_by_shared_rulings(rows: NetworkRows, *, least: int = 1, most: int | None = None) -> Projection:
    """Join concepts that the same statements clarify.

    Args:
        rows: The graph.
        least: How many statements two concepts must share.
        most: Statements about more concepts than this are left out.

    Returns:
        A network whose weights are the number of statements shared.
    """
    return _projected(rows, ("clarifies",), "Concept", "Statement", least, most)


def _projected(
    rows: NetworkRows, names: Collection[str], joined: str, by: str, least: int, most: int | None
) -> Projection:
    """Join the nodes of one kind by the nodes of the other that they share along some relations."""
    about = dict(rows.nodes(joined))
    shared = {key for key, _ in rows.nodes(by)}
    groups: dict[str, set[str]] = defaultdict(set)
    for start, _, end, _, _ in rows.edges(names):
        for one, other in ((start, end), (end, start)):
            if one in about and other in shared:
                groups[other].add(one)
    gone = {other: len(ones) for other, ones in sorted(groups.items()) if most is not None and len(ones) > most}
    keys = sorted({one for ones in groups.values() for one in ones})
    kept = [sorted(ones) for other, ones in sorted(groups.items()) if other not in gone]
    place = {key: n for n, key in enumerate(keys)}
    columns = np.fromiter((place[one] for ones in kept for one in ones), dtype=np.int64)
    lines = np.repeat(np.arange(len(kept)), [len(ones) for ones in kept])
    incidence = sparse.csr_matrix((np.ones(len(lines)), (lines, columns)), shape=(len(kept), len(keys)))
    weights = (incidence.T @ incidence).tocsr()
    weights.setdiag(0)
    weights.data[weights.data < least] = 0
    weights.eliminate_zeros()
    return Projection(SparseNetwork(tuple(keys), weights), {key: about[key] for key in keys}, gone)
