"""Going to the page of what someone calls by name."""

from urllib.parse import quote_plus

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from rulings.app.web.pages.near_names import near
from rulings.app.web.pages.rendering import LOCAL, fault
from rulings.app.web.serving import Served, serving
from rulings.graph.lookup import called

LONGEST = 300
"""Characters of a name."""


def find_page(request: Request) -> Response:
    """Lead to the node called ``q``; where several are, to the likeliest."""
    served = serving(request).now
    name = " ".join(request.query_params.get("q", "").split())
    if not name:
        return RedirectResponse("/", 303)
    if len(name) <= LONGEST:
        made = served.generation
        known = called(name, made.archive, made.analyses, made.iris)
        if known:
            return RedirectResponse(known[0].iri(LOCAL), 303)
    return unknown(request, served, name[:LONGEST])


def unknown(request: Request, served: Served, name: str) -> Response:
    """Say that nothing is called so, with the names near it."""
    links = {each: f"/find?q={quote_plus(each)}" for each in near(served, name)}
    links[f"Ask about “{name}”"] = f"/?q={quote_plus(name)}"
    return fault(request, 404, "Not found", f"Nothing is called “{name}”.", links)
