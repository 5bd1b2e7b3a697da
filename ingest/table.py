"""Reader of rulings in a table: CSV with a header, columns told by comma, semicolon or tab."""

import csv
from collections.abc import Iterator
from typing import BinaryIO

from rulings.ingest.fields import BadRecordError
from rulings.ingest.lines import numbered_lines
from rulings.ingest.own import ruling
from rulings.ingest.reader import Head
from rulings.ingest.records import Place, Record, Report, Ruling

_COLUMNS = frozenset({"card", "oracle_id", "published", "text", "source", "face"})
_NEEDED = frozenset({"published", "text"})


class TableReader:
    """Reads rows of rulings: columns card or oracle_id, published and text, and source and face where there are."""

    kind = "CSV of rulings"

    def matches(self, head: Head) -> bool:
        """Whether the first line is a header with the columns that are needed."""
        return _delimiter(_first_line(head.text)) is not None

    def read(self, stream: BinaryIO, place: Place, report: Report) -> Iterator[tuple[Record, Place]]:
        """Yield a ruling for each row; see `Reader.read`."""
        lines = _Lines(numbered_lines(stream, place))
        header = next((line for line in lines if line.strip("\ufeff \t\n")), "")
        delimiter = _delimiter(header) or ","
        columns = _names(header, delimiter)
        rows = csv.reader(lines, delimiter=delimiter, strict=True)
        while True:
            at = Place(place.file, f"line {lines.number + 1}")
            try:
                row = next(rows, None)
                made = _ruling(row, columns) if row else None
            except csv.Error as error:
                report.problem(at, f"a malformed row ({error}); check its quotes")
            except BadRecordError as error:
                report.problem(at, str(error))
            else:
                if row is None:
                    return
                if made:
                    yield made, at


class _Lines:
    """Lines with the number of the one that was taken last: a row may go over several."""

    def __init__(self, numbered: Iterator[tuple[int, str]]) -> None:
        self._numbered = numbered
        self.number = 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        self.number, line = next(self._numbered)
        return f"{line}\n"


def _ruling(row: list[str], columns: list[str]) -> Ruling | None:
    if not any(cell.strip() for cell in row):
        return None
    if len(row) > len(columns):
        raise BadRecordError(f"{len(row)} cells under {len(columns)} columns; put quotes around the text")
    return ruling({name: cell for name, cell in zip(columns, row, strict=False) if name in _COLUMNS})


def _first_line(text: str) -> str:
    return next((line for line in text.lstrip("\ufeff").splitlines()[:10] if line.strip()), "")


def _delimiter(header: str) -> str | None:
    for delimiter in (",", ";", "\t"):
        names = set(_names(header, delimiter))
        if names >= _NEEDED and names & {"card", "oracle_id"}:
            return delimiter
    return None


def _names(header: str, delimiter: str) -> list[str]:
    cells = header.lstrip("\ufeff").split(delimiter)
    return [cell.strip().strip('"').strip().casefold() for cell in cells]
