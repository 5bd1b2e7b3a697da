"""A picture as SVG: shapes and colours by kind of node, a legend, what was left out; no other program is needed."""

from collections.abc import Callable, Iterator
from html import escape
from math import atan2, cos, sin

from rulings.graph.picture import Picture, PictureNode
from rulings.graph.picture_layout import HEAD_SIZE, HEXAGON, LABEL_SIZE, LINE, Box, grid
from rulings.graph.picture_routes import EDGE_SIZE, Route, point, routes
from rulings.graph.picture_text import broken, drawable, width

MARGIN, TITLE_SIZE, NOTE_SIZE = 20.0, 16.0, 11.0
FONT = "'Liberation Sans', Arial, Helvetica, 'Noto Sans', 'Noto Sans CJK JP', sans-serif"
COLOURS = {
    "card": ("#dbeafe", "#1d4ed8", "#1e2f55", "#8ab4ff"),
    "concept": ("#d9f2e3", "#0a7a4b", "#123d2b", "#5fd3a0"),
    "rule": ("#fdeccd", "#a35a00", "#46300f", "#f2b65c"),
    "statement": ("#fffefa", "#5c5c66", "#2b2b31", "#b4b4bf"),
    "edition": ("#f3e3f4", "#8a2f8f", "#3d1f40", "#dd9be0"),
    "question": ("#fbdcdc", "#b3261e", "#4a1d1b", "#ff9c94"),
}
"""By kind: fill and line on a light ground, then on a dark one."""
LEGEND = {
    "question": "question",
    "card": "card",
    "statement": "ruling",
    "concept": "concept",
    "rule": "rule",
    "edition": "edition",
}


