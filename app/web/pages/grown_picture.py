"""A picture that grew: the neighbours of opened nodes taken in, and relations that nobody wants to see left out."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import replace

from rulings.graph.picture import LeftOut, Picture, PictureEdge

MOST = 60
"""Nodes; more can't be told apart."""


def grown(picture: Picture, opened: Iterable[Picture]) -> Picture:
    """Take in what stands around nodes of a picture: on the side that they stand on, away from its centre."""
    nodes = {node.key: node for node in picture.nodes}
    edges = {(edge.start, edge.relation, edge.end): edge for edge in picture.edges}
    missing = 0
    for around in opened:
        if around.centre not in nodes:
            continue
        at = nodes[around.centre].column
        side = (at > 0) - (at < 0)
        for node in around.nodes:
            if node.key in nodes:
                continue
            if len(nodes) >= MOST:
                missing += 1
                continue
            nodes[node.key] = replace(node, column=at + side * abs(node.column) if side else node.column)
        for edge in around.edges:
            # What holds both ways is drawn once.
            if (edge.end, edge.relation, edge.start) not in edges:
                edges.setdefault((edge.start, edge.relation, edge.end), edge)
    left_out = (*picture.left_out, *((LeftOut(missing, "nodes", ""),) if missing else ()))
    kept = tuple(edge for edge in edges.values() if edge.start in nodes and edge.end in nodes)
    return replace(picture, nodes=tuple(nodes.values()), edges=kept, left_out=left_out)


def without(picture: Picture, relations: Collection[str]) -> Picture:
    """Leave out the edges of some relations, and what then no longer hangs together with the centre."""
    edges = tuple(edge for edge in picture.edges if edge.relation not in relations)
    reached = _reached(picture.centre, edges)
    return replace(
        picture,
        nodes=tuple(node for node in picture.nodes if node.key in reached),
        edges=tuple(edge for edge in edges if edge.start in reached),
    )


def _reached(start: str, edges: Iterable[PictureEdge]) -> set[str]:
    beside: dict[str, list[str]] = defaultdict(list)
    for edge in edges:
        beside[edge.start].append(edge.end)
        beside[edge.end].append(edge.start)
    reached, waiting = {start}, [start]
    while waiting:
        for other in beside[waiting.pop()]:
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    return reached
