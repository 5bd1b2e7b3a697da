"""How many questions are answered at once: each in a thread, the others wait their turn, too many are turned away."""

import asyncio
import os
from collections.abc import Callable
from typing import TypeVar

from rulings.app.errors import HttpError
from rulings.app.output import note
from rulings.app.web.problems import busy
from rulings.graph.errors import UnknownNameError
from rulings.ingest import RulingsError
from rulings.search.errors import EngineError

_T = TypeVar("_T")
QUEUE = 64
WAIT_SECONDS = 10.0


class SearchThreads:
    """Runs the work of the library in threads, as many at once as there are cores."""

    def __init__(self, at_once: int = os.cpu_count() or 1, queue: int = QUEUE, wait: float = WAIT_SECONDS) -> None:
        self._turns, self._queue, self._wait = asyncio.Semaphore(at_once), queue, wait
        self.waiting = 0

    async def run(self, work: Callable[[], _T]) -> _T:
        """Do some work in its turn.

        Raises:
            HttpError: 503 where too many wait or the vectors can't be reached, 404 for an unknown name, 400 for
                another mistake of the asker's.
        """
        if self.waiting >= self._queue:
            raise busy(f"{self.waiting} requests wait already; try again in a while")
        self.waiting += 1
        try:
            async with asyncio.timeout(self._wait):
                await self._turns.acquire()
        except TimeoutError:
            raise busy("too many requests at once; try again in a while") from None
        finally:
            self.waiting -= 1
        try:
            return await asyncio.to_thread(work)
        except UnknownNameError as error:
            raise HttpError(404, str(error)) from error
        except EngineError as error:
            note(str(error))  # names the server, which is nothing for the asker
            raise busy("the vectors can't be reached; try again in a while") from None
        except (ValueError, LookupError) as error:
            if not isinstance(error, RulingsError):
                raise
            raise HttpError(400, str(error)) from error
        finally:
            self._turns.release()