def svg(picture: Picture, address: Callable[[PictureNode], str] | None = None) -> str:
    """Draw a picture. The same picture gives the same bytes.

    ``address`` gives where each node leads ("": nowhere), for a picture within a page that has `style` itself; without
    it the drawing stands alone.
    """
    placed = grid(picture)
    led = routes(placed)
    left, top, right, bottom = _bounds(list(placed.boxes.values()), led)
    across = max(right - left + 2 * MARGIN, 460.0)
    title = broken(drawable(picture.title), TITLE_SIZE, across - 2 * MARGIN, 3)
    above = MARGIN + 22 * len(title) + 8
    shift_x, shift_y = (across - (right - left)) / 2 - left, above - top
    below = above + bottom - top + 26
    foot, end = _foot(picture, across - 2 * MARGIN, below)
    height = end + MARGIN
    size = f'width="{_n(across)}" height="{_n(height)}"'
    role = "group" if address else "img"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rulings-picture" role="{role}" {size} '
        f'viewBox="0 0 {_n(across)} {_n(height)}" font-family="{FONT}">'
    )
    parts = [
        head,
        f"<title>{_t(picture.title)}</title>",
        *(() if address else (f"<style>{style()}</style>",)),
        f'<rect class="ground" {size}/>',
        *(
            f'<text class="title" x="{_n(MARGIN)}" y="{_n(MARGIN + 14 + 22 * i)}">{_t(line)}</text>'
            for i, line in enumerate(title)
        ),
        f'<g transform="translate({_n(shift_x)} {_n(shift_y)})">',
        *(part for route in led for part in _edge(route, picture)),
        *(part for box in placed.boxes.values() for part in _node(box, picture, address)),
        *(_edge_label(route) for route in led),
        "</g>",
        *foot,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _bounds(boxes: list[Box], led: list[Route]) -> tuple[float, float, float, float]:
    """The smallest rectangle around everything drawn: left, top, right, bottom."""
    rectangles = [(box.x, box.y, box.w, box.h) for box in boxes] + [route.label_box for route in led]
    curved = [point(curve, t / 8) for route in led for curve in route.curves for t in range(9)]
    rectangles += [(x, y, 4.0, 4.0) for x, y in curved]
    return (
        min(x - w / 2 for x, _, w, _ in rectangles),
        min(y - h / 2 for _, y, _, h in rectangles),
        max(x + w / 2 for x, _, w, _ in rectangles),
        max(y + h / 2 for _, y, _, h in rectangles),
    )


def style() -> str:
    """The rules of a picture, for its own class only, so that several share a page; the reader's light or dark."""
    light = "".join(
        f".rulings-picture .{kind} .shape{{fill:{fill};stroke:{line}}}" for kind, (fill, line, _, _) in COLOURS.items()
    )
    dark = "".join(
        f".rulings-picture .{kind} .shape{{fill:{fill};stroke:{line}}}" for kind, (_, _, fill, line) in COLOURS.items()
    )
    return (
        ".rulings-picture .ground{fill:#fff}.rulings-picture text{fill:#1b1b1f}"
        f".rulings-picture .title{{font-size:{_n(TITLE_SIZE)}px;font-weight:bold}}"
        f".rulings-picture .label{{font-size:{_n(LABEL_SIZE)}px}}"
        f".rulings-picture .head{{font-size:{_n(HEAD_SIZE)}px;fill:#55555f}}"
        f".rulings-picture .note{{font-size:{_n(NOTE_SIZE)}px;fill:#3c3c44}}"
        f".rulings-picture .relation{{font-size:{_n(EDGE_SIZE)}px;fill:#3c3c44;stroke:#fff;stroke-width:3px;"
        "paint-order:stroke;stroke-linejoin:round}"
        ".rulings-picture .line{fill:none;stroke:#85858f;stroke-width:1.2}.rulings-picture .tip{fill:#6a6a74}"
        ".rulings-picture .derived{stroke-dasharray:5 3}.rulings-picture .shape{stroke-width:1.4}"
        ".rulings-picture .centre .shape{stroke-width:3.2}.rulings-picture .centre .label{font-weight:bold}"
        f"{light}"
        "@media (prefers-color-scheme:dark){.rulings-picture .ground{fill:#17171b}.rulings-picture text{fill:#ececf1}"
        ".rulings-picture .head,.rulings-picture .note{fill:#b9b9c4}"
        ".rulings-picture .relation{fill:#cfcfda;stroke:#17171b}"
        ".rulings-picture .line{stroke:#7d7d8a}.rulings-picture .tip{fill:#9a9aa8}"
        f"{dark}}}"
    )


def _node(box: Box, picture: Picture, address: Callable[[PictureNode], str] | None) -> Iterator[str]:
    node = box.node
    where = address(node) if address else ""
    if where:
        yield f'<a href="{_t(where)}">'
    centre = " centre" if node.key == picture.centre else ""
    yield f'<g class="{node.kind}{centre}" data-key="{_t(node.key)}">'
    yield f"<title>{_t(node.text)}</title>"
    yield f'<path class="shape" d="{shape(node.kind, box.x, box.y, box.w, box.h)}"/>'
    top = box.y - box.h / 2
    yield f'<text class="head" x="{_n(box.x)}" y="{_n(top + 14)}" text-anchor="middle">{_t(node.head)}</text>'
    for i, line in enumerate(box.lines):
        y = top + 31 + LINE * i
        yield f'<text class="label" x="{_n(box.x)}" y="{_n(y)}" text-anchor="middle">{_t(line)}</text>'
    yield "</g></a>" if where else "</g>"


def shape(kind: str, x: float, y: float, w: float, h: float) -> str:
    """The outline of a kind of node around a middle: told apart without colour."""
    l, r, t, b = x - w / 2, x + w / 2, y - h / 2, y + h / 2  # noqa: E741 - left, right, top, bottom
    match kind:
        case "concept":
            return _rounded(l, r, t, b, h / 2)
        case "rule":
            points = ((l, y), (l + HEXAGON, t), (r - HEXAGON, t), (r, y), (r - HEXAGON, b), (l + HEXAGON, b))
            return "M" + "L".join(f"{_n(px)} {_n(py)}" for px, py in points) + "Z"
        case "statement":
            fold = 11.0
            outline = ((l, t), (r - fold, t), (r, t + fold), (r, b), (l, b))
            corner = f"M{_n(r - fold)} {_n(t)}V{_n(t + fold)}H{_n(r)}"
            return "M" + "L".join(f"{_n(px)} {_n(py)}" for px, py in outline) + "Z" + corner
        case "edition":
            return _rounded(l, r, t, b, 0.0) + f"M{_n(l + 5)} {_n(t)}V{_n(b)}"
        case "question":
            tail = f"M{_n(l + 12)} {_n(b)}L{_n(l + 10)} {_n(b + 7)}L{_n(l + 22)} {_n(b)}"
            return _rounded(l, r, t, b, 10.0) + tail
    return _rounded(l, r, t, b, 5.0) + f"M{_n(l + 4)} {_n(t + 17.5)}H{_n(r - 4)}"


def _rounded(l: float, r: float, t: float, b: float, radius: float) -> str:  # noqa: E741
    q = _n(radius)
    arc = f"A{q} {q} 0 0 1 "
    return (
        f"M{_n(l + radius)} {_n(t)}H{_n(r - radius)}{arc}{_n(r)} {_n(t + radius)}V{_n(b - radius)}"
        f"{arc}{_n(r - radius)} {_n(b)}H{_n(l + radius)}{arc}{_n(l)} {_n(b - radius)}V{_n(t + radius)}"
        f"{arc}{_n(l + radius)} {_n(t)}Z"
    )


def _edge(route: Route, picture: Picture) -> Iterator[str]:
    edge = route.edge
    first = route.curves[0][0]
    path = f"M{_n(first[0])} {_n(first[1])}" + "".join(
        "C" + " ".join(f"{_n(x)} {_n(y)}" for x, y in curve[1:]) for curve in route.curves
    )
    told = f"{picture.node(edge.start).label} — {edge.words} — {picture.node(edge.end).label}"
    sure = "stated" if edge.confidence is None else f"worked out, confidence {edge.confidence:.2f}"
    derived = "" if edge.confidence is None else " derived"
    yield f'<g class="edge"><title>{_t(told)} ({sure})</title>'
    yield f'<path class="line{derived}" d="{path}"/>{_tip(route)}</g>'


def _tip(route: Route) -> str:
    """The arrow's head; a marker would need an id, and ids clash where several pictures share a page."""
    before, (x, y) = point(route.curves[-1], 0.94), route.curves[-1][3]
    turn = atan2(y - before[1], x - before[0])
    sides = [(x - 8 * cos(turn + a), y - 8 * sin(turn + a)) for a in (0.38, -0.38)]
    corners = "L".join(f"{_n(px)} {_n(py)}" for px, py in [(x, y), *sides])
    return f'<path class="tip" d="M{corners}Z"/>'


def _edge_label(route: Route) -> str:
    x, y = route.label
    return f'<text class="relation" x="{_n(x)}" y="{_n(y + 3.5)}" text-anchor="middle">{_t(route.edge.words)}</text>'


def _foot(picture: Picture, across: float, y: float) -> tuple[list[str], float]:
    """The legend and what was left out, below the picture, and where they end."""
    parts, x = [], MARGIN
    kinds = [kind for kind in LEGEND if any(node.kind == kind for node in picture.nodes)]
    items = [(kind, LEGEND[kind]) for kind in kinds]
    items += [("", "stated")] if any(e.confidence is None for e in picture.edges) else []
    items += [("derived", "worked out")] if any(e.confidence is not None for e in picture.edges) else []
    for kind, words in items:
        wide = 44 + width(words, NOTE_SIZE) + 14
        if x > MARGIN and x + wide > MARGIN + across:
            x, y = MARGIN, y + 26
        parts.append(f'<g class="legend {kind}">{_sample(kind, x, y)}')
        parts.append(f'<text class="note" x="{_n(x + 42)}" y="{_n(y + 4)}">{_t(words)}</text></g>')
        x += wide
    y += 16
    if picture.left_out:
        for line in broken(drawable(picture.left_out_words()), NOTE_SIZE, across, 12):
            y += 16
            parts.append(f'<text class="note left-out" x="{_n(MARGIN)}" y="{_n(y)}">{_t(line)}</text>')
    return parts, y


def _sample(kind: str, x: float, y: float) -> str:
    if kind in LEGEND:
        return f'<path class="shape" d="{shape(kind, x + 18, y, 36, 20)}"/>'
    return f'<path class="line {kind}" d="M{_n(x)} {_n(y)}H{_n(x + 36)}"/>'


def _t(text: str) -> str:
    return escape(drawable(text))


def _n(value: float) -> str:
    """A number to a tenth of a pixel, written as short as can be."""
    short = f"{value:.1f}".removesuffix(".0")
    return "0" if short == "-0" else short
