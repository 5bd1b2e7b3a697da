"""Ending a command from outside as Ctrl-C does: what it was writing is taken away first."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


@contextlib.contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Let SIGTERM, and SIGHUP where there is such, raise KeyboardInterrupt while the block runs (main thread only)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    signals = [each for name in ("SIGTERM", "SIGHUP") if (each := getattr(signal, name, None))]
    former = {each: signal.signal(each, _stop) for each in signals}
    try:
        yield
    finally:
        for each, handler in former.items():
            signal.signal(each, handler)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
