"""A picture of a part of the graph as data: nodes, edges, and what was left out; it draws itself as SVG or HTML."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

Shape = Literal["card", "concept", "rule", "statement", "edition", "question"]

MOST_NODES = 30
"""A picture with more nodes is no longer read."""


@dataclass(frozen=True, slots=True)
class PictureNode:
    """A node of a picture.

    ``key`` is its name in the picture, ``head`` a few words above the label (what it is, a day or number), ``label``
    what is drawn, shortened where it is long, and ``text`` the whole of it for those who point at it. ``column`` is
    where it stands: 0 with the centre, negative to its left, positive to its right.
    """

    key: str
    kind: Shape
    head: str
    label: str
    text: str
    iri: str = ""
    column: int = 0


@dataclass(frozen=True, slots=True)
class PictureEdge:
    """An edge, from the subject to the object of its relation.

    ``confidence`` is in 0..1, or None for what a source states itself. ``relation`` is a term of the vocabulary.
    """

    start: str
    relation: str
    end: str
    confidence: float | None = None

    @property
    def words(self) -> str:
        """The relation in plain words: "works like" for worksLike."""
        return "".join(f" {c.lower()}" if c.isupper() else c for c in self.relation)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Neighbours that are not drawn: how many, what they are ("rulings"), and at which node (label; "" for several)."""

    count: int
    what: str
    at: str = ""

    def __str__(self) -> str:
        several, _, rest = self.what.partition(" ")
        word = several if self.count != 1 else several.removesuffix("s")
        return f"{self.count:,} more {word} {rest}".rstrip()


@dataclass(frozen=True, slots=True, repr=False)
class Picture:
    """A picture: the node of key ``centre`` and what stands around it. The same picture is always drawn the same."""

    title: str
    centre: str
    nodes: tuple[PictureNode, ...]
    edges: tuple[PictureEdge, ...]
    left_out: tuple[LeftOut, ...] = ()

    def __repr__(self) -> str:
        return f"<Picture {self.title!r}: {len(self.nodes)} nodes, {len(self.edges)} edges>"

    def node(self, key: str) -> PictureNode:
        """The node with this key.

        Raises:
            KeyError: there is none.
        """
        for node in self.nodes:
            if node.key == key:
                return node
        raise KeyError(key)

    def columns(self) -> Iterator[tuple[int, tuple[PictureNode, ...]]]:
        """The columns from left to right, each with its nodes in their order."""
        for column in sorted({node.column for node in self.nodes}):
            yield column, tuple(node for node in self.nodes if node.column == column)

    def left_out_words(self) -> str:
        """What was left out, in a sentence; empty where everything is drawn."""
        places = dict.fromkeys(out.at for out in self.left_out)
        told = [
            (f"at {at}: " if at else "around the other nodes: ")
            + ", ".join(str(out) for out in self.left_out if out.at == at)
            for at in places
        ]
        return "Not drawn " + "; ".join(told) + "." if told else ""

    def to_json(self) -> dict[str, Any]:
        """The picture as plain dicts and lists."""
        return {
            "title": self.title,
            "centre": self.centre,
            "nodes": [
                {"key": n.key, "kind": n.kind, "head": n.head, "label": n.label, "text": n.text, "iri": n.iri}
                for n in self.nodes
            ],
            "edges": [
                {"from": e.start, "relation": e.relation, "to": e.end, "confidence": e.confidence} for e in self.edges
            ],
            "left_out": [{"count": out.count, "what": out.what, "at": out.at} for out in self.left_out],
        }

    def svg(self) -> str:
        """The picture as an SVG document."""
        from rulings.graph.svg import svg

        return svg(self)

    def html(self) -> str:
        """The picture as an HTML page that needs nothing else: nodes can be dragged where pyvis is installed."""
        from rulings.graph.html_picture import html

        return html(self)

    def _repr_svg_(self) -> str:
        return self.svg()


def shortened(text: str, length: int) -> str:
    """Text on one line, cut at a word with an ellipsis where it has more than ``length`` characters."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    cut = line[: length - 1]
    return (cut[: cut.rfind(" ")] if " " in cut[length // 2 :] else cut).rstrip(" ,;:.(") + "…"
