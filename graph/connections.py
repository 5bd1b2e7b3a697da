"""How two things hang together: the shortest way between two nodes, through what everything hangs on only at need."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from rulings.graph.asserted import shortened
from rulings.graph.confidences import Confidences
from rulings.graph.node_table import NodeTable
from rulings.graph.relations import relations
from rulings.graph.store_edges import ASIDE, StoreEdges

_TRIES = ((40, 4, False), (400, 4, False), (400, 6, True))
"""What is tried one after the other.

Nodes of more neighbours than the first number are not gone through, and a way has at most so many steps. A long way
tells less than what everything hangs on, and than that cards work alike: the last try takes both.
"""
_PASSED = ("Card", "Face", "Ruling", "Statement", "Concept", "Rule")
_MOST_SEEN = 4_000
_WORDS = {
    "about": "is published on",
    "states": "says",
    "clarifies": "is about",
    "outdatedBy": "is outdated by",
    "definedBy": "is defined by",
    "sameRuleAs": "is the same rule as",
    "partOf": "is part of",
    "broader": "belongs to",
    "related": "is related to",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One edge of the way: ``start`` and ``end`` are node keys in the order of the way; ``text`` says it in words.

    ``forward`` is False where the edge runs from ``end`` to ``start``.
    """

    start: str
    relation: str
    end: str
    text: str
    forward: bool

    def __str__(self) -> str:
        return self.text


class Connection(tuple[Step, ...]):
    """The steps from one node to the other; empty where none was found."""

    __slots__ = ()

    def __str__(self) -> str:
        return "\n".join(f"{n}. {step}" for n, step in enumerate(self, 1)) or "no connection was found"

    def _repr_html_(self) -> str:
        return f"<ol>{''.join(f'<li>{escape(step.text)}</li>' for step in self)}</ol>" if self else escape(str(self))


def connection(table: NodeTable, sure: Confidences, first: str, second: str) -> Connection:
    """Find the shortest way between two nodes; of several the one through the least common nodes.

    Raises:
        UnknownNameError: a name stands for nothing.
    """
    ends = table.find(first), table.find(second)
    if ends[0] == ends[1]:
        return Connection()
    for hub, longest, last in _TRIES:
        aside = ASIDE if last else ASIDE | {"worksLike"}
        edges = StoreEdges(table.store, [name for name in relations() if name not in aside])
        nodes = _Search(edges, table, hub, meet=last).way(*ends, longest)
        if nodes:
            return Connection(_step(table, edges, sure, *pair) for pair in pairwise(nodes))
    return Connection()


class _Search:
    """Goes out from both ends, the smaller front first, until they meet."""

    def __init__(self, edges: StoreEdges, table: NodeTable, hub: int, *, meet: bool) -> None:
        """``hub``: a node of more neighbours is not entered; ``meet``: yet the two searches may meet there."""
        self.edges, self.table, self.hub, self.meet = edges, table, hub, meet
        self._around: dict[str, set[str]] = {}

    def around(self, node: str, hub: int | None) -> set[str]:
        """The neighbours of a node; none of a hub."""
        if node not in self._around:
            kind = self.table.kind(node) or ""
            found = {other for _, other, _ in self.edges.outward(kind, node)}
            for _, others in self.edges.inward(kind, node, hub):
                found.update(other for other, _ in others)
            self._around[node] = set() if hub is not None and len(found) > hub else found
        return self._around[node]

    def way(self, first: str, second: str, longest: int) -> list[str]:
        """The nodes of the best shortest way, both ends among them; empty where none is found."""
        came: tuple[dict[str, set[str]], dict[str, set[str]]] = ({first: set()}, {second: set()})
        fronts = [{first}, {second}]
        for _ in range(longest):
            side = 0 if len(fronts[0]) <= len(fronts[1]) else 1
            reached: dict[str, set[str]] = {}
            for node in sorted(fronts[side]):
                for other in self.around(node, None if node in {first, second} else self.hub):
                    if other not in came[side] and self.table.kind(other) in _PASSED:
                        reached.setdefault(other, set()).add(node)
            came[side].update(reached)
            fronts[side] = set(reached)
            ends = {first, second}
            met = sorted(
                node
                for node in reached
                if node in came[1 - side] and (self.meet or node in ends or self.around(node, self.hub))
            )
            if met:
                return self._best([way for node in met for way in self._ways(node, came)], first, second)
            if not reached or len(came[0]) + len(came[1]) > _MOST_SEEN:
                return []
        return []

    def _ways(self, met: str, came: tuple[dict[str, set[str]], dict[str, set[str]]]) -> Iterator[list[str]]:
        for back in _walk(met, came[0]):
            for on in _walk(met, came[1]):
                yield [*reversed(back), *on[1:]]

    def _best(self, ways: list[list[str]], first: str, second: str) -> list[str]:
        """The way whose inner nodes have the fewest neighbours; through a hub only where every way does."""

        def commonness(way: list[str]) -> tuple[int, list[str]]:
            # The sorted nodes break a tie alike from both ends.
            inner = [self.around(node, self.hub) for node in way if node not in {first, second}]
            return sum(len(around) if around else 10 * self.hub for around in inner), sorted(way)

        return min(ways[:500], key=commonness)


def _walk(node: str, came: dict[str, set[str]]) -> Iterator[list[str]]:
    """The ways back from a node to where a search began."""
    if not came[node]:
        yield [node]
    for before in sorted(came[node]):
        for rest in _walk(before, came):
            yield [node, *rest]


def _step(table: NodeTable, edges: StoreEdges, sure: Confidences, start: str, end: str) -> Step:
    kinds = {node: table.kind(node) or "" for node in (start, end)}
    found = [(True, name) for name, other, _ in edges.outward(kinds[start], start) if other == end]
    found += [(False, name) for name, other, _ in edges.outward(kinds[end], end) if other == start]
    forward, name = found[0]
    subject, target = (start, end) if forward else (end, start)
    rests = name == "clarifies" and table.kind(target) == "Rule"
    label = "rests on" if rests else _WORDS.get(name) or _words(name)
    confidence = sure.outward(kinds[subject], subject).get((name, target))
    text = f"{_called(table, subject)} {label} {_called(table, target)}"
    text += f" ({confidence:.2f})" if confidence is not None and confidence < 1 else ""
    return Step(table.key(start), name, table.key(end), text, forward)


def _words(name: str) -> str:
    """The local name of a relation as words: "worksLike" is "works like"."""
    return "".join(f" {c.lower()}" if c.isupper() else c for c in name)


def _called(table: NodeTable, node: str) -> str:
    attributes = table.attributes(node)
    match attributes["kind"]:
        case "Statement":
            return f"“{shortened(attributes['text'], 120)}”"
        case "Ruling":
            return f"a ruling of {attributes.get('date')}"
        case "Concept":
            return f"the concept {attributes['label']}"
    return table.key(node)
