"""What commands print: data to stdout, notes and progress to stderr, tables fitted to the terminal."""

import os
import shutil
import sys
import textwrap
import time
import unicodedata
from collections.abc import Sequence

from rulings.ingest.addresses import without_secrets


def note(text: str) -> None:
    """Tell the user something on stderr, on one line, in which no server's words steer the terminal."""
    print(printable(without_secrets(" ".join(text.split()))), file=sys.stderr, flush=True)


def say(text: str) -> None:
    """Write data to stdout."""
    sys.stdout.write(text + "\n")


def printable(text: str) -> str:
    """Text without control characters, so that no source can steer the terminal."""
    return "".join(c if c in "\n\t" or unicodedata.category(c) != "Cc" else "\ufffd" for c in text)


def width() -> int:
    """Columns of the terminal, at most 110 for reading."""
    return min(shutil.get_terminal_size((100, 24)).columns, 110)


def wrapped(text: str, indent: str = "") -> str:
    """Text broken at words to the terminal's width, every line after ``indent``."""
    lines = printable(text).split("\n")
    return "\n".join(textwrap.fill(line, width(), initial_indent=indent, subsequent_indent=indent) for line in lines)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows as aligned columns under their heads; the widest column gives way where the terminal is too narrow."""
    cells = [[" ".join(printable(cell).split()) for cell in row] for row in rows]
    widths = [
        max(len(head), *(len(row[n]) for row in cells), 1) if cells else len(head) for n, head in enumerate(heads)
    ]
    if sys.stdout.isatty():
        room = shutil.get_terminal_size((100, 24)).columns - 2 * (len(widths) - 1)
        while sum(widths) > room and max(widths) > 12:
            widths[widths.index(max(widths))] -= 1

    def line(row: Sequence[str]) -> str:
        fitted = (cell if len(cell) <= w else cell[: w - 1] + "…" for cell, w in zip(row, widths, strict=True))
        return "  ".join(cell.ljust(w) for cell, w in zip(fitted, widths, strict=True)).rstrip()

    return "\n".join([line(heads), line(["-" * w for w in widths]), *map(line, cells)])


class Progress:
    """A one-line progress bar on stderr, drawn only on a terminal and at most ten times a second."""

    def __init__(self, label: str, total: int | None = None) -> None:
        self.label, self.total, self.done = label, total, 0
        self._shown = 0.0
        self._on = sys.stderr.isatty() and "NO_PROGRESS" not in os.environ

    def __call__(self, by: int = 1) -> None:
        """Move on by some steps."""
        self.done += by
        now = time.monotonic()
        if self._on and now - self._shown > 0.1:
            self._shown = now
            share = f" {100 * self.done // self.total:3d} %" if self.total else ""
            sys.stderr.write(f"\r\033[K{self.label}{share} {self.done:,}")
            sys.stderr.flush()

    def close(self) -> None:
        """Take the bar away."""
        if self._on and self._shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
