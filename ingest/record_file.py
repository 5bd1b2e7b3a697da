"""A SQLite file of records, written once and opened read-only: the base of the archive and of the links beside it."""

import sqlite3
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Any, ClassVar, Self

from rulings.ingest.errors import ArchiveError


def write_file(
    path: Path,
    tables: str,
    indexes: str,
    fill: Callable[[sqlite3.Connection], None],
    *,
    what: str,
    error: type[OSError],
) -> None:
    """Write a new file: its tables, what ``fill`` puts in, then the indexes. The same input gives the same bytes.

    Raises:
        OSError: (of the kind ``error``) the file is there already or can't be written.
    """
    if path.exists():
        raise error(f"{path}: the {what} are there already; write to a new file")
    try:
        with sqlite3.connect(path, isolation_level=None) as db:
            db.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + tables)
            db.execute("BEGIN")
            fill(db)
            db.execute("COMMIT")
            db.executescript(indexes)
        db.close()
    except sqlite3.Error as cause:
        raise error(f"{path}: the {what} could not be written ({cause}); is there room on the disk?") from cause


class RecordFile:
    """A read-only SQLite file; safe to share between threads.

    A class below says what the file holds (``_what``), a table that it must have (``_table``) and the error to raise.
    """

    _what: ClassVar[str] = "records"
    _table: ClassVar[str]
    _error: ClassVar[type[OSError]] = ArchiveError

    def __init__(self, path: Path) -> None:
        """Open the file at ``path``.

        Raises:
            ArchiveError: (or the error of the class below) it is not there or is no such file.
        """
        self.path = path
        if not path.is_file():
            raise self._error(f"{path}: no {self._what} there; run `rulings build`")
        self._db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
        try:
            self._all(f"SELECT n FROM {self._table} LIMIT 1")  # noqa: S608 - a name of our own
        except self._error:
            self._db.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _all(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise self._error(
                f"{self.path}: not a whole file of {self._what} ({error}); run `rulings build`"
            ) from error

    def _one(self, query: str, *values: object) -> bytes | None:
        rows = self._all(query, *values)
        return rows[0][0] if rows else None

    def records(self, table: str, key: str) -> dict[str, bytes]:
        """The records of a whole table as they are written, by a column that tells each."""
        return dict(self._all(f"SELECT {key}, record FROM {table} ORDER BY {key}"))  # noqa: S608 - names of our own

    def same_table(self, other: Self, table: str) -> bool:
        """Whether a table of another file holds the same rows, in the same order."""
        query = f"SELECT * FROM {table} ORDER BY rowid"  # noqa: S608 - a name of our own
        try:
            return all(a == b for a, b in zip_longest(self._db.execute(query), other._db.execute(query)))
        except sqlite3.Error as error:
            raise self._error(
                f"{self.path}: not a whole file of {self._what} ({error}); run `rulings build`"
            ) from error
