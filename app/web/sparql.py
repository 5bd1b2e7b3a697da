"""The SPARQL endpoint: queries by GET and POST, answered while they run, in the format that the client likes best."""

import asyncio
from collections.abc import MutableMapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from rulings.app.errors import HttpError
from rulings.app.web.media import GRAPHS, ROWS, content_type, unacceptable
from rulings.app.web.negotiation import choose
from rulings.app.web.protocol import read
from rulings.app.web.query_frames import Task
from rulings.app.web.query_pool import QueryPool
from rulings.app.web.query_run import CutError, Running
from rulings.app.web.service_description import description
from rulings.app.web.serving import Served, serving

METHODS = ("GET", "HEAD", "POST", "OPTIONS")


class Streamed(StreamingResponse):
    """A body that may be cut off: the server then closes the connection before the body's end."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the parts."""
        try:
            await super().__call__(scope, receive, send)
        except* CutError:
            pass


async def sparql(request: Request) -> Response:
    """Answer a query, or describe the endpoint.

    Raises:
        HttpError: see `rulings.app.web.protocol.read` and `QueryPool.begin`; 406 where the client takes no format.
    """
    if request.method == "OPTIONS":
        return Response(status_code=204, headers={"Allow": ", ".join(METHODS)})
    asked = await read(request)
    accept = request.headers.get("accept")
    rows, graph = choose(accept, ROWS), choose(accept, GRAPHS)
    served = serving(request).now
    if asked is None:
        return _described(request, served, graph)
    if rows is None and graph is None:
        raise unacceptable("rows")
    limits = served.queries.limits
    task = Task(
        query=asked.query,
        default=asked.default,
        named=asked.named,
        rows=ROWS[rows] if rows else None,
        graph=GRAPHS[graph] if graph else None,
        seconds=limits.seconds,
        size=limits.size,
        service=limits.service,
        head_only=request.method == "HEAD",
    )
    running = await begin_for(request, served.queries, task)
    media = (graph if running.kind == "graph" else rows) or ""
    headers = {"Vary": "Accept", "Content-Type": content_type(media)}
    if running.whole is not None:
        return Response(running.whole, headers=headers)
    return Streamed(running.chunks(), headers=headers)


async def begin_for(request: Request, queries: QueryPool, task: Task) -> Running:
    """Start the query, and end it if the client goes before there is an answer."""
    begun = asyncio.ensure_future(queries.begin(task))
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({begun, gone}, return_when=asyncio.FIRST_COMPLETED)
        if begun.done():
            return begun.result()
    except asyncio.CancelledError:
        _give_up(begun)
        raise
    finally:
        gone.cancel()
    _give_up(begun)
    raise HttpError(503, "the client has gone")


def _give_up(begun: "asyncio.Future[Running]") -> None:
    """End a query that nobody waits for."""

    def close(done: "asyncio.Future[Running]") -> None:
        if not done.cancelled() and not done.exception():
            done.result().close()

    begun.cancel()
    begun.add_done_callback(close)


async def _gone(request: Request) -> None:
    message: MutableMapping[str, Any] = {}
    while message.get("type") != "http.disconnect":
        message = await request.receive()


def _described(request: Request, served: Served, graph: str | None) -> Response:
    if graph is None:
        raise unacceptable("graph")
    endpoint = str(request.url.replace(query="", fragment=""))
    quads = served.generation.manifest.counts.get("quads", 0)
    body = description(endpoint, quads, GRAPHS[graph], service=served.queries.limits.service)
    return Response(body, headers={"Vary": "Accept"}, media_type=content_type(graph))
