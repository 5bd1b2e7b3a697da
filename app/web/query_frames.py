"""What goes over the pipes between the server and a process that runs queries: no pickle, lengths ahead of contents."""

from typing import Literal

import msgspec

HEAD = 5
"""Bytes ahead of a frame's content: its sort, then its length."""
TASK, READY, KIND, DATA, END, ERROR = b"T", b"R", b"K", b"D", b"E", b"X"


class Task(msgspec.Struct, frozen=True):
    """A query to run. ``rows`` and ``graph`` are the formats the client takes for either; None: it takes none."""

    query: str
    default: tuple[str, ...]
    named: tuple[str, ...]
    rows: str | None
    graph: str | None
    seconds: float
    size: int
    service: bool
    head_only: bool


class Failure(msgspec.Struct, frozen=True):
    """Why a query has no (whole) answer."""

    reason: Literal["query", "format", "size", "store", "fault"]
    message: str


def frame(sort: bytes, content: bytes = b"") -> bytes:
    """A frame as it is sent."""
    return sort + len(content).to_bytes(4, "big") + content


def opened(head: bytes) -> tuple[bytes, int]:
    """The sort of a frame and the length of its content, from its first `HEAD` bytes."""
    return head[:1], int.from_bytes(head[1:], "big")
