"""How long failing requests are tried again, all of them together; each new try is told."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Self

from urllib3 import BaseHTTPResponse
from urllib3.util import Retry


class Patience:
    """Counts the seconds that failures took.

    Args:
        seconds: How many they may take in all.
        tell: Called with a line before each wait.
    """

    def __init__(self, seconds: float, tell: Callable[[str], None]) -> None:
        self._seconds, self._tell = seconds, tell
        self._lost, self._failed = 0.0, False
        self._began, self._host = 0.0, ""

    @property
    def left(self) -> float:
        """Seconds that are left, counting the request under way."""
        now = time.monotonic() - self._began if self._began else 0.0
        return max(0.0, self._seconds - self._lost - now)

    @contextmanager
    def begun(self, host: str) -> Iterator[None]:
        """A request to ``host``; its time is lost where it, or a try of it, failed."""
        self._began, self._host, self._failed = time.monotonic(), host, False
        try:
            yield
        except BaseException:
            self._failed = True
            raise
        finally:
            self._lost += time.monotonic() - self._began if self._failed else 0.0
            self._began = 0.0

    def lose(self, seconds: float) -> None:
        """Count seconds that went by in vain after an answer had begun."""
        self._lost += seconds

    def wait(self, seconds: float) -> None:
        """Tell, and wait; no longer than there is time."""
        seconds = min(seconds, self.left)
        self._failed = True
        if seconds > 0:
            self._tell(f"{self._host}: busy, or out of reach; tries again in {max(1, round(seconds))} s")
            time.sleep(seconds)


class PatientRetry(Retry):
    """urllib3's rules for new tries, which end where the patience does."""

    def __init__(self, patience: Patience, **options: Any) -> None:  # noqa: ANN401 - those of urllib3's Retry
        super().__init__(**options)
        self._patience = patience

    def new(self, **options: Any) -> Self:  # noqa: ANN401
        """As urllib3's; the patience is the same one."""
        return super().new(patience=self._patience, **options)

    def is_retry(self, method: str, status_code: int, has_retry_after: bool = False) -> bool:
        """Whether an answer's status asks for a new try, and there is time for one."""
        return self._patience.left > 0 and super().is_retry(method, status_code, has_retry_after)

    def is_exhausted(self) -> bool:
        """Whether the last try was the last."""
        moved = bool(self.history) and self.history[-1].redirect_location is not None
        return super().is_exhausted() or (not moved and self._patience.left <= 0)

    def sleep(self, response: BaseHTTPResponse | None = None) -> None:
        """Wait as long as the server asks, or longer after each failure."""
        asked = self.get_retry_after(response) if self.respect_retry_after_header and response else None
        self._patience.wait(asked or self.get_backoff_time())
