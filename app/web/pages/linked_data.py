"""What the graph says of a node, as linked data: all that leads from it and some of what leads to it, with labels."""

from collections.abc import Iterator
from itertools import islice
from urllib.parse import quote

import pyoxigraph as ox
from starlette.requests import Request
from starlette.responses import Response

from rulings.app.errors import HttpError
from rulings.app.web.media import GRAPHS, content_type
from rulings.app.web.negotiation import choose
from rulings.app.web.pages.rendering import caching
from rulings.app.web.serving import Served
from rulings.graph.sparql import GRAPH_FORMATS
from rulings.graph.vocabulary import PREFIXES

MOST_OUT, MOST_IN = 1000, 200
"""How many triples from and to a node are given."""
HTML = "text/html"
NAMED = {"html": HTML, "ttl": "text/turtle", "nt": "application/n-triples", "jsonld": "application/ld+json"}
"""What ``?format=`` takes."""
_LABEL = ox.NamedNode(PREFIXES["rdfs"] + "label")


def wanted(request: Request) -> str:
    """The media type that the client wants of a node: HTML or a format of `GRAPHS`.

    Raises:
        HttpError: 406, it takes none of them; 400, an unknown format.
    """
    named = request.query_params.get("format")
    if named is not None:
        if named not in NAMED:
            raise HttpError(400, f"no format is called {named[:20]!r}; take one of {', '.join(NAMED)}")
        return NAMED[named]
    found = choose(request.headers.get("accept"), [HTML, *GRAPHS])
    if found is None:
        raise HttpError(406, f"a node comes as one of {', '.join([HTML, *GRAPHS])}; name one in Accept")
    return found


def node_data(served: Served, path: str, media: str) -> Response:
    """Describe the node whose IRI ends in a path.

    Raises:
        HttpError: 404, the graph has no such node.
    """
    made = served.generation
    node = ox.NamedNode(made.iris.base + quote(path))
    triples = list(dict.fromkeys(_triples(made.graph.store, node)))
    if not triples:
        raise HttpError(404, f"{node.value[:200]}: the graph has no such node")
    body = ox.serialize(triples, format=GRAPH_FORMATS[GRAPHS[media]], prefixes=PREFIXES) or b""
    headers = {"Content-Type": content_type(media), **caching(served, media)}
    return Response(body, headers=headers)


def _triples(store: ox.Store, node: ox.NamedNode) -> Iterator[ox.Triple]:
    leading = list(islice(store.quads_for_pattern(node, None, None), MOST_OUT))
    coming = list(islice(store.quads_for_pattern(None, None, node), MOST_IN))
    for quad in (*leading, *coming):
        yield quad.triple
    others = dict.fromkeys([*(q.object for q in leading), *(q.subject for q in coming)])
    for other in others:
        if isinstance(other, ox.NamedNode) and other != node:
            for quad in islice(store.quads_for_pattern(other, _LABEL, None), 3):
                yield quad.triple
