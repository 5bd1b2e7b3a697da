"""The generation that is served, and the change to a newer one without a gap."""

import asyncio
import logging
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request

from rulings.app.web.completion import Completer
from rulings.app.web.query_limits import QueryLimits
from rulings.app.web.query_pool import QueryPool
from rulings.search import Rulings
from rulings.search.generation import Generation, current

_LOG = logging.getLogger(__name__)
LOOK_SECONDS = 1.0
"""How often to look for a newer generation."""
FAILED_SECONDS = 10.0
"""How long to wait before what could not be opened is tried again."""
_WARM = "What is a copy?"


@dataclass(frozen=True, slots=True)
class Served:
    """All that answers from one generation; whoever holds it can finish with it when a newer one is served."""

    kb: Rulings
    queries: QueryPool
    completer: asyncio.Task[Completer]
    """Comes a few seconds after the rest; await it."""

    @property
    def generation(self) -> Generation:
        """The generation."""
        return self.kb.generation


class Serving:
    """Holds what is served from a home: `open` it, read ``now``, and let `watch` run."""

    def __init__(self, home: Path, limits: QueryLimits) -> None:
        self.home, self.limits = home, limits
        self._now: Served | None = None
        self._past: list[QueryPool] = []
        self._ended: Counter[str] = Counter()

    @property
    def now(self) -> Served:
        """What is served; read it once a request."""
        if self._now is None:
            raise RuntimeError("nothing is opened yet")
        return self._now

    async def open(self) -> None:
        """Open the generation in use.

        Raises:
            GenerationError: there is none, or it is damaged.
            OSError: the processes for queries don't start.
        """
        self._now = await self._opened()

    async def _opened(self) -> Served:
        kb = await asyncio.to_thread(_warmed, self.home, self._now.kb if self._now else None)
        queries = QueryPool(kb.generation.graph.folder, self.limits)
        await queries.start()
        return Served(kb, queries, asyncio.create_task(asyncio.to_thread(_completer, kb.generation)))

    async def _whole(self) -> Served:
        """Open the generation in use with its completer."""
        newer = await self._opened()
        try:
            await newer.completer
        except BaseException:
            await newer.queries.close()
            raise
        return newer

    async def watch(self) -> None:
        """Serve each newer generation as soon as it is there and opened; what can't be opened is told."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                name = (self.home / "current").read_text(encoding="utf-8").strip()
                if name == self.now.generation.manifest.name:
                    continue
                newer = await self._whole()
            except Exception as error:  # noqa: BLE001 - whatever is wrong with the newer one, the former is served
                _LOG.warning("the newer generation can't be served, the former one still is: %s", error)
                await asyncio.sleep(FAILED_SECONDS)
                continue
            self._past = [queries for queries in self._past if queries.size] + [self.now.queries]
            self._ended.update(self.now.queries.ended)
            self.now.queries.retire()
            self._now = newer
            _LOG.warning("serving generation %s", newer.generation.manifest.name)

    def ended(self) -> Counter[str]:
        """How many queries have no whole answer, by the reason."""
        return self._ended + Counter(self.now.queries.ended)

    def _pools(self) -> list[QueryPool]:
        return [*self._past, *([self._now.queries] if self._now else [])]

    def interrupt(self) -> None:
        """End the queries that still run."""
        for queries in self._pools():
            queries.interrupt()

    async def close(self) -> None:
        """End the processes for queries."""
        if self._now:
            await asyncio.wait({self._now.completer})
        for queries in self._pools():
            await queries.close()


def _warmed(home: Path, before: Rulings | None) -> Rulings:
    """Open the generation in use and all that a first question would wait for; the same encoder is not opened twice."""
    generation = current(home)
    kb = Rulings(generation, cache=home / "cache")
    if before and kb.index.encoder["fingerprint"] == before.encoder.fingerprint:
        kb = Rulings(generation, before.encoder, home / "cache")
    kb.ask(_WARM)
    return kb


def _completer(generation: Generation) -> Completer:
    return Completer(generation.archive, generation.analyses, generation.iris)


def serving(request: Request) -> Serving:
    """What the application of this request serves."""
    held: Serving = request.app.state.serving
    return held
