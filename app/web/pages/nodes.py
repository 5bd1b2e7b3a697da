"""The page of a node at the address that ends as its IRI does, and the same as linked data."""

from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from rulings.app.web.pages.card_page import card_values
from rulings.app.web.pages.concept_page import concept_values
from rulings.app.web.pages.edition_page import edition_values
from rulings.app.web.pages.finding import unknown
from rulings.app.web.pages.linked_data import HTML, node_data, wanted
from rulings.app.web.pages.rendering import LOCAL, page, unchanged
from rulings.app.web.pages.rule_page import rule_values
from rulings.app.web.pages.ruling_page import ruling_values
from rulings.app.web.serving import Served, serving
from rulings.graph.lookup import Kind, Node, called

LONGEST = 300
"""Characters of a path."""
_VALUES: Mapping[Kind, Callable[[Request, Served, Node], dict[str, Any]]] = {
    "card": card_values,
    "concept": concept_values,
    "rule": rule_values,
    "statement": ruling_values,
    "edition": edition_values,
}


def node_page(request: Request) -> Response:
    """Show a card, concept, rule, ruling or edition; a face is shown with its card, a ruling with its wording.

    Raises:
        HttpError: see `rulings.app.web.pages.linked_data`.
    """
    served = serving(request).now
    path: str = request.path_params["path"]
    media = wanted(request)
    if len(path) > LONGEST:
        return unknown(request, served, path[:40])
    if (same := unchanged(request, served, "html" if media == HTML else media)) is not None:
        return same
    if media != HTML:
        return node_data(served, path, media)
    return _shown(request, served, path)


def _shown(request: Request, served: Served, path: str) -> Response:
    made = served.generation
    kind, *rest = path.split("/")
    known = called(LOCAL.base + path, made.archive, made.analyses, LOCAL)
    if not known:
        return unknown(request, served, (rest or [kind])[-1].replace("-", " "))
    node = known[0]
    if kind in {"face", "ruling"}:
        return RedirectResponse(node.iri(LOCAL) + (f"#face-{rest[1]}" if kind == "face" else ""), 303)
    values = {"path": node.iri(LOCAL).removeprefix(LOCAL.base)} | _VALUES[node.kind](request, served, node)
    return page(request, f"{node.kind}.html", values, keep=True)
