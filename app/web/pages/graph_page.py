"""The surroundings of a node, or the paths of an answer, as a picture whose nodes lead to their pages."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from rulings.app.web.pages.asking import USUAL, address, answer_to, wrong_reading
from rulings.app.web.pages.finding import unknown
from rulings.app.web.pages.grown_picture import grown, without
from rulings.app.web.pages.rendering import LOCAL, fault, page, unchanged
from rulings.app.web.serving import Served, serving
from rulings.graph.lookup import Node, called
from rulings.graph.picture import Picture, PictureEdge, PictureNode
from rulings.graph.surroundings import surroundings
from rulings.graph.svg import svg
from rulings.search.answer_picture import answer_picture
from rulings.search.errors import QuestionError

_KEPT = frozenset({"q", "node", "not_card", "not_concept", "not_rule"})
MOST_OPENED, AROUND_OPENED = 8, 12


@dataclass(frozen=True, slots=True)
class Listed:
    """A node of the picture in words: where it leads, and the address that takes in its neighbours ("": done)."""

    node: PictureNode
    url: str
    opening: str
    edges: tuple[str, ...]


def graph_page(request: Request) -> Response:
    """Picture ``node`` (a path as after /id/) or the answer to ``q``, with the nodes in ``open`` opened.

    ``hide`` names relations to leave out, ``hops`` how far around a node to go.
    """
    served = serving(request).now
    given = request.query_params
    question, path = " ".join(given.get("q", "").split()), given.get("node", "")
    if not question and (same := unchanged(request, served)) is not None:
        return same
    try:
        if question:
            values = {"back": address(question, wrong=wrong_reading(request)), "back_words": "The answer"}
            picture = _of_answer(request, served, question)
        else:
            node = _node(served, path)
            if node is None:
                return unknown(request, served, path.rpartition("/")[2].replace("-", " ")[:60])
            values = {"back": node.iri(LOCAL), "back_words": "The page"}
            picture = _around(served, node, hops=2 if given.get("hops") == "2" else 1)
    except QuestionError as error:
        return fault(request, 400, "No picture", str(error))
    opened = tuple(dict.fromkeys(given.getlist("open")))[:MOST_OPENED]
    whole = grown(picture, _opened(served, opened))
    hidden = tuple(dict.fromkeys(given.getlist("hide")))[:20]
    shown = without(whole, hidden)
    kept = [(name, value) for name, value in given.multi_items() if name in _KEPT]
    far = not question and given.get("hops") == "2"
    values |= {"far": far, "of_node": not question} | _values(shown, whole, hidden, opened, kept, far=far)
    return page(request, "graph.html", values, keep=not question)


def _values(
    shown: Picture,
    whole: Picture,
    hidden: tuple[str, ...],
    opened: tuple[str, ...],
    kept: list[tuple[str, str]],
    *,
    far: bool,
) -> dict[str, Any]:
    more = [*(("hide", name) for name in hidden), *([("hops", "2")] if far else [])]
    relations = {edge.relation: edge.words for edge in whole.edges}
    return {
        "picture": shown,
        "svg": svg(shown, page_of),
        "relations": [(name, words, name not in hidden) for name, words in sorted(relations.items())],
        "kept": kept,
        "opened": opened,
        "listed": tuple(_listed(shown, opened, [*kept, *more])),
    }


def page_of(node: PictureNode) -> str:
    """Where a node of a picture leads."""
    return LOCAL.base + node.key if node.iri else ""


def _node(served: Served, path: str) -> Node | None:
    made = served.generation
    return next(iter(called(LOCAL.base + path, made.archive, made.analyses, LOCAL)), None)


def _around(served: Served, node: Node, hops: int = 1, most: int = 30) -> Picture:
    made = served.generation
    return surroundings(node, made.archive, made.analyses, made.iris, hops=hops, most=most)


def _of_answer(request: Request, served: Served, question: str) -> Picture:
    made = served.generation
    answer = answer_to(served, question, USUAL, wrong_reading(request))
    return answer_picture(answer, made.archive, made.analyses, made.iris)


def _opened(served: Served, paths: Iterable[str]) -> Iterator[Picture]:
    for path in paths:
        node = _node(served, path)
        if node is not None:
            yield _around(served, node, most=AROUND_OPENED)


def _listed(picture: Picture, opened: tuple[str, ...], kept: list[tuple[str, str]]) -> Iterator[Listed]:
    labels = {node.key: node.label for node in picture.nodes}
    for node in picture.nodes:
        more = node.iri and node.key not in opened and node.key != picture.centre and len(opened) < MOST_OPENED
        pairs = [*kept, *(("open", key) for key in (*opened, node.key))]
        edges = tuple(_told(edge, labels) for edge in picture.edges if edge.start == node.key)
        yield Listed(node, page_of(node), _address(pairs) if more else "", edges)


def _told(edge: PictureEdge, labels: dict[str, str]) -> str:
    return f"{edge.words} {labels[edge.end]}"


def _address(pairs: list[tuple[str, str]]) -> str:
    return "/graph?" + urlencode(pairs, safe="/")
