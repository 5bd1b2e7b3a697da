"""Requests to a SPARQL server, within limits of time and size; credentials from the environment only.

``RULINGS_GRAPH_USER`` and ``RULINGS_GRAPH_PASSWORD`` (HTTP Basic), or ``RULINGS_GRAPH_TOKEN`` (Bearer). They are sent
by https, or to this machine, only. Redirections are not followed.
"""

import base64
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import urllib3
from urllib3 import exceptions

from rulings.graph.errors import RemoteAddressError, RemoteError

_CONNECT = 10.0
_CHUNK = 1 << 16
_TOLD = 300
"""Characters of a server's own words that are told."""
_HERE = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True, slots=True)
class Limits:
    """``seconds`` for a request in all, ``size`` in bytes for its answer."""

    seconds: float = 60.0
    size: int = 100 << 20


@dataclass(frozen=True, slots=True)
class Client:
    """Sends requests, over connections that are kept."""

    limits: Limits = Limits()
    _pool: urllib3.PoolManager = field(default_factory=lambda: urllib3.PoolManager(retries=False), repr=False)

    def send(self, method: str, url: str, body: bytes, headers: Mapping[str, str]) -> bytes:
        """Send a request and give the answer's body.

        Raises:
            RemoteError: there is no answer in time, it says no, or it is too long.
        """
        end = time.monotonic() + self.limits.seconds
        timeout = urllib3.Timeout(connect=min(_CONNECT, self.limits.seconds), read=self.limits.seconds)
        try:
            response = self._pool.request(
                method, url, body=body, headers={**headers, **_credentials(url)}, timeout=timeout, redirect=False,
                preload_content=False,
            )  # fmt: skip
            try:
                return self._read(response, url, end)
            finally:
                response.drain_conn() if response.status < 300 else response.close()
        except exceptions.NewConnectionError as error:  # a kind of TimeoutError, though nothing was waited for
            reason = str(error).rpartition(": ")[2]
            raise RemoteError(f"{url}: no connection ({reason}); is the server running there?") from error
        except exceptions.TimeoutError as error:
            raise RemoteError(
                f"{url}: no answer within {self.limits.seconds:.0f} s; ask for less, or look at the server's load"
            ) from error
        except exceptions.MaxRetryError as error:
            raise RemoteError(f"{url}: no connection ({error.reason}); is the server running there?") from error
        except exceptions.HTTPError as error:
            reason = str(error).rpartition(": ")[2]
            raise RemoteError(f"{url}: no connection ({reason}); is the server running there?") from error

    def _read(self, response: urllib3.BaseHTTPResponse, url: str, end: float) -> bytes:
        parts, size = [], 0
        good = 200 <= response.status < 300
        for part in response.stream(_CHUNK, decode_content=True):
            parts.append(part)
            size += len(part)
            if not good and size > _CHUNK:
                break
            if size > self.limits.size:
                response.close()
                raise RemoteError(f"{url}: the answer is longer than {self.limits.size >> 20} MB; ask for less")
            if time.monotonic() > end:
                response.close()
                raise RemoteError(f"{url}: the answer takes longer than {self.limits.seconds:.0f} s; ask for less")
        body = b"".join(parts)
        if not good:
            raise RemoteError(f"{url}: {_refused(response, body)}")
        return body


def checked(url: str) -> str:
    """An address that can be asked.

    Raises:
        RemoteAddressError: it is none, or has user or password in it.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if parts.username or parts.password:
        raise RemoteAddressError(
            "the address of a graph can't hold user or password; give them by the environment variables "
            "RULINGS_GRAPH_USER and RULINGS_GRAPH_PASSWORD, or RULINGS_GRAPH_TOKEN"
        )
    if parts.scheme not in {"http", "https"} or not host or any(sign in url for sign in ' <>"{}|\\^`\n\t'):
        raise RemoteAddressError(f"{url}: no address of a server; write http://HOST:PORT/PATH")
    return url


def _credentials(url: str) -> dict[str, str]:
    token, user = os.environ.get("RULINGS_GRAPH_TOKEN"), os.environ.get("RULINGS_GRAPH_USER")
    if not token and not user:
        return {}
    parts = urlsplit(url)
    if parts.scheme != "https" and parts.hostname not in _HERE:
        raise RemoteError(f"{url}: user, password and token are sent by https only; take the server's https address")
    if token:
        return {"Authorization": f"Bearer {token}"}
    pair = f"{user}:{os.environ.get('RULINGS_GRAPH_PASSWORD', '')}"
    return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}


def _refused(response: urllib3.BaseHTTPResponse, body: bytes) -> str:
    status = response.status
    words = " ".join(body.decode("utf-8", "replace").split())[:_TOLD]
    said = f" ({words})" if words and "<html" not in words.lower() else ""
    match status:
        case 301 | 302 | 303 | 307 | 308:
            return f"the server sends elsewhere ({response.headers.get('Location', '?')}); give that address"
        case 401 | 403:
            return (
                f"the server refuses us ({status}){said}; give RULINGS_GRAPH_USER and RULINGS_GRAPH_PASSWORD, "
                "or have it allowed there"
            )
        case 404 | 405 | 501:
            return f"the server doesn't do that there ({status}){said}; look up the address in its documentation"
        case _:
            return f"the server answered {status}{said}"
