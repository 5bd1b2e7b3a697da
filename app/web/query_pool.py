"""The processes that run queries on one graph: started ahead, killed at a query's limit, replaced.

A short query shall never wait for a long one. So each has a place among the quick ones for half a second only; what
takes longer goes on with low priority in one of a few places for long ones while a new process takes over its old
place, or is ended where those are full.
"""

import asyncio
import logging
from collections import deque
from pathlib import Path

from rulings.app.web.problems import busy
from rulings.app.web.query_frames import Task
from rulings.app.web.query_limits import QueryLimits
from rulings.app.web.query_process import QueryProcess
from rulings.app.web.query_run import Running

_LOG = logging.getLogger(__name__)
_RETRY_SECONDS = 2.0


class QueryPool:
    """Runs queries on the graph in a folder; make one, then `start` it inside the event loop."""

    def __init__(self, graph: Path, limits: QueryLimits) -> None:
        self.graph, self.limits = graph, limits
        self.long = 0
        self.ended: dict[str, int] = {}
        self._idle: deque[QueryProcess] = deque()
        self._all: set[QueryProcess] = set()
        self._waiting: deque[asyncio.Future[QueryProcess]] = deque()
        self._running: set[Running] = set()
        self._starting: set[asyncio.Task[None]] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._retired = False

    @property
    def size(self) -> int:
        """How many processes there are."""
        return len(self._all)

    @property
    def waiting(self) -> int:
        """How many requests wait for a process."""
        return len(self._waiting)

    async def start(self) -> None:
        """Start the processes.

        Raises:
            OSError: they don't start.
        """
        started = await asyncio.gather(
            *(QueryProcess.start(self.graph, self.limits.memory) for _ in range(self.limits.workers)),
            return_exceptions=True,
        )
        self._all.update(each for each in started if isinstance(each, QueryProcess))
        for each in started:
            if isinstance(each, BaseException):
                await self.close()
                raise each
            self._idle.append(each)

    async def begin(self, task: Task) -> Running:
        """Start a query; comes back with the first part of the answer.

        Raises:
            HttpError: the query can't be run, is past a limit, or too many others wait.
        """
        due = asyncio.get_running_loop().time() + self.limits.seconds
        running = Running(self, await self._taken(), due)
        self._running.add(running)
        try:
            await running.begin(task)
        except BaseException:
            running.close()
            raise
        return running

    async def _taken(self) -> QueryProcess:
        while self._idle:
            process = self._idle.pop()
            if process.alive:
                return process
            self.end(process)
            self.replace()
        if len(self._waiting) >= self.limits.queue:
            raise busy(f"{len(self._waiting)} queries wait already; try again in a while")
        future: asyncio.Future[QueryProcess] = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        if self._retired:
            self.replace()
        try:
            async with asyncio.timeout(self.limits.wait):
                return await future
        except BaseException as error:
            if future.done() and not future.cancelled():
                self.give(future.result())
            if isinstance(error, TimeoutError):
                raise busy("all processes for queries are busy; try again in a while") from None
            raise
        finally:
            if future in self._waiting:
                self._waiting.remove(future)

    def give(self, process: QueryProcess) -> None:
        """Take a process back that is ready for the next query."""
        while self._waiting:
            future = self._waiting.popleft()
            if not future.done():
                future.set_result(process)
                return
        if self._retired:
            self.end(process)
        else:
            self._idle.append(process)

    def end(self, process: QueryProcess) -> None:
        """Kill a process that can't be used again."""
        process.kill()
        self._all.discard(process)
        ending = asyncio.get_running_loop().create_task(process.ended())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    def finished(self, running: Running, reason: str) -> None:
        """Take note of a query's end, and why, where it has no (whole) answer."""
        self._running.discard(running)
        if reason:
            self.ended[reason] = self.ended.get(reason, 0) + 1

    def replace(self) -> None:
        """Start a process for one that has gone."""
        if not self._retired or self._waiting:
            started = asyncio.get_running_loop().create_task(self._start_one())
            self._starting.add(started)
            started.add_done_callback(self._starting.discard)

    async def _start_one(self) -> None:
        while True:
            try:
                process = await QueryProcess.start(self.graph, self.limits.memory)
            except OSError as error:
                if self._retired:
                    return
                _LOG.warning("%s", error)
                await asyncio.sleep(_RETRY_SECONDS)
            else:
                self._all.add(process)
                self.give(process)
                return

    def retire(self) -> None:
        """Let the queries that run or wait finish, and end the processes after them."""
        self._retired = True
        while self._idle:
            self.end(self._idle.pop())

    def interrupt(self) -> None:
        """End the queries that run: their clients are told that the server ends."""
        self._retired = True
        for running in tuple(self._running):
            running.stop("shutdown")

    async def close(self) -> None:
        """End all at once."""
        self.interrupt()
        for started in self._starting:
            started.cancel()
        for process in tuple(self._all):
            self.end(process)
        await asyncio.gather(*self._ending, *self._starting, return_exceptions=True)
