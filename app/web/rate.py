"""How often one client may ask: a bucket of tokens an address (https://en.wikipedia.org/wiki/Token_bucket)."""

import math
import time
from collections import OrderedDict

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from rulings.app.errors import HttpError
from rulings.app.web.problems import answered

MOST_ADDRESSES = 10_000
FREE = frozenset({"/healthz", "/metrics"})


class RateLimit:
    """Middleware: each address may make ``rate`` requests a second on average, twice that at once; 0: any number."""

    def __init__(self, app: ASGIApp, rate: float) -> None:
        self.app, self.rate = app, rate
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 429."""
        if scope["type"] == "http" and self.rate and scope["path"] not in FREE:
            wait = self._wait((scope.get("client") or ("",))[0])
            if wait:
                told = HttpError(429, "too many requests; ask less often", {"Retry-After": str(math.ceil(wait))})
                await answered(Request(scope), told)(scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _wait(self, address: str) -> float:
        """Take a token, or tell the seconds until there is one."""
        now, full = time.monotonic(), 2 * self.rate
        left, before = self._buckets.pop(address, (full, now))
        left = min(full, left + (now - before) * self.rate)
        self._buckets[address] = (left - 1 if left >= 1 else left, now)
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return 0.0 if left >= 1 else (1 - left) / self.rate
