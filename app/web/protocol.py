"""Reading a request of the SPARQL 1.1 Protocol: the query and the dataset, from the address or from the body.

https://www.w3.org/TR/sparql11-protocol/, section 2.1.
"""

import asyncio
from dataclasses import dataclass
from email.message import Message
from urllib.parse import parse_qsl

from starlette.requests import Request

from rulings.app.errors import HttpError

FORM, DIRECT, UPDATE = "application/x-www-form-urlencoded", "application/sparql-query", "application/sparql-update"
MOST_BYTES = 1 << 20
"""Of a body."""
SECONDS = 15.0
"""To send a body."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A query with the graphs it is about; where both are empty, the query's own FROM holds, else the whole graph."""

    query: str
    default: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


async def read(request: Request) -> Asked | None:
    """Read what is asked; None for a GET without a query, which asks for the service description.

    Raises:
        HttpError: 400 for a malformed request, 403 for an update, 413 and 408 for a body that is too long or too slow,
            415 for a body of an unknown kind.
    """
    address = _pairs(request.scope["query_string"], "the address")
    if request.method != "POST":
        return _asked(address) if address else None
    kind = Message()
    kind["Content-Type"] = request.headers.get("content-type", "")
    media = kind.get_content_type() if kind["Content-Type"] else ""
    charset = str(kind.get_param("charset") or "utf-8").lower()
    if media == UPDATE:
        raise _read_only()
    if media not in {FORM, DIRECT}:
        raise HttpError(415, f"a POST has Content-Type {FORM} with query=..., or {DIRECT}; this has {media or 'none'}")
    if charset not in {"utf-8", "utf8", "us-ascii"}:
        raise HttpError(415, f"the body is in {charset}; send it in UTF-8")
    body = await body_of(request)
    if media == FORM:
        return _needed(_asked(_pairs(body, "the body")))
    try:
        query = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise HttpError(400, f"the query is not in UTF-8 (byte {error.start}); send it so") from error
    if any(name in {"query", "update"} for name, _ in address):
        raise HttpError(400, "the query is in the body, so the address must have no query=")
    return _needed(_asked([("query", query), *address]))


async def body_of(request: Request, most: int = MOST_BYTES, seconds: float = SECONDS) -> bytes:
    """Read a body within limits of length and time.

    Raises:
        HttpError: it is too long (413) or too slow (408).
    """
    parts, size = [], 0
    try:
        async with asyncio.timeout(seconds):
            async for chunk in request.stream():
                parts.append(chunk)
                size += len(chunk)
                if size > most:
                    raise HttpError(413, f"the body has more than {most:,} bytes; send less", {"Connection": "close"})
    except TimeoutError:
        raise HttpError(
            408, f"the body did not come within {seconds:.0f} s; send it again", {"Connection": "close"}
        ) from None
    return b"".join(parts)


def _pairs(encoded: bytes, place: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(encoded.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=1000)
    except ValueError as error:
        raise HttpError(400, f"{place} has a value that is not URL-encoded UTF-8 ({error}); encode it so") from error


def _asked(pairs: list[tuple[str, str]]) -> Asked | None:
    given: dict[str, list[str]] = {}
    for name, value in pairs:
        given.setdefault(name, []).append(value)
    if "update" in given:
        raise _read_only()
    queries = given.get("query", [])
    if len(queries) > 1:
        raise HttpError(400, f"there are {len(queries)} queries; send one")
    if not queries:
        return None
    return Asked(queries[0], tuple(given.get("default-graph-uri", ())), tuple(given.get("named-graph-uri", ())))


def _needed(asked: Asked | None) -> Asked:
    if asked is None:
        raise HttpError(400, "no query=; send one")
    return asked


def _read_only() -> HttpError:
    return HttpError(403, "the graph is read only: no updates; ask with SELECT, ASK, CONSTRUCT or DESCRIBE")
