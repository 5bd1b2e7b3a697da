"""A network as a sparse matrix whose rows have readable keys: what fast algorithms take."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, slots=True)
class SparseNetwork:
    """``weights[i, j]`` is the weight of the edge from ``keys[i]`` to ``keys[j]``, 0 for none (CSR, float64).

    Undirected networks are symmetric.
    """

    keys: tuple[str, ...]
    weights: Any

    @classmethod
    def of_edges(cls, keys: Iterable[str], edges: Iterable[tuple[str, str]], *, directed: bool) -> Self:
        """Make one of edges between known keys; several edges of a pair add up, other edges are passed over."""
        names = tuple(keys)
        place = {key: n for n, key in enumerate(names)}
        ends = [(place[a], place[b]) for a, b in edges if a in place and b in place]
        pairs = np.array(ends, dtype=np.int64).reshape(-1, 2)
        shape = (len(names), len(names))
        weights = sparse.coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=shape).tocsr()
        if not directed:
            turned = sparse.triu(weights.T, k=1) + sparse.tril(weights.T, k=-1)
            weights = (weights + turned).tocsr()
        return cls(names, weights)

    @classmethod
    def of_networkx(cls, graph: "nx.Graph", weight: str | None = "weight") -> Self:
        """Take a graph of NetworkX; edges without a weight weigh 1, parallel ones add up."""
        import networkx as nx

        names = tuple(graph)
        if not names:
            return cls((), sparse.csr_matrix((0, 0)))
        matrix = nx.to_scipy_sparse_array(graph, nodelist=names, weight=weight, dtype=float, format="csr")
        return cls(names, sparse.csr_matrix(matrix))

    def pairs(self) -> tuple[Any, Any, Any]:
        """Rows, columns and weights of an undirected network, each pair once."""
        upper = sparse.triu(self.weights).tocoo()
        return upper.row, upper.col, upper.data

    def places(self, keys: Collection[str]) -> list[int]:
        """The rows of some keys.

        Raises:
            KeyError: one is not in the network.
        """
        place = {key: n for n, key in enumerate(self.keys)}
        return [place[key] for key in keys]
