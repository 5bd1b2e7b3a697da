"""Wall-clock deadlines of HTTP requests: the connection is cut, however slowly its bytes trickle.

A timeout of a socket begins anew with every byte; a deadline doesn't.
"""

import contextlib
import socket
import threading
from types import TracebackType
from typing import Any, Self

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

_held = threading.local()


class Deadline:
    """Cuts the connection that this thread waits for at its end; entered anew for each request.

    Only requests of a pool that `pool_manager` made are cut.
    """

    def __init__(self, seconds: float) -> None:
        self._socket: Any = None
        self.passed = False
        """Whether the connection was cut."""
        self._timer = self._set(seconds)

    def __enter__(self) -> Self:
        """Begin."""
        _held.deadline = self
        self._timer.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End."""
        _held.deadline = None
        self._timer.cancel()

    def put_off(self, seconds: float) -> None:
        """Begin anew, as something has come."""
        self._timer.cancel()
        self._timer = self._set(seconds)
        self._timer.start()

    def hold(self, connection: Any) -> None:  # noqa: ANN401 - urllib3's own types don't name it
        """Take the connection that is to be cut.

        Raises:
            TimeoutError: it is too late.
        """
        self._socket = connection.sock
        if self.passed:
            raise TimeoutError

    def _set(self, seconds: float) -> threading.Timer:
        timer = threading.Timer(seconds, self._cut)
        timer.daemon = True
        return timer

    def _cut(self) -> None:
        self.passed = True
        if isinstance(self._socket, socket.socket):
            with contextlib.suppress(OSError):
                # the socket's own: that of TLS would wait for its lock, or take the connection's state away
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


def _hold(connection: Any) -> None:  # noqa: ANN401
    deadline = getattr(_held, "deadline", None)
    if deadline is not None:
        deadline.hold(connection)


class _Plain(HTTPConnection):
    def getresponse(self) -> Any:  # noqa: ANN401
        _hold(self)
        return super().getresponse()


class _Secure(HTTPSConnection):
    def getresponse(self) -> Any:  # noqa: ANN401
        _hold(self)
        return super().getresponse()


class _PlainPool(HTTPConnectionPool):
    ConnectionCls = _Plain


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _Secure


def pool_manager(**options: Any) -> urllib3.PoolManager:  # noqa: ANN401
    """Connections that a `Deadline` cuts; ``options`` as for `urllib3.PoolManager`."""
    manager = urllib3.PoolManager(**options)
    manager.pool_classes_by_scheme = {"http": _PlainPool, "https": _SecurePool}
    return manager
