"""Reads the networks that algorithms run on out of one generation, and keeps the sparse ones for the next call."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from rulings.graph import projections
from rulings.graph.archive import Analyses
from rulings.graph.errors import QueryError
from rulings.graph.network_rows import NetworkRows
from rulings.graph.networks import chosen, uncollected
from rulings.graph.projections import Projection
from rulings.graph.sparse_network import SparseNetwork
from rulings.graph.vocabulary import Iris
from rulings.ingest import Archive

if TYPE_CHECKING:
    import networkx as nx

_PROJECTIONS: Mapping[str, Callable[[NetworkRows], Projection]] = {
    "concepts": projections.concepts_by_shared_rulings,
    "cards": projections.cards_by_shared_concepts,
}


class NetworkSource:
    """The networks of one generation."""

    def __init__(self, archive: Archive, analyses: Analyses, iris: Iris) -> None:
        self.archive, self.analyses, self.iris = archive, analyses, iris
        self._projected: dict[str, SparseNetwork] = {}
        self._walked: dict[tuple[tuple[str, ...], tuple[str, ...]], SparseNetwork] = {}

    def rows(self) -> NetworkRows:
        """Everything, read anew: it is large, and kept by nothing."""
        with uncollected():
            return NetworkRows(self.archive.corpus(), self.analyses.derived(), self.iris)

    def undirected(self, of: "nx.Graph | str") -> SparseNetwork:
        """The projection of this name ("concepts" or "cards"), or a graph of NetworkX.

        Raises:
            QueryError: there is no such projection, or the graph is directed.
        """
        if not isinstance(of, str):
            if of.is_directed():
                raise QueryError("the graph is directed; give it `.to_undirected()`")
            return SparseNetwork.of_networkx(of)
        chosen([of], _PROJECTIONS, "network")
        if of not in self._projected:
            self._projected[of] = _PROJECTIONS[of](self.rows()).network
        return self._projected[of]

    def walked(self, kinds: tuple[str, ...], relations: tuple[str, ...]) -> SparseNetwork:
        """All nodes of the kinds, joined in both directions by the edges of the relations, each of weight 1."""
        if (kinds, relations) not in self._walked:
            rows = self.rows()
            keys = [key for kind in kinds for key, _ in rows.nodes(kind)]
            found = dict.fromkeys((start, name, end) for start, name, end, *_ in rows.edges(frozenset(relations)))
            edges = ((start, end) for start, _, end in found)
            self._walked[kinds, relations] = SparseNetwork.of_edges(keys, edges, directed=False)
        return self._walked[kinds, relations]
