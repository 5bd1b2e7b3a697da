"""Requests to a SPARQL server, within limits of time and size; credentials from the environment only.

``RULINGS_GRAPH_USER`` and ``RULINGS_GRAPH_PASSWORD`` (HTTP Basic), or ``RULINGS_GRAPH_TOKEN`` (Bearer). They are sent
by https, or to this machine, only. Redirections are not followed.
"""

import base64
import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import urllib3
from urllib3 import exceptions

from rulings.graph.deadline import Deadline, pool_manager
from rulings.graph.errors import RemoteAddressError, RemoteCredentialsError, RemoteError
from rulings.ingest.addresses import shown

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
    _pool: urllib3.PoolManager = field(default_factory=lambda: pool_manager(retries=False), repr=False)

    def send(self, method: str, url: str, body: bytes, headers: Mapping[str, str]) -> bytes:
        """Send a request and give the answer's body.

        Raises:
            RemoteError: there is no answer in time, it says no, or it is too long.
            RemoteCredentialsError: what the environment has can't be sent.
        """
        end = time.monotonic() + self.limits.seconds
        place, sent = shown(url), {**headers, **_credentials(url)}
        late = RemoteError(
            f"{place}: no answer within {self.limits.seconds:.0f} s; ask for less, or look at the server's load"
        )
        deadline = Deadline(self.limits.seconds)
        timeout = urllib3.Timeout(connect=min(_CONNECT, self.limits.seconds), read=self.limits.seconds)
        try:
            with deadline:
                response = self._pool.request(
                    method, url, body=body, headers=sent, timeout=timeout, redirect=False, preload_content=False
                )
                whole = False
                try:
                    body = self._read(response, place, end)
                    whole = not deadline.passed  # a cut of what has no length looks like its end
                finally:
                    response.drain_conn() if whole else response.close()
                if not whole:
                    raise late
                return body
        except exceptions.NewConnectionError as error:  # a kind of TimeoutError, though nothing was waited for
            reason = str(error).rpartition(": ")[2]
            raise RemoteError(f"{place}: no connection ({reason}); is the server running there?") from error
        except exceptions.TimeoutError as error:
            raise late from error
        except (exceptions.HTTPError, OSError) as error:
            if isinstance(error, RemoteError):
                raise
            if deadline.passed:
                raise late from error
            raise RemoteError(f"{place}: {_broken(error)}") from error

    def _read(self, response: urllib3.BaseHTTPResponse, place: str, end: float) -> bytes:
        parts, size = [], 0
        good = 200 <= response.status < 300
        while part := response.read1(_CHUNK, decode_content=True):  # as much as is there: time is looked at often
            parts.append(part)
            size += len(part)
            if not good and size > _CHUNK:
                break
            if size > self.limits.size:
                response.close()
                raise RemoteError(f"{place}: the answer is longer than {self.limits.size >> 20} MB; ask for less")
            if time.monotonic() > end:
                response.close()
                raise RemoteError(f"{place}: the answer takes longer than {self.limits.seconds:.0f} s; ask for less")
        body = b"".join(parts)
        if not good:
            raise RemoteError(f"{place}: {_refused(response, body)}")
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
        raise RemoteAddressError(f"{shown(url)}: no address of a server; write http://HOST:PORT/PATH")
    return url


def _credentials(url: str) -> dict[str, str]:
    token, user = os.environ.get("RULINGS_GRAPH_TOKEN", "").strip(), os.environ.get("RULINGS_GRAPH_USER")
    if not token and not user:
        return {}
    parts = urlsplit(url)
    if parts.scheme != "https" and parts.hostname not in _HERE:
        raise RemoteError(
            f"{shown(url)}: user, password and token are sent by https only; take the server's https address"
        )
    if token:
        if not re.fullmatch(r"[!-~]+", token):  # not told: it is a secret, even if mistyped
            raise RemoteCredentialsError(
                "RULINGS_GRAPH_TOKEN: holds blanks, control characters or signs beyond ASCII; set it to the token alone"
            )
        return {"Authorization": f"Bearer {token}"}
    pair = f"{user}:{os.environ.get('RULINGS_GRAPH_PASSWORD', '')}"
    try:
        return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
    except UnicodeEncodeError:
        raise RemoteCredentialsError(
            "RULINGS_GRAPH_USER, RULINGS_GRAPH_PASSWORD: not UTF-8; set them in a terminal that writes UTF-8"
        ) from None


def _broken(error: Exception) -> str:
    """What is wrong with a connection that broke."""
    cause = getattr(error, "reason", None) or error
    if isinstance(cause, (exceptions.NewConnectionError, exceptions.SSLError)):
        return f"no connection ({str(cause).rpartition(': ')[2]}); is the server running there?"
    if isinstance(cause, exceptions.DecodeError):
        return "the answer can't be unpacked; is it a SPARQL server?"
    words = str(cause)
    if "IncompleteRead" in words or "InvalidChunkLength" in words:
        return "the answer was cut off; ask again, or look at the server's log"
    if isinstance(cause, exceptions.ProtocolError):
        return "the connection was cut before an answer came, or the answer isn't HTTP; is it a SPARQL server?"
    return f"no connection ({words.rpartition(': ')[2]}); is the server running there?"


def _refused(response: urllib3.BaseHTTPResponse, body: bytes) -> str:
    status = response.status
    words = " ".join(body.decode("utf-8", "replace").split())[:_TOLD]
    said = f" ({words})" if words and "<html" not in words.lower() else ""
    match status:
        case 301 | 302 | 303 | 307 | 308:
            return f"the server sends elsewhere ({shown(response.headers.get('Location', '?'))}); give that address"
        case 401 | 403:
            return (
                f"the server refuses us ({status}){said}; give RULINGS_GRAPH_USER and RULINGS_GRAPH_PASSWORD, "
                "or have it allowed there"
            )
        case 404 | 405 | 501:
            return f"the server doesn't do that there ({status}){said}; look up the address in its documentation"
        case _:
            return f"the server answered {status}{said}"
