"""A limit on how long is waited for a server that doesn't answer at all: its connection is cut."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

_LATER = 1.5
"""Seconds beyond the limit that the server keeps itself, so that its own message comes through."""


class Connected(Protocol):
    """Has a socket."""

    def fileno(self) -> int:
        """The number of its socket."""
        ...


@contextmanager
def cut_after(seconds: float, connection: Connected) -> Iterator[None]:
    """Shut a connection's socket where what is done here takes longer; whoever waits for it then gets an error."""

    def cut() -> None:
        with suppress(Exception), socket.socket(fileno=socket.dup(connection.fileno())) as line:
            line.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds + _LATER, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
