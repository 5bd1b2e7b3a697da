"""Errors of reading sources.

::

    RulingsError
    ├── IngestError (also ValueError)
    │   ├── SourceError        a file that can't be read as what it claims to be
    │   ├── UnknownKindError   a file of no known kind
    │   └── LimitError         a file over a limit of size or depth
    └── ArchiveError (also OSError)  the records of a generation can't be read or written

Each message names the file, the place in it and the remedy.
"""


class RulingsError(Exception):
    """The root of every error that this project raises on purpose."""


class IngestError(RulingsError, ValueError):
    """A source could not be taken in."""


class SourceError(IngestError):
    """A file is cut short, corrupt, empty or not what its head says."""


class UnknownKindError(IngestError):
    """No reader knows this file."""


class LimitError(IngestError):
    """A file is over a limit (unpacked size, line length, nesting)."""


class ArchiveError(RulingsError, OSError):
    """The file of records could not be opened, read or written."""
