"""The HTTP API: the answers of the command line as JSON, each with an ETag of the generation it comes from."""

import hashlib
import random
from collections.abc import Callable
from importlib import metadata
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from rulings.app.errors import HttpError
from rulings.app.web.openapi import document
from rulings.app.web.search_limits import SearchThreads
from rulings.app.web.serving import Served, serving
from rulings.graph.describe import Describer
from rulings.graph.lookup import Node, find
from rulings.search.rulings import LONGEST

MOST = 100
"""Results, neighbours or completions that one request may ask for."""
_LONGEST_NAME = 1000


async def ask(request: Request) -> Response:
    """Answer a question, as ``rulings ask --json``."""
    question, k = _text(request, "q", LONGEST), _number(request, "k", 5)
    served = serving(request).now
    if unchanged := _unchanged(request, served):
        return unchanged
    answer = await _threads(request).run(lambda: served.kb.ask(question, k))
    return _json({"id": None, **answer.to_json()}, request, served)


async def show(request: Request) -> Response:
    """Show a node with its neighbours, as ``rulings show --json``."""
    name, k = _text(request, "name", _LONGEST_NAME), _number(request, "k", 10)
    served = serving(request).now
    if unchanged := _unchanged(request, served):
        return unchanged
    return _json(await _threads(request).run(lambda: _shown(served, name, k)), request, served)


async def complete(request: Request) -> Response:
    """Complete what is typed to names of cards, concepts and rules."""
    typed, k = _text(request, "q", _LONGEST_NAME), _number(request, "k", 10)
    served = serving(request).now
    if unchanged := _unchanged(request, served):
        return unchanged
    found = (await served.completer).complete(typed, k)
    return _json({"query": typed, "completions": found}, request, served)


async def any_ruling(request: Request) -> Response:
    """Show a ruling that chance picks, as ``rulings show --json``."""
    served = serving(request).now
    shown = await _threads(request).run(lambda: _picked(served))
    return Response(msgspec.json.encode(shown), headers={"Cache-Control": "no-store"}, media_type="application/json")


async def openapi(_: Request) -> Response:
    """Describe the API (OpenAPI 3.1)."""
    return Response(msgspec.json.encode(document(metadata.version("rulings-graph"))), media_type="application/json")


def _shown(served: Served, name: str, k: int) -> dict[str, Any]:
    made = served.generation
    return _described(served, find(name, made.archive, made.analyses, made.iris), k)


def _described(served: Served, nodes: tuple[Node, ...], k: int) -> dict[str, Any]:
    made = served.generation
    described = Describer(made.archive, made.analyses, made.iris, limit=k).describe(nodes[0])
    return {**described, "also": [node.iri(made.iris) for node in nodes[1:]]}


def _picked(served: Served) -> dict[str, Any]:
    made = served.generation
    key = made.archive.key_at(random.randrange(made.manifest.counts["statements"]))  # noqa: S311 - no secret
    return _described(served, (Node("statement", key or ""),), 10)


def _threads(request: Request) -> SearchThreads:
    threads: SearchThreads = request.app.state.threads
    return threads


def _text(request: Request, name: str, longest: int) -> str:
    """The one value of a parameter.

    Raises:
        HttpError: it is missing, empty, there twice or too long.
    """
    values = request.query_params.getlist(name)
    if len(values) != 1 or not values[0].strip():
        raise HttpError(400, f"{name}= is to be there once, and not empty; it is there {len(values)} times")
    if len(values[0]) > longest:
        raise HttpError(400, f"{name}= has {len(values[0]):,} characters, at most {longest:,} are read; shorten it")
    return values[0].strip()


def _number(request: Request, name: str, usual: int) -> int:
    written = request.query_params.get(name, str(usual))
    if not (written.isascii() and written.isdecimal() and len(written) < 10 and 1 <= int(written) <= MOST):
        raise HttpError(400, f"{name}={written[:20]} is not a number from 1 to {MOST}")
    return int(written)


def etag(request: Request, served: Served) -> str:
    """A tag for the answer at an address, which changes when the answer may: with the generation and the version.

    It is weak, since an answer says how long it took.
    """
    asked = f"{request.url.path}?{request.url.query}".encode()
    address = hashlib.sha1(asked, usedforsecurity=False).hexdigest()[:12]
    return f'W/"{served.generation.manifest.name}-{metadata.version("rulings-graph")}-{address}"'


def _headers(request: Request, served: Served) -> dict[str, str]:
    return {"ETag": etag(request, served), "Cache-Control": "no-cache"}


def _unchanged(request: Request, served: Served) -> Response | None:
    """Nothing, where the client has the answer already."""
    known = {each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")}
    same = etag(request, served).removeprefix("W/") in known
    return Response(status_code=304, headers=_headers(request, served)) if same else None


def _json(answer: object, request: Request, served: Served) -> Response:
    return Response(msgspec.json.encode(answer), headers=_headers(request, served), media_type="application/json")


ENDPOINTS: dict[str, Callable[[Request], Any]] = {
    "/api/ask": ask,
    "/api/show": show,
    "/api/complete": complete,
    "/api/random": any_ruling,
    "/api/openapi.json": openapi,
}
