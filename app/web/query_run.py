"""A query while it runs: the parts of its answer as they come, and its end at a limit."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import msgspec

from rulings.app.errors import HttpError
from rulings.app.web.media import unacceptable
from rulings.app.web.problems import busy
from rulings.app.web.query_frames import DATA, END, ERROR, KIND, Failure, Task
from rulings.app.web.query_process import QueryProcess

if TYPE_CHECKING:
    from rulings.app.web.query_pool import QueryPool

_LOG = logging.getLogger(__name__)


class CutError(Exception):
    """An answer that was begun can't be finished: the connection is to be broken off, so that the client sees it."""


class Running:
    """A query on its process. ``kind`` is "rows", "boolean" or "graph"."""

    def __init__(self, pool: "QueryPool", process: QueryProcess, due: float) -> None:
        """Take a process; ``due`` is when the query must have ended, by the event loop's clock."""
        self.kind = ""
        self._pool, self._process = pool, process
        self._first = b""
        self._done = self._long = self._closed = False
        self._reason = ""
        self._size = pool.limits.size
        loop, limits = asyncio.get_running_loop(), pool.limits
        self._timers = [
            loop.call_later(limits.quick, self._lengthen),
            loop.call_at(due, self.stop, "time"),
        ]

    @property
    def whole(self) -> bytes | None:
        """The answer, where it is there already."""
        return self._first if self._done else None

    async def begin(self, task: Task) -> None:
        """Send the query and wait for the first part of its answer; see `QueryPool.begin`."""
        self._size = task.size
        try:
            await self._process.send(task)
            while not self._first and not self._done:
                await self._next()
        except (EOFError, OSError):
            raise self._problem() from None

    async def chunks(self) -> AsyncIterator[bytes]:
        """The answer's parts.

        Raises:
            CutError: the rest can't be given.
        """
        try:
            yield self._first
            while not self._done:
                await self._next()
                yield self._first
        except (EOFError, OSError, HttpError) as error:
            told = error if isinstance(error, HttpError) else self._problem()
            _LOG.warning("an answer was cut off: %s", told.detail)
            raise CutError(told.detail) from None
        finally:
            self.close()

    async def _next(self) -> None:
        if self._closed:
            # Ended while the client took its time: the pool is reading the pipe to its end.
            raise EOFError
        sort, content = await self._process.receive()
        if sort == KIND:
            self.kind = content.decode()
        elif sort in {DATA, END}:
            self._first = content
            self._done = sort == END
            if self._done:
                self.close()
        elif sort == ERROR:
            self._done = True
            failure = msgspec.json.decode(content, type=Failure)
            self._reason = failure.reason
            self.close()
            raise self._problem(failure)

    def _lengthen(self) -> None:
        """Go on as a long query, if there is room."""
        if self._pool.long >= self._pool.limits.long:
            self.stop("crowded")
            return
        self._long = True
        self._pool.long += 1
        self._process.demote()
        self._pool.replace()

    def stop(self, reason: str) -> None:
        """End it before its own end."""
        self._reason = reason
        self.close()

    def close(self) -> None:
        """Give the process back, or end it where the query hasn't; does nothing the second time."""
        if self._closed:
            return
        self._closed = True
        for timer in self._timers:
            timer.cancel()
        if not self._done and not self._reason:
            self._reason = "left"
        self._pool.finished(self, self._reason)
        if self._long:
            self._pool.long -= 1
        # A long one has low priority for good, and its place was filled.
        if self._done and not self._long:
            self._pool.give(self._process)
        else:
            self._pool.end(self._process)
            if not self._long:
                self._pool.replace()

    def _problem(self, failure: Failure | None = None) -> HttpError:
        """Why there is no answer: what the process said, or why it was ended, or that it ended by itself."""
        if failure and failure.reason == "format":
            return unacceptable(failure.message)
        if failure and failure.reason != "size":
            return HttpError(400 if failure.reason == "query" else 500, failure.message)
        self._reason = self._reason or "crash"
        limits = self._pool.limits
        told = {
            "size": f"the answer is longer than {self._size >> 20} MiB; ask for less, or add a LIMIT",
            "time": f"the query ran for {limits.seconds:g} s, its limit, and was ended; ask for less, or add a LIMIT",
            "crowded": f"{limits.long} long queries run already, so this one was ended; try again in a while",
            "shutdown": "the server ends; ask it when it runs again",
            "crash": f"the query broke off, perhaps over {limits.memory >> 20} MiB of memory; ask for less",
        }
        detail = told.get(self._reason, "the client has gone")
        return busy(detail, 10) if self._reason == "crowded" else HttpError(503, detail)
