"""The picture of what stands around a node: which neighbours are drawn, and what is left out."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest

from rulings.graph.archive import Analyses
from rulings.graph.lookup import Node
from rulings.graph.neighbours import Group, Near, Neighbours
from rulings.graph.picture import MOST_NODES, LeftOut, Picture, PictureEdge
from rulings.graph.picture_nodes import NodeWords
from rulings.graph.vocabulary import Iris
from rulings.ingest import Archive

_COMPANY: Mapping[str, Mapping[str, int]] = {
    "card": {"concepts": 2, "rules": 1},
    "concept": {"cards": 1},
    "rule": {"cards": 1},
    "statement": {"wordings of it": 5, "cards": 1},
    "edition": {},
}
"""By the kind of the centre: what the rulings next to it are shown with even at one hop, and how much of it."""
_FARTHER = 3
"""How many of a group are shown at a node that isn't the centre."""
_LONGEST_CHAIN = 4


def surroundings(
    node: Node, archive: Archive, analyses: Analyses, iris: Iris, *, hops: int = 1, most: int = MOST_NODES
) -> Picture:
    """Picture a node with what lies within ``hops`` steps of it, at most ``most`` nodes in all.

    A ruling next to the centre comes with what it is about, or the card it stands on, as part of the same step.
    """
    growing = _Growing(Neighbours(archive, analyses), most)
    growing.grow(node, hops)
    words = NodeWords(archive, analyses, iris)
    centre = words.node(node)
    # Sorting is stable: only the centre's column, where wordings and editions stand, is put in the order of the years.
    through_years = sorted(growing.columns.items(), key=lambda item: words.day(item[0]) if item[1] == 0 else "")
    nodes = tuple(words.node(found, column) for found, column in through_years)
    edges = tuple(
        PictureEdge(words.key(start), relation, words.key(end), confidence)
        for (start, relation, end), confidence in growing.edges.items()
    )
    return Picture(words.title(node), centre.key, nodes, edges, tuple(growing.left_out(node, words.name(node))))


class _Growing:
    """Takes in neighbours step by step until nothing or no room is left."""

    def __init__(self, neighbours: Neighbours, most: int) -> None:
        self.neighbours, self.most = neighbours, most
        self.columns: dict[Node, int] = {}
        self.edges: dict[tuple[Node, str, Node], float | None] = {}
        self._groups: dict[Node, dict[str, Group]] = {}

    def grow(self, centre: Node, hops: int) -> None:
        self.columns[centre] = 0
        groups = self.neighbours.of(centre)
        self._take({centre: [(group, group.most) for group in groups if not group.late]})
        first = list(self.columns)[1:]
        self._take({node: list(self._company(node, centre)) for node in first})
        if centre.kind == "rule":
            self._chain(centre)
        self._take({centre: [(group, group.most) for group in groups if group.late]})
        ring = list(self.columns)[1:]
        for _ in range(hops - 1):
            before = set(self.columns)
            self._take({node: [(group, _FARTHER) for group in self.neighbours.of(node)] for node in ring})
            ring = [node for node in self.columns if node not in before]

    def _company(self, node: Node, centre: Node) -> Iterator[tuple[Group, int]]:
        if node.kind != "statement":
            return
        # To the left of a card stand the rulings on other cards: which those are tells more than their concepts.
        wanted = _COMPANY[centre.kind] if self.columns[node] >= 0 else {"cards": 1}
        for group in self.neighbours.of(node):
            if group.what in wanted:
                yield group, wanted[group.what]

    def _chain(self, rule: Node) -> None:
        """Take in the rules above a rule up to its section."""
        for _ in range(_LONGEST_CHAIN):
            above = [group for group in self.neighbours.of(rule) if group.what == "rules above"]
            if not above:
                return
            self._take({rule: [(above[0], 1)]})
            rule = above[0].near[0].node

    def _take(self, wanted: Mapping[Node, list[tuple[Group, int]]]) -> None:
        """Take in one neighbour of each node in turn, so that room is shared fairly."""
        for node, groups in wanted.items():
            self._groups.setdefault(node, {}).update({group.what: group for group, _ in groups})
        taking = ([(node, g, near) for g, n in groups for near in g.near[:n]] for node, groups in wanted.items())
        for turn in zip_longest(*taking):
            for taken in turn:
                if taken is not None:
                    self._add(*taken)

    def _add(self, node: Node, group: Group, near: Near) -> None:
        if near.node not in self.columns:
            if len(self.columns) >= self.most:
                return
            column = self.columns[node]
            outwards = (column > 0) - (column < 0) or group.side
            self.columns[near.node] = column + (outwards if group.side else 0)
        start, end = (node, near.node) if near.outward else (near.node, node)
        if (end, near.relation, start) not in self.edges:
            self.edges.setdefault((start, near.relation, end), near.confidence)

    def left_out(self, centre: Node, name: str) -> Iterator[LeftOut]:
        """What isn't drawn: at the centre group by group, around the other nodes all together."""
        for what, group in self._groups.get(centre, {}).items():
            if missing := self._missing(group.near):
                yield LeftOut(len(missing), what, name)
        around: dict[str, set[Node]] = {}
        for node, groups in self._groups.items():
            for what, group in groups.items() if node != centre else ():
                around.setdefault(what, set()).update(self._missing(group.near))
        for what, missing in around.items():
            if missing:
                yield LeftOut(len(missing), what)

    def _missing(self, near: Iterable[Near]) -> set[Node]:
        return {each.node for each in near if each.node not in self.columns}
