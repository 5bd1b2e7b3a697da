"""A line a request, for who runs a server: as text, or as JSON (one object a line) for programs that gather logs.

A line has no client's address, no header and no body, and what was asked only where that was wanted.
"""

import contextlib
import json
import logging
import time
from collections.abc import Iterator
from datetime import UTC, datetime

from starlette.types import ASGIApp, Message, Receive, Scope, Send

REQUESTS = logging.getLogger("rulings.requests")
_LONGEST = 300


class Logged:
    """Middleware that logs each request when it has ended; ``queries``: with what stands after the ``?``."""

    def __init__(self, app: ASGIApp, *, queries: bool = False) -> None:
        self.app, self.queries = app, queries

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and log its answer; status 0 where none was begun."""
        if scope["type"] != "http" or not REQUESTS.isEnabledFor(logging.INFO):
            await self.app(scope, receive, send)
            return
        status, size, start = 0, 0, time.perf_counter()

        async def sent(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
            size += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, sent)
        finally:
            fields: dict[str, object] = {
                "method": scope["method"][:20],
                "path": scope["path"][:_LONGEST],
                "status": status,
                "ms": round(1000 * (time.perf_counter() - start), 1),
                "bytes": size,
            }
            if self.queries:
                fields["query"] = scope["query_string"].decode("latin-1")[:_LONGEST]
            REQUESTS.info("request", extra={"fields": fields})


class TextLines(logging.Formatter):
    """A line a record for people: time, where it comes from unless it is a request, and what happened."""

    def format(self, record: logging.LogRecord) -> str:
        """The line; control characters from outside are escaped."""
        at = datetime.fromtimestamp(record.created, UTC).strftime("%H:%M:%S")
        fields: dict[str, object] | None = getattr(record, "fields", None)
        if fields is None:
            return f"{at} {record.levelname.lower()} {_flat(record.getMessage())}{_trace(self, record)}"
        query = f"?{fields['query']}" if fields.get("query") else ""
        what = (
            f"{fields['method']} {fields['path']}{query} {fields['status']} {fields['ms']} ms {fields['bytes']} bytes"
        )
        return f"{at} {_flat(what)}"


class JsonLines(logging.Formatter):
    """A JSON object a line: ``time`` (UTC, ISO 8601), ``level``, ``event``, and the fields of a request or message."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        fields: dict[str, object] | None = getattr(record, "fields", None)
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": "request" if fields is not None else "message",
            **(fields if fields is not None else {"logger": record.name, "message": record.getMessage()}),
        }
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(entry)


def _flat(text: str) -> str:
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def _trace(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    return f"\n{formatter.formatException(record.exc_info)}" if record.exc_info else ""


@contextlib.contextmanager
def logging_to_stderr(*, as_json: bool, requests: bool) -> Iterator[None]:
    """Send warnings of all libraries to stderr while the block runs, and where ``requests`` is set a line a request."""
    root, own = logging.getLogger(), logging.getLogger("rulings")
    former = root.handlers[:], root.level, own.level
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if as_json else TextLines())
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    own.setLevel(logging.INFO if requests else logging.WARNING)
    try:
        yield
    finally:
        root.handlers[:] = former[0]
        root.setLevel(former[1])
        own.setLevel(former[2])
