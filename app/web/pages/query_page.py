"""The page to query the graph: an editor, the query library, and what a query finds as a table, picture or file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from rulings.app.errors import HttpError
from rulings.app.web.media import GRAPHS, ROWS, content_type
from rulings.app.web.pages.graph_page import page_of
from rulings.app.web.pages.query_findings import Found, read_rows, read_triples
from rulings.app.web.pages.rendering import page
from rulings.app.web.query_frames import Task
from rulings.app.web.query_pool import QueryPool
from rulings.app.web.query_run import CutError
from rulings.app.web.search_limits import SearchThreads
from rulings.app.web.serving import serving
from rulings.app.web.sparql import Streamed, begin_for
from rulings.graph.errors import QueryError, UnknownNameError
from rulings.graph.picture import Picture
from rulings.graph.query_library import library, named
from rulings.graph.svg import svg

LONGEST = 20_000
"""Characters of a query that is shown."""
MOST_BYTES = 2 << 20
"""Of an answer that is shown; files may be as long as those of the endpoint."""
SECONDS = 20.0
FILES = {"csv": "csv", "tsv": "tsv", "json": "json", "xml": "xml", "ttl": "ttl", "nt": "nt", "jsonld": "jsonld"}
_GRAPH_FILES = ("ttl", "nt", "jsonld")
FIRST = """SELECT ?concept ?name (COUNT(?statement) AS ?rulings) {
  ?statement rul:clarifies ?concept .
  ?concept a rul:Concept ; rdfs:label ?name
}
GROUP BY ?concept ?name
ORDER BY DESC(?rulings)
LIMIT 10
"""
_PLACE = re.compile(r"line (\d+), column (\d+)")


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a query has no answer: in words, and where in it (from 1), where known."""

    words: str
    line: int = 0
    column: int = 0
    lines: tuple[str, ...] = field(default=())


async def query_page(request: Request) -> Response:
    """Run ``query``, or the one of the library that ``use`` names with its parameters, and show what it finds."""
    threads: SearchThreads = request.app.state.threads
    query, fault = await threads.run(lambda: _query(request))
    if not query or fault:
        return _page(request, query or FIRST, fault=fault, status=400 if fault else 200)
    try:
        kind, content = await _answer(request, query)
    except HttpError as error:
        return _page(request, query, fault=_placed(error.detail, query), status=error.status)
    return await threads.run(lambda: _page(request, query, _found(request, kind, content)))


def _page(
    request: Request, query: str, found: Found | None = None, *, fault: Fault | None = None, status: int = 200
) -> Response:
    wanted = [name for name in FILES if (name in _GRAPH_FILES) == (found.kind == "graph")] if found else []
    values = {
        "query": query,
        "library": library().values(),
        "used": request.query_params.get("use", ""),
        "given": request.query_params,
        "found": found,
        "fault": fault,
        "view": "graph" if request.query_params.get("view") == "graph" else "table",
        "files": {name: "/query/file?" + urlencode({"query": query, "format": name}) for name in wanted},
        "limit": min(SECONDS, serving(request).now.queries.limits.seconds),
        "svg": _svg,
    }
    return page(request, "query.html", values, status=status)


async def query_file(request: Request) -> Response:
    """Send what ``query`` finds as a file in ``format``.

    Raises:
        HttpError: the query or the format is missing or unknown, or see `QueryPool.begin`.
    """
    form, query = request.query_params.get("format", ""), request.query_params.get("query", "")
    if form not in FILES or not query.strip():
        raise HttpError(400, f"name a query= and a format= of {', '.join(FILES)}")
    queries = serving(request).now.queries
    is_graph = form in _GRAPH_FILES
    task = _task(query, None if is_graph else form, form if is_graph else None, queries, queries.limits.size)
    running = await begin_for(request, queries, task)
    kinds: Mapping[str, str] = GRAPHS if is_graph else ROWS
    media = next(media for media, name in kinds.items() if name == form)
    headers = {
        "Content-Type": content_type(media),
        "Content-Disposition": f'attachment; filename="rulings.{form}"',
        "Cache-Control": "no-store",
    }
    if running.whole is not None:
        return Response(running.whole, headers=headers)
    return Streamed(running.chunks(), headers=headers)


def _task(query: str, rows: str | None, graph: str | None, queries: QueryPool, size: int) -> Task:
    limits = queries.limits
    seconds = min(SECONDS, limits.seconds)
    return Task(query, (), (), rows, graph, seconds, min(size, limits.size), limits.service, head_only=False)


def _query(request: Request) -> tuple[str, Fault | None]:
    """The query that the address has, and what is wrong with it."""
    given = request.query_params
    name = given.get("use", "")
    if name:
        try:
            chosen = named(name[:100])
            values = {key: given[f"p.{key}"][:200] for key in chosen.parameters if f"p.{key}" in given}
            query = serving(request).now.kb.graph.named_text(chosen.name, values)
        except (UnknownNameError, QueryError) as error:
            return "", Fault(str(error))
        return query, None
    query = given.get("query", "").replace("\r\n", "\n")
    if len(query) > LONGEST:
        return query[:LONGEST], Fault(f"The query has {len(query):,} characters; this page takes {LONGEST:,}.")
    return (query, None) if query.strip() else ("", None)


async def _answer(request: Request, query: str) -> tuple[str, bytes]:
    """Run a query in one of the processes for queries, so that it can be ended: its kind, and the answer.

    Raises:
        HttpError: see `QueryPool.begin`; 503, the answer broke off.
    """
    queries = serving(request).now.queries
    running = await begin_for(request, queries, _task(query, "json", "nt", queries, MOST_BYTES))
    try:
        whole = running.whole
        return running.kind, whole if whole is not None else b"".join([chunk async for chunk in running.chunks()])
    except CutError as error:
        raise HttpError(503, str(error)) from error


def _found(request: Request, kind: str, content: bytes) -> Found:
    made = serving(request).now.generation
    return read_triples(content, made) if kind == "graph" else read_rows(content, made.iris.base)


def _placed(detail: str, query: str) -> Fault:
    """The fault with the line of the query that it is in."""
    place = _PLACE.search(detail)
    words = detail if detail.endswith((".", "?", "!")) else f"{detail}."
    if not place:
        return Fault(words)
    return Fault(words, int(place[1]), int(place[2]), tuple(query.split("\n")))


def _svg(picture: Picture) -> str:
    return svg(picture, page_of)
