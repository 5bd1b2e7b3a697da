"""``-v``: what a command does on the way, on stderr, with the seconds since it began; no question is among it."""

import contextlib
import logging
import sys
import time
from collections.abc import Iterator
from typing import TextIO

from rulings.app.output import printable
from rulings.ingest.addresses import without_secrets


class _Since(logging.Formatter):
    def __init__(self) -> None:
        super().__init__()
        self._start = time.time()

    def format(self, record: logging.LogRecord) -> str:
        trace = f"\n{self.formatException(record.exc_info)}" if record.exc_info else ""
        said = printable(without_secrets(f"{record.getMessage()}{trace}"))
        return f"[{record.created - self._start:6.2f} s] {record.name}: {said}"


class _Lines(logging.StreamHandler[TextIO]):
    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name that logging calls
        """Say so; the usual way would print the message as it came, with whatever is in it."""
        self.stream.write(f"a line of {record.name} can't be written ({type(sys.exc_info()[1]).__name__})\n")


@contextlib.contextmanager
def verbose(*, on: bool) -> Iterator[None]:
    """Tell what the program logs while the block runs, and where it failed, if ``on`` is set."""
    if not on:
        yield
        return
    logger, handler = logging.getLogger("rulings"), _Lines(sys.stderr)
    former = logger.level
    handler.setFormatter(_Since())
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    except BaseException:
        logger.debug("where it failed:", exc_info=True)
        raise
    finally:
        logger.removeHandler(handler)
        logger.setLevel(former)
