"""Errors of the command line and the servers.

::

    RulingsError (ingest)
    └── AppError
        ├── UsageError (also ValueError)   what was asked for can't be
        ├── FaultyError                    a generation that `check` found faults in
        ├── BusyError (also OSError)       another build holds the home
        ├── FetchError (also OSError)      a file that can't be downloaded, or isn't what it should be
        ├── WorkersError (also OSError)    what a build runs on is lost again and again, or can't be reached
        ├── PortError (also OSError)       a server can't listen where it shall
        └── HttpError                      a request that a server can't answer
"""

from collections.abc import Mapping

from rulings.ingest import RulingsError


class AppError(RulingsError):
    """The root of the errors of the commands."""


class UsageError(AppError, ValueError):
    """The command's words are off."""


class FaultyError(AppError):
    """The generation in use is damaged, or its graph isn't valid."""


class BusyError(AppError, OSError):
    """Another build is running in the same home."""


class FetchError(AppError, OSError):
    """A file can't be downloaded, or isn't what it should be."""


class WorkersError(AppError, OSError):
    """The processes or the cluster that a build runs on are lost again and again, or can't be reached."""


class PortError(AppError, OSError):
    """The address for a server is taken, or not allowed."""


class HttpError(AppError):
    """A request that can't be answered: its HTTP status, what to tell the client, and headers that go with it."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, dict(headers or {})
