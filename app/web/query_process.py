"""One process of `rulings.app.web.query_worker`, seen from the server."""

import asyncio
import contextlib
import os
import subprocess
import sys
from pathlib import Path

import msgspec

from rulings.app.web.query_frames import HEAD, READY, TASK, Task, frame, opened

START_SECONDS = 30.0


class QueryProcess:
    """A started process that is ready for a query; make one by `start`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, graph: Path, memory: int) -> "QueryProcess":
        """Start a process on a graph and wait until it is ready.

        Raises:
            OSError: it doesn't start, or ends at once.
        """
        # -P: the folder that the server was started in holds no modules of ours.
        words = (sys.executable, "-P", "-m", "rulings.app.web.query_worker", str(graph), str(memory))
        quiet = None if os.environ.get("RULINGS_DEBUG") else subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(
            *words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=quiet, limit=1 << 18
        )
        made = cls(process)
        try:
            async with asyncio.timeout(START_SECONDS):
                sort, _ = await made.receive()
        except (EOFError, TimeoutError):
            sort = b""
        except asyncio.CancelledError:
            made.kill()
            raise
        if sort != READY:
            made.kill()
            await made.ended()
            raise OSError(f"{graph}: a process for queries did not start; RULINGS_DEBUG=1 shows why")
        return made

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process.returncode is None

    async def send(self, task: Task) -> None:
        """Give it a query.

        Raises:
            OSError: it has ended.
        """
        if self._process.stdin is None:
            raise BrokenPipeError
        self._process.stdin.write(frame(TASK, msgspec.json.encode(task)))
        await self._process.stdin.drain()

    async def receive(self) -> tuple[bytes, bytes]:
        """The next frame: its sort and content.

        Raises:
            EOFError: it has ended.
        """
        if self._process.stdout is None:
            raise EOFError
        sort, length = opened(await self._process.stdout.readexactly(HEAD))
        return sort, await self._process.stdout.readexactly(length)

    def demote(self) -> None:
        """Let every other process go first from now on."""
        with contextlib.suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, self._process.pid, 10)

    def kill(self) -> None:
        """End it at once."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    async def ended(self) -> None:
        """Wait for its end, and close the pipes to it."""
        if self._process.stdout:
            # The pipe has to be read to its end first, by whoever else reads it or here: wait() waits for that too.
            with contextlib.suppress(RuntimeError):
                await self._process.stdout.read()
        await self._process.wait()
        if self._process.stdin:
            self._process.stdin.close()
            with contextlib.suppress(OSError):
                await self._process.stdin.wait_closed()
