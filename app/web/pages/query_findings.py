"""What a query found, ready to be shown: terms with their links, and a picture where it found triples."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import pyoxigraph as ox

from rulings.app.web.pages.ruling_lines import iri_path
from rulings.graph.lookup import called
from rulings.graph.picture import LeftOut, Picture, PictureEdge, PictureNode, shortened
from rulings.graph.picture_nodes import NodeWords
from rulings.graph.sparql import short_iri
from rulings.graph.vocabulary import Iris
from rulings.search.generation import Generation

MOST_ROWS, MOST_NODES, LONGEST = 200, 40, 600


@dataclass(frozen=True, slots=True)
class Cell:
    """A term as it is shown, and where it leads ("": nowhere)."""

    words: str
    url: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """What a query found. ``kind`` is "rows", "boolean" or "graph"; ``more`` counts the rows that aren't shown."""

    kind: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    more: int = 0
    picture: Picture | None = None


def read_rows(content: bytes, base: str) -> Found:
    """Read an answer in SPARQL's JSON (https://www.w3.org/TR/sparql11-results-json/)."""
    answer = json.loads(content)
    if "boolean" in answer:
        return Found("boolean", ("answer",), ((Cell("yes" if answer["boolean"] else "no"),),))
    columns = tuple(answer["head"].get("vars", ()))
    bindings = answer["results"]["bindings"]
    rows = tuple(tuple(_cell(row.get(name), base) for name in columns) for row in bindings[:MOST_ROWS])
    return Found("rows", columns, rows, len(bindings) - len(rows))


def read_triples(content: bytes, made: Generation) -> Found:
    """Read an answer in N-Triples."""
    triples = list(dict.fromkeys(quad.triple for quad in ox.parse(content, format=ox.RdfFormat.N_TRIPLES)))
    base = made.iris.base
    rows = tuple(tuple(_shown(term, base) for term in (t.subject, t.predicate, t.object)) for t in triples[:MOST_ROWS])
    columns = ("subject", "predicate", "object")
    return Found("graph", columns, rows, len(triples) - len(rows), _picture(triples, made))


def _cell(term: dict[str, str] | None, base: str) -> Cell:
    if term is None:
        return Cell("")
    if term["type"] == "uri":
        return _linked(term["value"], base)
    return Cell(_cut(term["value"]), "", term.get("xml:lang", ""))


def _shown(term: object, base: str) -> Cell:
    if isinstance(term, ox.NamedNode):
        return _linked(term.value, base)
    if isinstance(term, ox.Literal):
        return Cell(_cut(term.value), "", term.language or "")
    return Cell(_cut(str(term)))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _linked(iri: str, base: str) -> Cell:
    return Cell(_cut(short_iri(iri)), iri_path(iri, Iris(base)) or "")


def _picture(triples: Iterable[ox.Triple], made: Generation) -> Picture | None:
    """The nodes that the triples join, the most joined first; None where they join none."""
    joined = [
        (t.subject.value, t.predicate.value.replace("#", "/").rpartition("/")[2], t.object.value)
        for t in triples
        if isinstance(t.subject, ox.NamedNode) and isinstance(t.object, ox.NamedNode)
    ]
    joined = [(start, relation, end) for start, relation, end in joined if relation != "type"]
    ends = Counter(iri for start, _, end in joined for iri in (start, end))
    kept = [iri for iri, _ in ends.most_common(MOST_NODES)]
    if not kept:
        return None
    nodes = {iri: _node(iri, made) for iri in kept}
    edges = [
        PictureEdge(nodes[start].key, relation, nodes[end].key)
        for start, relation, end in joined
        if start in nodes and end in nodes
    ]
    columns = _columns(nodes[kept[0]].key, edges, [node.key for node in nodes.values()])
    placed = tuple(_at(node, columns[node.key]) for node in nodes.values())
    left = (LeftOut(len(ends) - len(kept), "nodes"),) if len(ends) > len(kept) else ()
    return Picture("What the query found", nodes[kept[0]].key, placed, tuple(dict.fromkeys(edges)), left)


def _node(iri: str, made: Generation) -> PictureNode:
    known = called(iri, made.archive, made.analyses, made.iris) if iri.startswith(made.iris.base) else ()
    # A face or a published ruling is found as its card or wording; the picture tells them apart.
    if known and known[0].iri(made.iris) == iri:
        return NodeWords(made.archive, made.analyses, made.iris).node(known[0])
    return PictureNode(iri, "edition", "", shortened(short_iri(iri), 60), iri)


def _columns(centre: str, edges: Iterable[PictureEdge], keys: Iterable[str]) -> dict[str, int]:
    """How many steps each node is from the centre, to the right along edges, to the left against them."""
    columns, waiting = {centre: 0}, [centre]
    edges = list(edges)
    while waiting:
        here = waiting.pop(0)
        for edge in edges:
            for one, other, step in ((edge.start, edge.end, 1), (edge.end, edge.start, -1)):
                if one == here and other not in columns:
                    at = columns[here]
                    columns[other] = at + (step if at == 0 else 1 if at > 0 else -1)
                    waiting.append(other)
    return {key: columns.get(key, 1) for key in keys}


def _at(node: PictureNode, column: int) -> PictureNode:
    return PictureNode(node.key, node.kind, node.head, node.label, node.text, node.iri, column)
