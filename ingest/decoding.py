"""Decoding of text files as people have them: encodings found out from the bytes, lines ended in any way."""

import codecs
import re
from itertools import pairwise
from typing import BinaryIO

from rulings.ingest.errors import LimitError, SourceError
from rulings.ingest.reader import encoding_by_bom
from rulings.ingest.records import Place

MAX_TEXT_BYTES = 32 * 1024 * 1024
"""The most bytes that a text source read as a whole may have; a rules book has about one million."""

# Some files hold U+2028 or a vertical tab, which Word writes, in the middle of a paragraph.
_LINE_END = re.compile("\r\n|[\r\n\v\f\u2028\u2029]")
_SENTENCE_END = re.compile(r"[.!?:…][\"“”’'»)\]*_]*$")
_MAC_QUOTES = re.compile(rb"[\xd2-\xd5]")
_WINDOWS_QUOTES = re.compile(rb"[\x91-\x97]")


def _single_byte(error: UnicodeError) -> tuple[str, int]:
    """Read the bytes that aren't UTF-8 as cp1252, so that one stray byte doesn't garble the rest."""
    assert isinstance(error, UnicodeDecodeError)
    bad = error.object[error.start : error.end]
    return "".join(bytes([b]).decode("cp1252", errors="replace") for b in bad), error.end


codecs.register_error("rulings-cp1252", _single_byte)


def decode(data: bytes) -> str:
    """Decode a text.

    By its byte order mark; else as UTF-16 if it has zero bytes as that has, as UTF-8, or as cp1252 or Mac Roman.
    Never raises: what can't be decoded becomes U+FFFD.
    """
    encoding = encoding_by_bom(data) or _utf16_without_mark(data)
    if encoding:
        return data.decode(encoding, errors="replace").lstrip("\ufeff")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        # Old Macintosh files have bare CR line ends and their own quotes.
        mac = b"\n" not in data and len(_MAC_QUOTES.findall(data)) > len(_WINDOWS_QUOTES.findall(data))
        return data.decode("mac_roman") if mac else data.decode("utf-8", errors="rulings-cp1252")


def _utf16_without_mark(data: bytes) -> str | None:
    start = data[:4096]
    if len(start) < 4:
        return None
    even, odd = start[::2].count(0), start[1::2].count(0)
    # Western text in UTF-16 has a zero in nearly every other byte, always on the same side.
    if max(even, odd) < len(start) // 2 * 0.6 or min(even, odd) > len(start) // 2 * 0.2:
        return None
    return "utf-16-be" if even > odd else "utf-16-le"


def lines(text: str) -> list[str]:
    """Split into lines at CRLF, LF, CR or a mix of them, without the ends."""
    return _LINE_END.split(text)


def joined(parts: list[str]) -> str:
    """Join the lines of a text: one after a full sentence is a paragraph, any other the rest of a wrapped line."""
    glued = parts[:1]
    for before, line in pairwise(parts):
        glued += ("\n" if _SENTENCE_END.search(before) else " ", line)
    return "".join(glued)


def read_text(stream: BinaryIO, place: Place) -> str:
    """Read and decode a whole text.

    Raises:
        LimitError: it has more than `MAX_TEXT_BYTES`.
        SourceError: it has nothing but white space.
    """
    data = stream.read(MAX_TEXT_BYTES + 1)
    if len(data) > MAX_TEXT_BYTES:
        raise LimitError(
            f"{place}: a text of more than {MAX_TEXT_BYTES >> 20} MiB; split it or check that it is the right file"
        )
    text = decode(data)
    if not text.strip():
        raise SourceError(f"{place}: the file is empty; get it again or leave it out")
    return text
