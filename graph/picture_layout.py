"""Where the nodes of a picture stand: columns from left to right, few crossings, nothing on top of another.

Edges that pass a column get a free place in it, as in Sugiyama, Tagawa and Toda, "Methods for visual understanding of
hierarchical system structures" (1981). The same picture always gets the same places.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt

from rulings.graph.picture import Picture, PictureEdge, PictureNode
from rulings.graph.picture_text import broken, width

LABEL_SIZE, HEAD_SIZE = 12.0, 9.5
LINE = 15.0
_TEXT = {"statement": (212.0, 4), "rule": (164.0, 4), "card": (140.0, 3), "concept": (126.0, 2), "question": (180.0, 5)}
"""Width of the text of each kind of node in pixels, and its most lines."""
_PADDING = {"concept": 20.0, "rule": 18.0, "question": 18.0}
_GAP, _LABELLED, _COLUMN_GAP, _PASSING = 16.0, 26.0, 116.0, 10.0
_SWEEPS = 10


@dataclass(slots=True)
class Box:
    """A drawn node: its middle, size and lines of text, in pixels."""

    node: PictureNode
    lines: list[str]
    w: float
    h: float
    x: float = 0.0
    y: float = 0.0

    def inset(self, dy: float) -> float:
        """How far the outline stands in from the side of the box, ``dy`` above or below its middle."""
        half = self.h / 2
        if self.node.kind == "concept":
            return half - sqrt(max(0.0, half * half - dy * dy))
        return abs(dy) / half * HEXAGON if self.node.kind == "rule" else 0.0


HEXAGON = 12.0
"""How far the corners of a rule's hexagon stand out."""


@dataclass(eq=False, slots=True)
class Slot:
    """A place in a column: of a node, or (``box`` None) of an edge that passes."""

    column: int
    h: float
    box: Box | None = None
    y: float = 0.0
    ties: list["Slot"] = field(default_factory=list)

    def wanted(self) -> float:
        """Where its neighbours in other columns would have it."""
        across = [tie.y for tie in self.ties if tie.column != self.column]
        return sum(across) / len(across) if across else self.y


@dataclass(slots=True)
class Grid:
    """The columns of a picture by number, each from top to bottom, and the slots that each edge leads over."""

    boxes: dict[str, Box]
    columns: dict[int, list[Slot]]
    chains: list[tuple[PictureEdge, list[Slot]]]
    sides: dict[int, tuple[float, float]] = field(default_factory=dict)
    """The left and right end of each column."""


def grid(picture: Picture) -> Grid:
    """Give every node of a picture its place, and every edge the columns it passes."""
    boxes = {node.key: _box(node) for node in picture.nodes}
    slots = {key: Slot(box.node.column, box.h, box) for key, box in boxes.items()}
    columns: dict[int, list[Slot]] = {column: [] for column in sorted({slot.column for slot in slots.values()})}
    for slot in slots.values():
        columns[slot.column].append(slot)
    placed = Grid(boxes, columns, [])
    for edge in picture.edges:
        placed.chains.append((edge, _chain(slots[edge.start], slots[edge.end], columns)))
    for column in columns.values():
        _stack(column, [slot.y for slot in column])
    for _ in range(_SWEEPS):
        for number in (*columns, *reversed(columns)):
            _arrange(columns[number], keep=number == 0)
    _across(placed)
    return placed


def _box(node: PictureNode) -> Box:
    room, most = _TEXT.get(node.kind, (150.0, 2))
    lines = broken(node.label, LABEL_SIZE, room, most)
    widest = max([width(line, LABEL_SIZE) for line in lines] + [width(node.head, HEAD_SIZE) + 4, 44.0])
    return Box(node, lines, widest + 2 * _PADDING.get(node.kind, 10.0), LINE * len(lines) + 26)


def _chain(start: Slot, end: Slot, columns: dict[int, list[Slot]]) -> list[Slot]:
    """Tie two slots together over a free place in every column between them."""
    step = 1 if end.column > start.column else -1
    passing = [Slot(column, _PASSING) for column in range(start.column + step, end.column, step) if column in columns]
    chain = [start, *(passing if start.column != end.column else ()), end]
    for slot in chain[1:-1]:
        columns[slot.column].append(slot)
    for one, other in pairwise(chain):
        one.ties.append(other)
        other.ties.append(one)
    return chain


def _arrange(column: list[Slot], *, keep: bool) -> None:
    """Order a column by where its neighbours stand, and move its slots as near to them as the gaps allow.

    ``keep`` leaves the nodes in their order (that of the years, in the centre's column).
    """
    ordered = sorted(column, key=Slot.wanted)
    if keep:
        nodes = iter([slot for slot in column if slot.box])
        ordered = [next(nodes) if slot.box else slot for slot in ordered]
    column[:] = ordered
    _stack(column, [slot.wanted() for slot in column])


def _stack(column: list[Slot], wanted: list[float]) -> None:
    """Place slots in their order as near to the wanted places as the gaps allow (least squares, by pooling)."""
    offsets = [0.0]
    for one, other in pairwise(column):
        # Edges within a column need room for their label.
        gap = _GAP + _LABELLED * (other in one.ties)
        offsets.append(offsets[-1] + (one.h + other.h) / 2 + gap)
    pools: list[tuple[float, int]] = []
    for want, offset in zip(wanted, offsets, strict=True):
        total, count = want - offset, 1
        while pools and pools[-1][0] / pools[-1][1] >= total / count:
            before = pools.pop()
            total, count = total + before[0], count + before[1]
        pools.append((total, count))
    places = [total / count for total, count in pools for _ in range(count)]
    for slot, place, offset in zip(column, places, offsets, strict=True):
        slot.y = round(place + offset, 3)


def _across(placed: Grid) -> None:
    """Set the columns side by side, with room for the labels of edges between them."""
    x = 0.0
    for number, column in placed.columns.items():
        wide = max([slot.box.w for slot in column if slot.box], default=0.0)
        placed.sides[number] = (x, x + wide)
        for slot in column:
            if slot.box:
                # Left columns end, and right ones begin, on one line: the edges between are then of a length.
                free = wide - slot.box.w
                shift = free if number < 0 else free / 2 if number == 0 else 0.0
                slot.box.x, slot.box.y = round(x + shift + slot.box.w / 2, 3), slot.y
        x += wide + _COLUMN_GAP
