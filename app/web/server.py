"""The server process: an address to listen at, the application on it, and a clean end."""

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn

from rulings.app.errors import PortError, UsageError
from rulings.app.web.application import Settings, application
from rulings.app.web.query_limits import QueryLimits
from rulings.app.web.serving import Serving
from rulings.app.web.slow_clients import PatientProtocol

GRACE_SECONDS = 5
"""For requests that run when the server is told to end."""
QUERY_GRACE_SECONDS = 2.0
"""The same for SPARQL queries."""
MOST_CONNECTIONS = 1000
HEAD_BYTES = 1 << 17
"""Of a request: room for the longest question, every sign of it escaped."""


class _Server(uvicorn.Server):
    """A server that ends the queries which don't end by themselves when it shuts down."""

    def __init__(self, config: uvicorn.Config, served: Serving) -> None:
        super().__init__(config)
        self._served = served

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let the requests finish, for a while."""
        asyncio.get_running_loop().call_later(QUERY_GRACE_SECONDS, self._served.interrupt)
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """Listen at an address.

    Raises:
        UsageError: the host isn't one of this machine.
        PortError: another program listens there already, or it isn't allowed.
    """
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError) as error:
        raise UsageError(f"--host {host}: no such address ({error}); name one of this machine") from error
    try:
        return socket.create_server(address[:2], family=family, backlog=512)
    except OSError as error:
        raise PortError(f"{host}, port {port}: can't listen there ({error.strerror}); choose another --port") from error


def serve(
    home: Path, listening: socket.socket, limits: QueryLimits, settings: Settings, tell: Callable[[str], None]
) -> None:
    """Serve the home's generation until SIGINT or SIGTERM.

    Raises:
        GenerationError: there is none, or it is damaged.
    """
    for each in (signal.SIGINT, signal.SIGTERM):
        # uvicorn ends by a signal, then raises it again for whoever else waits for it; that is nobody.
        signal.signal(each, lambda *_: None)
    asyncio.run(_serve(Serving(home, limits), listening, settings, tell))


async def _serve(served: Serving, listening: socket.socket, settings: Settings, tell: Callable[[str], None]) -> None:
    await served.open()
    watching = asyncio.create_task(served.watch())
    app = application(served, settings)
    config = uvicorn.Config(
        app,
        http=PatientProtocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        h11_max_incomplete_event_size=HEAD_BYTES,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    logging.getLogger("uvicorn.error").addFilter(lambda record: "without completing response" not in record.msg)
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    tell(f"serving {served.now.generation.manifest.name} at http://{shown}:{port} (Ctrl-C ends)")
    try:
        async with app.state.assistants:
            await _Server(config, served).serve([listening])
    finally:
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watching
        await served.close()
