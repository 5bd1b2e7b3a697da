"""What every reader of a source offers, and the head of a file by which its kind is found."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import BinaryIO, Protocol

from rulings.ingest.records import Place, Record, Report

HEAD_BYTES = 65_536
"""How much of a file a reader may look at to tell its kind, in bytes."""

_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def encoding_by_bom(data: bytes) -> str | None:
    """The encoding that a byte order mark at the start of ``data`` tells, None where there is no mark."""
    return next((name for mark, name in _BOMS if data.startswith(mark)), None)


@dataclass(frozen=True)
class Head:
    """The start of a source, unpacked: its first `HEAD_BYTES` bytes (fewer where it is shorter) and its name.

    ``name`` is the file's or member's own name, without folders; kinds are found from the content, so it only helps
    to word a message.
    """

    data: bytes
    name: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether the source ends within the head."""
        return len(self.data) < HEAD_BYTES

    @cached_property
    def text(self) -> str:
        """The head as text: by its byte order mark, else UTF-8, else cp1252; what can't be decoded is replaced."""
        encoding = encoding_by_bom(self.data)
        if encoding:
            return self.data.decode(encoding, errors="replace")
        try:
            # A head may end within a character: an incremental decoder waits for the rest of it.
            return codecs.getincrementaldecoder("utf-8")().decode(self.data)
        except UnicodeDecodeError:
            return self.data.decode("cp1252", errors="replace")


class Reader(Protocol):
    """Reads one kind of source.

    A reader holds no state between
    files. What a caller tells about a file (``--card NAME``) is given to the reader when it is made.
    """

    @property
    def kind(self) -> str:
        """What it reads, in words for a message."""
        ...

    def matches(self, head: Head) -> bool:
        """Whether the content is of this kind. Must not raise, whatever the bytes."""
        ...

    def read(self, stream: BinaryIO, place: Place, report: Report) -> Iterator[tuple[Record, Place]]:
        """Yield the records with their places, in the order of the file.

        Args:
            stream: the unpacked bytes from the start; reads from it may raise `IngestError` (a corrupt archive).
            place: the file, without a position.
            report: takes the problems of records that are passed over, and notes.

        Raises:
            SourceError: the file is cut short or not what its head says; what was yielded before stands.
            LimitError: a line, a record or the nesting is over the limit.
        """
        ...
