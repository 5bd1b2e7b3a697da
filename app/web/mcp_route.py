"""The address /mcp: the tools for assistants over streamable HTTP, without sessions."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from mcp.server.transport_security import TransportSecuritySettings
from starlette.routing import BaseRoute, Route

from rulings.app.web.assistant import assistant
from rulings.app.web.serving import Served

_LOCAL = ("127.0.0.1", "localhost", "[::1]")
_LARGEST = 1 << 20
"""Bytes of a request."""


def mcp_routes(now: Callable[[], Served], *, local: bool) -> tuple[list[BaseRoute], AbstractAsyncContextManager[None]]:
    """The route, and what must be entered while it is served.

    Where the server is ``local``, requests that name another host are refused: they come from a page of another site
    that has its name point to this machine.
    """
    server = assistant(now)
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=local,
        allowed_hosts=[*_LOCAL, *(f"{host}:*" for host in _LOCAL)],
        allowed_origins=[f"http://{host}{port}" for host in _LOCAL for port in ("", ":*")],
    )
    app = server.streamable_http_app(
        json_response=True, stateless_http=True, max_request_body_size=_LARGEST, transport_security=security
    )
    # without sessions there is nothing to listen for: a stream that a GET opens would only stay open
    (route,) = [each for each in app.routes if isinstance(each, Route)]
    return [Route(route.path, route.endpoint, methods=["POST"])], server.session_manager.run()
