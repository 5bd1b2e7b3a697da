"""Numbered lines of a text source, in the encoding that its byte order mark tells, each under the limit of length."""

import io
from collections.abc import Iterator
from typing import BinaryIO

from rulings.ingest.errors import LimitError
from rulings.ingest.limits import LINE_CHARS
from rulings.ingest.reader import encoding_by_bom
from rulings.ingest.records import Place

_LONGEST_BOM = 4


def numbered_lines(stream: BinaryIO, place: Place) -> Iterator[tuple[int, str]]:
    """Yield each line with its number from 1, without its end; lines end in LF, CRLF or CR.

    Broken bytes come as single surrogates, which `fields.text` refuses, so that one bad line costs no more than itself.

    Raises:
        LimitError: a line is longer than `LINE_CHARS`; it is not read whole.
    """
    start = stream.read(_LONGEST_BOM)
    encoding = encoding_by_bom(start) or "utf-8"
    errors = "surrogateescape" if encoding.startswith("utf-8") else "replace"
    rest = io.BufferedReader(_Prefixed(start, stream), 2**17)
    decoded = io.TextIOWrapper(rest, encoding, errors, newline=None)
    number = 0
    while line := decoded.readline(LINE_CHARS + 1):
        number += 1
        if len(line) > LINE_CHARS:
            raise LimitError(f"{place}, line {number}: a line of over {LINE_CHARS:,} characters; split or remove it")
        yield number, line.removesuffix("\n")


class _Prefixed(io.RawIOBase):
    def __init__(self, prefix: bytes, stream: BinaryIO) -> None:
        self._prefix, self._stream = prefix, stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._prefix[: len(buffer)] or self._stream.read(len(buffer))
        self._prefix = self._prefix[len(data) :]
        buffer[: len(data)] = data
        return len(data)
