"""A picture as one HTML page that asks no other host for anything: moved by vis-network, else an SVG to zoom.

vis-network is the script that the Python package pyvis carries; it is copied into the page. Without pyvis the page
holds the SVG with a few lines of its own to move it.
"""

import json
from functools import cache
from html import escape
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rulings.graph.picture import Picture
from rulings.graph.picture_layout import grid
from rulings.graph.picture_text import drawable
from rulings.graph.svg import COLOURS, FONT, LEGEND, shape, svg

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
"""The browser itself then refuses any request, should the script that is carried along try one."""
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
"""


def html(picture: Picture, library: str | None = None) -> str:
    """Draw a picture as a whole HTML page.

    ``library`` is vis-network's script; None: the one of pyvis where that is installed, "": none, so SVG is taken.
    """
    script = vis_network() if library is None else library
    body = _dragged(picture, script) if script else _zoomed(picture)
    style = _text("picture.css").replace("FONT", FONT)
    return _PAGE.format(policy=_POLICY, title=_t(picture.title), style=style, body=body)


@cache
def vis_network() -> str:
    """The newest vis-network script that pyvis carries; empty where pyvis isn't installed."""
    found = find_spec("pyvis")
    folders = [Path(folder) / "lib" for folder in (found.submodule_search_locations or ())] if found else []
    scripts = sorted(script for folder in folders for script in folder.glob("vis-9*/vis-network.min.js"))
    return scripts[-1].read_text(encoding="utf-8") if scripts else ""


def _zoomed(picture: Picture) -> str:
    return f'<div id="picture">{svg(picture)}</div>\n<script>{_script(_text("picture_zoom.js"))}</script>'


def _dragged(picture: Picture, library: str) -> str:
    kinds = [kind for kind in LEGEND if any(node.kind == kind for node in picture.nodes)]
    legend = "".join(
        f'<span><svg class="rulings-picture" width="38" height="22" aria-hidden="true"><g class="{kind}">'
        f'<path d="{shape(kind, 19, 11, 34, 18)}" fill="{COLOURS[kind][0]}" stroke="{COLOURS[kind][1]}"/></g></svg>'
        f"{LEGEND[kind]}</span>"
        for kind in kinds
    )
    lines = "<span>—— stated</span><span>- - - worked out</span>"
    return "\n".join(
        [
            f"<h1>{_t(picture.title)}</h1>",
            '<div id="network" role="img" aria-describedby="left-out"></div>',
            '<p id="whole" aria-live="polite">Point at something for its whole text, drag to move, scroll to zoom.</p>',
            f'<p class="legend">{legend}{lines}</p>',
            f'<p id="left-out">{_t(picture.left_out_words())}</p>',
            f"<noscript>{svg(picture)}</noscript>",
            f'<script type="application/json" id="data">{_data(picture)}</script>',
            f"<script>{_script(library)}</script>",
            f"<script>{_script(_text('picture_network.js'))}</script>",
        ]
    )


def _data(picture: Picture) -> str:
    """The nodes with their outlines and places, and the edges, as JSON that no text in it can end."""
    boxes = grid(picture).boxes
    nodes: list[dict[str, Any]] = []
    for node in picture.nodes:
        box = boxes[node.key]
        nodes.append(
            {
                "id": node.key,
                "kind": node.kind,
                "head": drawable(node.head),
                "lines": [drawable(line) for line in box.lines],
                "text": drawable(node.text),
                "iri": node.iri,
                "path": shape(node.kind, 0, 0, box.w, box.h),
                "box": [box.x, box.y, box.w, box.h],
                "centre": node.key == picture.centre,
            }
        )
    edges = [{"from": e.start, "to": e.end, "label": e.words, "confidence": e.confidence} for e in picture.edges]
    written = json.dumps({"nodes": nodes, "edges": edges, "colours": COLOURS}, ensure_ascii=False, sort_keys=True)
    for char in "<>&\u2028\u2029":
        written = written.replace(char, f"\\u{ord(char):04x}")
    return written


def _script(code: str) -> str:
    """Code that can't end the element it stands in."""
    return code.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _text(name: str) -> str:
    return files("rulings.graph").joinpath("data", name).read_text(encoding="utf-8")


def _t(text: str) -> str:
    return escape(drawable(text))
