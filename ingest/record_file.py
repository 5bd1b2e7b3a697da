"""SQLite files of records, written once and opened read-only: the base of the archive and of the links beside it.

What depends on cards and rules alone is in a file of its own (`of_cards`), which a generation with the same cards takes
over from the one before.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

from rulings.ingest.errors import ArchiveError
from rulings.ingest.second_name import second_name


def of_cards(path: Path) -> Path:
    """The file with what depends on cards and rules alone, beside the file of records at ``path``."""
    return path.with_name(f"{path.stem}-cards{path.suffix}")


class Tables(NamedTuple):
    """What a file is made of: statements that make its tables, what fills them, and what makes their indexes."""

    schema: str
    fill: Callable[[sqlite3.Connection], None]
    indexes: str


def write_files(
    path: Path, tables: Tables, cards: Tables, former: Path | None, *, what: str, error: type[OSError]
) -> None:
    """Write a new file and, with ``cards``, the one beside it (`of_cards`). The same input gives the same bytes.

    ``former`` is another such file whose one beside it is the same: it is taken over.

    Raises:
        OSError: (of the kind ``error``) a file is there already or can't be written.
    """
    _write(path, tables, what, error)
    if former is None:
        _write(of_cards(path), cards, f"{what} of cards", error)
        return
    try:
        second_name(of_cards(former), of_cards(path))
    except OSError as cause:
        raise error(f"{of_cards(former)}: can't be taken over ({cause.strerror}); build with `--anew`") from cause


def _write(path: Path, tables: Tables, what: str, error: type[OSError]) -> None:
    if path.exists():
        raise error(f"{path}: the {what} are there already; write to a new file")
    try:
        with sqlite3.connect(path, isolation_level=None) as db:
            db.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + tables.schema)
            db.execute("BEGIN")
            tables.fill(db)
            db.execute("COMMIT")
            db.executescript(tables.indexes)
        db.close()
    except sqlite3.Error as cause:
        raise error(f"{path}: the {what} could not be written ({cause}); is there room on the disk?") from cause


def _unchanging(path: Path) -> str:
    return f"{path.absolute().as_uri()}?mode=ro&immutable=1"


class RecordFile:
    """A read-only SQLite file and the one beside it (`of_cards`); safe to share between threads.

    A class below says what the files hold (``_what``), a table that each must have (``_table``, ``_cards_table``) and
    the error to raise.
    """

    _what: ClassVar[str] = "records"
    _table: ClassVar[str]
    _cards_table: ClassVar[str]
    _error: ClassVar[type[OSError]] = ArchiveError

    def __init__(self, path: Path) -> None:
        """Open the file at ``path``.

        Raises:
            ArchiveError: (or the error of the class below) it is not there or is no such file.
        """
        self.path = path
        if not path.is_file():
            raise self._error(f"{path}: no {self._what} there; run `rulings build`")
        cards = of_cards(path)
        if not cards.is_file():
            raise self._error(f"{cards}: not there, and {path.name} is only a part without it; run `rulings build`")
        self._db = sqlite3.connect(_unchanging(path), uri=True, check_same_thread=False)
        try:
            self._all(f"SELECT n FROM {self._table} LIMIT 1")  # noqa: S608 - a name of our own
            self._db.execute("ATTACH ? AS cards", (_unchanging(cards),))
            self._db.execute(f"SELECT rowid FROM cards.{self._cards_table} LIMIT 1")  # noqa: S608 - a name of our own
        except sqlite3.Error as error:
            self._db.close()
            raise self._broken(cards, error) from error
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
            raise self._broken(self.path, error) from error

    def _broken(self, path: Path, why: sqlite3.Error) -> OSError:
        return self._error(f"{path}: not a whole file of {self._what} ({why}); run `rulings build`")

    def _one(self, query: str, *values: object) -> bytes | None:
        rows = self._all(query, *values)
        return rows[0][0] if rows else None

    def records(self, table: str, key: str) -> dict[str, bytes]:
        """The records of a whole table as they are written, by a column that tells each."""
        return dict(self._all(f"SELECT {key}, record FROM {table} ORDER BY {key}"))  # noqa: S608 - names of our own
