"""The neighbourhood of a node for NetworkX: the surest edges within some steps, and what is left out."""

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from rulings.graph.confidences import Confidences
from rulings.graph.node_table import NodeTable
from rulings.graph.store_edges import StoreEdges

if TYPE_CHECKING:
    import networkx as nx

HUB = 500
"""A node that more than so many others point to by one relation is not entered by it, unless it is where one starts."""
FARTHER = 4
"""Of a relation and direction at a node that one doesn't start from, so much less is followed."""
_ALIKE = frozenset({"uses", "hasKeyword"})
"""Relations whose edges are all as sure as the other."""


def neighbourhood(
    table: NodeTable,
    edges: StoreEdges,
    sure: Confidences,
    start: str | Iterable[str],
    *,
    hops: int,
    kinds: Collection[str] | None,
    limit: int | None,
) -> "nx.MultiDiGraph":
    """What lies within ``hops`` steps of one or several nodes; see `KnowledgeGraph.networkx`."""
    import networkx as nx

    starts = list(dict.fromkeys(table.find(name) for name in ([start] if isinstance(start, str) else start)))
    growing = _Growing(table, edges, sure, kinds)
    seen, front = dict.fromkeys(starts), starts
    for hop in range(hops):
        most = limit if hop == 0 or limit is None else max(1, limit // FARTHER)
        reached = dict.fromkeys(end for node in front for end in growing.kept(node, most, None if hop == 0 else HUB))
        front = [node for node in reached if node not in seen]
        seen |= dict.fromkeys(front)
    graph = nx.MultiDiGraph(start=[table.key(node) for node in starts], hops=hops, limit=limit)
    graph.add_nodes_from((table.key(node), table.attributes(node)) for node in seen)
    for node in seen:
        graph.add_edges_from(growing.between(node, seen))
    graph.graph |= {"left_out": dict(growing.left_out(seen)), "hubs": growing.hubs}
    return graph


class _Growing:
    """Reads the edges at nodes and keeps the surest."""

    def __init__(self, table: NodeTable, edges: StoreEdges, sure: Confidences, kinds: Collection[str] | None) -> None:
        self.table, self.edges, self.sure, self.kinds = table, edges, sure, kinds
        self.hubs: dict[str, list[str]] = {}
        """By node the relations by which it was not entered."""
        self._met: dict[str, dict[str, list[str]]] = {}

    def kept(self, node: str, limit: int | None, hub: int | None) -> Iterator[str]:
        """The nodes that the edges at a node lead to which are followed: of each relation and direction the surest."""
        kind = self.table.kind(node) or ""
        met = self._met[node] = {}
        for name, inward, others in self._groups(kind, node, hub):
            said = f"of {name}" if inward else name
            if inward and hub is not None and len(others) > hub:
                self.hubs.setdefault(self.table.key(node), []).append(said)
                continue
            met[said] = others
            if limit is not None and len(others) > limit:
                order = self._order(kind, node, name, others, inward=inward)
                ranked = sorted((-order.get(other, 0.0), other) for other in others)
                yield from (other for _, other in ranked[:limit])
            else:
                yield from others

    def _groups(self, kind: str, node: str, hub: int | None) -> Iterator[tuple[str, bool, list[str]]]:
        outward: dict[str, dict[str, None]] = {}
        for name, other, _ in self.edges.outward(kind, node):
            outward.setdefault(name, {})[other] = None
        for name, ends in outward.items():
            yield name, False, self._fitting(ends)
        for name, found in self.edges.inward(kind, node, hub):
            ends = dict.fromkeys(other for other, _ in found)
            yield name, True, list(ends) if hub is not None and len(ends) > hub else self._fitting(ends)

    def _fitting(self, ends: Iterable[str]) -> list[str]:
        """Those that are nodes of a kind that is wanted, in a fixed order."""
        if self.kinds is None:
            return sorted(ends)
        return sorted(end for end in ends if self.table.kind(end) in self.kinds)

    def _order(self, kind: str, node: str, name: str, others: list[str], *, inward: bool) -> dict[str, float]:
        """How sure the edges of a relation at a node are, by the other end."""
        if name in _ALIKE:
            return {}
        if inward:
            return self.sure.inward(kind, node, name, ((self.table.kind(other) or "", other) for other in others))
        sure = self.sure.outward(kind, node)
        return {other: sure.get((name, other), 0.0) for other in others}

    def between(self, node: str, seen: Collection[str]) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
        """The edges from a node to nodes that are there, as NetworkX takes them."""
        kind = self.table.kind(node) or ""
        found: dict[tuple[str, str], dict[str, Any]] = {}
        for name, other, derived in self.edges.outward(kind, node):
            if other in seen:
                about = found.setdefault((name, other), {"relation": name, "derived": derived})
                about["derived"] &= derived
                confidence = self.sure.outward(kind, node).get((name, other)) if derived else None
                if confidence is not None:
                    about["confidence"] = confidence
        for (name, other), about in found.items():
            yield self.table.key(node), self.table.key(other), name, about

    def left_out(self, seen: Collection[str]) -> Iterator[tuple[str, dict[str, int]]]:
        """By node how many neighbours are not there, by relation."""
        for node, met in self._met.items():
            missing = {said: sum(other not in seen for other in others) for said, others in met.items()}
            if any(missing.values()):
                yield self.table.key(node), {said: n for said, n in missing.items() if n}
