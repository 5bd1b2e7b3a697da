"""How the edges of a picture run, and where their labels stand free of nodes and of each other."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from rulings.graph.picture import PictureEdge
from rulings.graph.picture_layout import Box, Grid, Slot
from rulings.graph.picture_text import width

EDGE_SIZE = 10.0
"""Size of the labels' type."""
_LABEL_HEIGHT = 13.0
_TRIED = tuple(sorted((n / 40 for n in range(4, 37)), key=lambda t: abs(t - 0.5)))
"""Places along an edge, from 0 to 1, the middle first."""
_BULGE = 46.0

Point = tuple[float, float]
Curve = tuple[Point, Point, Point, Point]
"""A cubic Bézier curve."""
Rectangle = tuple[float, float, float, float]
"""The middle, width and height."""


@dataclass(slots=True)
class Route:
    """A drawn edge: its curves, end to end, and its label's middle."""

    edge: PictureEdge
    curves: list[Curve]
    label: Point = (0.0, 0.0)

    @property
    def label_box(self) -> Rectangle:
        """Where its label stands."""
        return (*self.label, width(self.edge.words, EDGE_SIZE) + 4, _LABEL_HEIGHT)


def routes(placed: Grid) -> list[Route]:
    """Lead every edge from its start to its end."""
    ports = _ports(placed)
    found = [
        Route(
            edge,
            list(_beside(chain, placed) if chain[0].column == chain[-1].column else _over(n, chain, placed, ports)),
        )
        for n, (edge, chain) in enumerate(placed.chains)
    ]
    taken: list[Rectangle] = []
    boxes = [(box.x, box.y, box.w + 6, box.h + 4) for box in placed.boxes.values()]
    # The shortest edges have the least choice, so they choose first.
    for route in sorted(found, key=_height):
        route.label = _free(route, boxes, taken)
        taken.append(route.label_box)
    return found


def _ports(placed: Grid) -> dict[tuple[int, bool], Point]:
    """Where each edge (its place, whether at its start) touches a box: spread along the sides, in no other order."""
    sides: dict[tuple[str, int], list[tuple[float, int, bool, Box]]] = defaultdict(list)
    for n, (_, chain) in enumerate(placed.chains):
        for box, slot, following, first in (
            (chain[0].box, chain[0], chain[1], True),
            (chain[-1].box, chain[-1], chain[-2], False),
        ):
            if box and following.column != slot.column:
                side = 1 if following.column > slot.column else -1
                sides[box.node.key, side].append((following.y, n, first, box))
    ports: dict[tuple[int, bool], Point] = {}
    for (_, side), found in sides.items():
        for i, (_, n, first, box) in enumerate(sorted(found, key=lambda port: port[:3]), 1):
            dy = (i / (len(found) + 1) - 0.5) * box.h * 0.9
            ports[n, first] = (box.x + side * (box.w / 2 - box.inset(dy)), box.y + dy)
    return ports


def _over(n: int, chain: list[Slot], placed: Grid, ports: dict[tuple[int, bool], Point]) -> Iterator[Curve]:
    """From column to column, straight through those that are passed."""
    here = ports[n, True]
    right = chain[-1].column > chain[0].column
    for slot in chain[1:-1]:
        near, far = placed.sides[slot.column] if right else reversed(placed.sides[slot.column])
        yield _swung(here, (near, slot.y))
        here = (far, slot.y)
        yield (near, slot.y), (near, slot.y), here, here
    yield _swung(here, ports[n, False])


def _swung(start: Point, end: Point) -> Curve:
    middle = (start[0] + end[0]) / 2
    return start, (middle, start[1]), (middle, end[1]), end


def _beside(chain: list[Slot], placed: Grid) -> Iterator[Curve]:
    """Within a column: straight to the next box, or in an arc around those between."""
    one, other = chain[0].box, chain[-1].box
    if one is None or other is None:
        return
    column = placed.columns[chain[0].column]
    down = 1 if other.y > one.y else -1
    first, last = sorted((column.index(chain[0]), column.index(chain[-1])))
    between = column[first + 1 : last]
    if not any(slot.box for slot in between):
        start, end = (one.x, one.y + down * one.h / 2), (other.x, other.y - down * other.h / 2)
        yield start, start, end, end
        return
    start, end = (one.x + one.w / 2, one.y + down * one.h / 4), (other.x + other.w / 2, other.y - down * other.h / 4)
    out = placed.sides[chain[0].column][1] + _BULGE
    yield start, (out, start[1]), (out, end[1]), end


def point(curve: Curve, t: float) -> Point:
    """A point of a curve, ``t`` from 0 to 1."""
    s = 1 - t
    weights = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
    return sum(w * p[0] for w, p in zip(weights, curve, strict=True)), sum(
        w * p[1] for w, p in zip(weights, curve, strict=True)
    )


def _height(route: Route) -> float:
    return abs(route.curves[0][0][1] - route.curves[-1][3][1])


def _free(route: Route, boxes: list[Rectangle], taken: list[Rectangle]) -> Point:
    """The first place along the edge where its label covers nothing, else where it covers least."""
    best, least = (0.0, 0.0), float("inf")
    curves = [curve for curve in (route.curves[-1], route.curves[0]) if curve[0] != curve[1] or len(route.curves) == 1]
    for curve in curves:
        for t in _TRIED:
            route.label = point(curve, t)
            here = route.label_box
            covered = sum(shared(here, box) for box in (*boxes, *taken))
            if covered < least:
                best, least = route.label, covered
            if not covered:
                return best
    return best


def shared(a: Rectangle, b: Rectangle) -> float:
    """The area that two rectangles share."""
    across = min(a[0] + a[2] / 2, b[0] + b[2] / 2) - max(a[0] - a[2] / 2, b[0] - b[2] / 2)
    down = min(a[1] + a[3] / 2, b[1] + b[3] / 2) - max(a[1] - a[3] / 2, b[1] - b[3] / 2)
    return max(0.0, across) * max(0.0, down)
