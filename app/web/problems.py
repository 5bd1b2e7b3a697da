"""What a server answers when it can't do what was asked: a problem document (RFC 9457), or plain text at /sparql."""

from http import HTTPStatus

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from rulings.app.errors import HttpError

PLAIN = "/sparql"
"""Where clients expect a message as plain text (SPARQL 1.1 Protocol, 2.1.7)."""


def busy(detail: str, seconds: int = 5) -> HttpError:
    """Too much to do: the client may come back after some seconds."""
    return HttpError(503, detail, {"Retry-After": str(seconds)})


def answered(request: Request, problem: HttpError) -> Response:
    """The problem as a response."""
    status, headers = problem.status, problem.headers | {"Cache-Control": "no-store"}
    if request.url.path == PLAIN:
        return PlainTextResponse(problem.detail + "\n", status, headers)
    document = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": problem.detail}
    return Response(msgspec.json.encode(document), status, headers, "application/problem+json")


async def on_problem(request: Request, error: Exception) -> Response:
    """Answer a `HttpError`, or what the router says of an unknown address or method."""
    if isinstance(error, HttpError):
        return answered(request, error)
    if isinstance(error, HTTPException):
        told = {
            404: f"{request.url.path}: nothing is here; /api/openapi.json lists the addresses",
            405: f"{request.method} is not allowed here",
        }
        return answered(
            request, HttpError(error.status_code, told.get(error.status_code, str(error.detail)), error.headers)
        )
    return answered(request, HttpError(500, "a fault in the program; the server's log says more"))
