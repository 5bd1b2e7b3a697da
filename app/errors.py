"""Errors of the command line and the servers.

RulingsError (ingest)
└── AppError
    ├── UsageError (also ValueError)   what was asked for can't be
    ├── FaultyError                    a generation that `check` found faults in
    └── BusyError (also OSError)       another build holds the home
"""

from rulings.ingest import RulingsError


class AppError(RulingsError):
    """The root of the errors of the commands."""


class UsageError(AppError, ValueError):
    """The command's words are off."""


class FaultyError(AppError):
    """The generation in use is damaged, or its graph isn't valid."""


class BusyError(AppError, OSError):
    """Another build is running in the same home."""
