"""How central the nodes of a network are: PageRank by scipy; degree, betweenness and closeness by igraph.

The figures are those of the functions of the same names in NetworkX, which are too slow for large networks.
"""

from collections.abc import Collection, Mapping
from typing import Any, Literal, get_args

import numpy as np
from scipy import sparse

from rulings.graph.communities import as_igraph
from rulings.graph.errors import QueryError
from rulings.graph.sparse_network import SparseNetwork

Measure = Literal["degree", "betweenness", "closeness", "pagerank"]
_STEPS = 500


def centrality(network: SparseNetwork, measure: Measure = "betweenness") -> dict[str, float]:
    """How central each node of an undirected network is, the most central first.

    Args:
        network: An undirected network. Weights count for "pagerank" only; for the others each edge is one step.
        measure: As in NetworkX: "degree" (share of the other nodes that are next to it), "betweenness" (share of the
            shortest ways that lead through it), "closeness" (1 by its mean distance, less where it doesn't reach
            all), "pagerank" (`pagerank` below).

    Raises:
        QueryError: there is no such measure.
        MissingExtraError: igraph isn't installed ("pagerank" does without).
    """
    if measure not in get_args(Measure):
        raise QueryError(f"no measure is called {measure!r}; take one of {', '.join(get_args(Measure))}")
    if measure == "pagerank":
        return pagerank(network)
    graph, n = as_igraph(network), len(network.keys)
    match measure:
        case "degree":
            values = np.array(graph.degree()) / max(1, n - 1)
        case "betweenness":
            values = np.array(graph.betweenness(directed=False)) / max(1.0, (n - 1) * (n - 2) / 2)
        case "closeness":
            reached = np.array(graph.neighborhood_size(order=n)) - 1 if n else np.zeros(0)
            near = np.nan_to_num(np.array(graph.closeness(), dtype=float))
            # igraph looks within a node's part; NetworkX scales that by the part's size (Wasserman and Faust).
            values = near * reached / max(1, n - 1)
    return _ordered(network, values)


def pagerank(
    network: SparseNetwork,
    start: Mapping[str, float] | Collection[str] | None = None,
    *,
    damping: float = 0.85,
    tolerance: float = 1e-10,
) -> dict[str, float]:
    """PageRank (Brin and Page 1998): where a walker is found who follows edges by weight, the likeliest first.

    Args:
        network: A network, directed or not.
        start: Where the walker begins and begins anew (personalised PageRank), with a weight each or all alike; None:
            anywhere.
        damping: How likely the walker goes on at each step.
        tolerance: The walk ends when all shares together change by less than this.

    Returns:
        Shares that add up to 1.

    Raises:
        KeyError: a start is not in the network.
        QueryError: ``damping`` is not from 0 to below 1.
    """
    if not 0 <= damping < 1:
        raise QueryError(f"damping={damping} is not from 0 to below 1; 0.85 is usual")
    n = len(network.keys)
    if n == 0:
        return {}
    begin = np.full(n, 1 / n)
    if start is not None:
        weights = dict(start) if isinstance(start, Mapping) else dict.fromkeys(start, 1.0)
        begin = np.zeros(n)
        begin[network.places(weights)] = list(weights.values())
        begin /= begin.sum()
    out = np.asarray(network.weights.sum(axis=1)).ravel()
    steps = (sparse.diags(np.divide(1.0, out, where=out != 0, out=np.zeros(n))) @ network.weights).T.tocsr()
    share = begin
    for _ in range(_STEPS):
        # A walker at a dead end begins anew.
        following = damping * (steps @ share + share[out == 0].sum() * begin) + (1 - damping) * begin
        change = np.abs(following - share).sum()
        share = following
        if change < tolerance:
            break
    return _ordered(network, share)


def _ordered(network: SparseNetwork, values: Any) -> dict[str, float]:  # noqa: ANN401
    order = np.lexsort((np.array(network.keys, dtype=object).astype(str), -values))
    return {network.keys[n]: float(values[n]) for n in order}
