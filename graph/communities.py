"""Communities of a network by the Leiden algorithm (Traag, Waltman, van Eck 2019), through igraph."""

from typing import TYPE_CHECKING, Any

from rulings.graph.errors import NETWORKS, MissingExtraError
from rulings.graph.sparse_network import SparseNetwork

if TYPE_CHECKING:
    import igraph


def as_igraph(network: SparseNetwork) -> "igraph.Graph":
    """An undirected network for igraph, with ``weight`` on its edges.

    Raises:
        MissingExtraError: igraph isn't installed.
    """
    try:
        import igraph
    except ImportError:
        raise MissingExtraError(f"this needs igraph; install it with: {NETWORKS}") from None
    rows, columns, weights = network.pairs()
    edges: Any = list(zip(rows.tolist(), columns.tolist(), strict=True))
    graph = igraph.Graph(n=len(network.keys), edges=edges)
    graph.es["weight"] = weights.tolist()
    return graph


def communities(network: SparseNetwork, *, resolution: float = 1.0, seed: int = 0) -> tuple[frozenset[str], ...]:
    """Part an undirected network into groups that are joined more within than without.

    Args:
        network: An undirected network.
        resolution: Above 1 for more and smaller groups.
        seed: The same seed gives the same groups.

    Returns:
        The groups by their keys, the largest first. They are of high modularity, as those of
        ``networkx.community.louvain_communities``, and each hangs together.

    Raises:
        MissingExtraError: igraph isn't installed.
    """
    import random

    graph = as_igraph(network)
    import igraph

    igraph.set_random_number_generator(random.Random(seed))  # noqa: S311 - no secret depends on it
    try:
        found = graph.community_leiden("modularity", weights="weight", resolution=resolution, n_iterations=-1)
    finally:
        igraph.set_random_number_generator(random)
    groups = (frozenset(network.keys[n] for n in group) for group in found)
    return tuple(sorted(groups, key=lambda group: (-len(group), min(group))))
