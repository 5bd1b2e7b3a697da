"""How much a query may use, and how many may run at once."""

import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """Limits on queries.

    ``seconds`` of wall time from the request to the last byte, ``size`` in bytes of the answer, ``memory`` in bytes
    that one may take. ``workers`` queries run at once; one that takes longer than ``quick`` seconds gives its place to
    others and goes on with low priority, if fewer than ``long`` such are running. ``queue`` requests wait, at most
    ``wait`` seconds.
    """

    seconds: float = 30.0
    size: int = 100 << 20
    memory: int = 2 << 30
    workers: int = 2 * (os.cpu_count() or 1) + 2
    quick: float = 0.5
    long: int = 2 * (os.cpu_count() or 1)
    queue: int = 64
    wait: float = 10.0
    service: bool = False
