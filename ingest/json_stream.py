"""A walk through a JSON document of any size that holds one record at a time."""

import codecs
import json
import re
from collections.abc import Iterator
from typing import BinaryIO

from rulings.ingest.errors import LimitError, SourceError
from rulings.ingest.fields import BadRecordError
from rulings.ingest.limits import DEPTH, RECORD_CHARS
from rulings.ingest.reader import encoding_by_bom
from rulings.ingest.records import Place

_CHUNK = 2**18
_SPACES = re.compile(r"[ \t\r\n]*")
_SIGN = re.compile(r'["{}\[\]]')
_STRING_END = re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_SCALAR = re.compile(r"[^ \t\r\n,\]}]*")
# An error this near to the end of what was read may only mean that the rest isn't there yet (the longest token but a
# string is a number).
_NEAR_END = 400


def _constant(name: str) -> object:
    raise BadRecordError(f"{name} is no JSON value")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadRecordError(f"field {twice[:40]!r} is there twice")
    return made


_DECODER = json.JSONDecoder(parse_constant=_constant, object_pairs_hook=_object)


def parse(text: str) -> object:
    """The value of one short JSON document.

    Raises:
        BadRecordError: it is malformed, nested too deeply, or has NaN or a field twice.
    """
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise BadRecordError("nested too deeply") from None
    except BadRecordError:
        raise
    except ValueError as error:
        raise BadRecordError(_reason(error)) from None


def _reason(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"malformed JSON: {error.msg.removesuffix(' at')} at character {error.pos + 1}"
    return str(error) if isinstance(error, BadRecordError) else "a number of too many digits"


class JsonStream:
    """Walks a JSON document: `names` and `items` go into an object or array, `value` and `skip` take the next value.

    Within a loop over `names` or `items` each step must take its value by exactly one of the four. Nothing but the
    value that is taken is held in memory.

    Raises:
        BadRecordError: by `value`, for a malformed value; the walk goes on behind it.
        SourceError: the document ends early, or its outer structure is broken.
        LimitError: a value or string is over `RECORD_CHARS`, or nesting over `DEPTH`.
    """

    def __init__(self, stream: BinaryIO, place: Place) -> None:
        self._stream = stream
        self._place = place
        start = stream.read(_CHUNK)
        encoding = encoding_by_bom(start) or "utf-8"
        errors = "surrogateescape" if encoding.startswith("utf-8") else "replace"
        self._decode = codecs.getincrementaldecoder(encoding)(errors=errors).decode
        self._text = self._decode(start, final=not start)
        self._pos = 0
        self._ended = not start
        self._resynced = False
        self.position = ""

    def peek(self) -> str:
        """The first character of the next value or sign, "" at the end of the document."""
        while True:
            found = _SPACES.match(self._text, self._pos)
            self._pos = found.end() if found else self._pos
            if self._pos < len(self._text):
                return self._text[self._pos]
            if not self._more():
                return ""

    def names(self) -> Iterator[str]:
        """Go into an object: each key in turn, with the walk standing at its value."""
        self._expect("{")
        if self.peek() == "}":
            self._pos += 1
            return
        while True:
            if self.peek() != '"':
                raise self._broken("a name in quotes")
            try:
                key = self.value()
            except BadRecordError as error:
                raise SourceError(f"{self._here()}: {error}; mend or fetch the file again") from None
            self._expect(":")
            self.peek()
            yield str(key)
            if self._closed("}"):
                return

    def items(self) -> Iterator[int]:
        """Go into an array: the number of each item from 1, with the walk standing at it."""
        self._expect("[")
        if self.peek() == "]":
            self._pos += 1
            return
        number = 0
        while True:
            number += 1
            self.peek()
            yield number
            if self._closed("]"):
                return

    def value(self) -> object:
        """Take the next value whole."""
        self.peek()
        wanted = _CHUNK
        while True:
            try:
                made, end = _DECODER.raw_decode(self._text, self._pos)
            except json.JSONDecodeError as error:
                near_end = error.pos > len(self._text) - _NEAR_END or error.msg.startswith("Unterminated string")
                if not near_end or self._ended:
                    return self._malformed(error)
            except RecursionError:
                raise LimitError(f"{self._here()}: nested too deeply; remove that record") from None
            except ValueError as error:
                return self._malformed(error)
            else:
                # A number may go on where the text that was read so far ends.
                if self._ended or self._text[end - 1] in '"}]' or end < len(self._text) - _NEAR_END:
                    self._pos = end
                    return made
            if len(self._text) - self._pos > RECORD_CHARS:
                raise LimitError(f"{self._here()}: a record of over {RECORD_CHARS:,} characters; remove or split it")
            self._more(wanted)
            # Twice as much each time, so that a long value is not parsed again and again for every chunk.
            wanted *= 2

    def skip(self) -> None:
        """Pass over the next value, however long, without keeping it."""
        if self.peek() not in tuple('{["'):
            self._skip_scalar()
            return
        depth = 0
        while True:
            sign = self._next_sign()
            if sign == '"':
                self._skip_string()
            else:
                depth += 1 if sign in "{[" else -1
            if depth == 0:
                return
            if depth > DEPTH:
                raise LimitError(f"{self._here()}: nested over {DEPTH} levels deep; remove that record")

    def _skip_scalar(self) -> None:
        taken = 0
        while True:
            found = _SCALAR.match(self._text, self._pos)
            end = found.end() if found else self._pos
            taken += end - self._pos
            self._pos = end
            if taken > RECORD_CHARS:
                raise LimitError(f"{self._here()}: a value of over {RECORD_CHARS:,} characters; remove it")
            if end < len(self._text) or not self._more():
                break
        if taken == 0:
            raise self._broken("a value")

    def _next_sign(self) -> str:
        while True:
            found = _SIGN.search(self._text, self._pos)
            if found:
                self._pos = found.end()
                return found[0]
            self._pos = len(self._text)
            if not self._more():
                raise self._cut_short()

    def _skip_string(self) -> None:
        while True:
            found = _STRING_END.match(self._text, self._pos)
            if found:
                self._pos = found.end()
                return
            if len(self._text) - self._pos > RECORD_CHARS:
                raise LimitError(f"{self._here()}: a string of over {RECORD_CHARS:,} characters; remove it")
            if not self._more(max(_CHUNK, len(self._text) - self._pos)):
                raise self._cut_short()

    def _malformed(self, error: ValueError) -> object:
        """Pass over a malformed value, then raise why it was one; at the end of the document it counts as cut short."""
        if not self._resync():
            self.skip()
        raise BadRecordError(
            f"malformed JSON: {error.msg.removesuffix(' at')}"
            if isinstance(error, json.JSONDecodeError)
            else _reason(error)
        )

    def _resync(self) -> bool:
        """Find the next record where each begins on a line of its own with the same indent, as bulk files have it."""
        start = self._text.rfind("\n", 0, self._pos) + 1
        indent = self._text[start : self._pos]
        if self._text[self._pos : self._pos + 1] != "{" or (start == 0 and indent) or indent.strip():
            return False
        next_line = re.compile(rf"(,?)[ \t\r]*\n(?:{re.escape(indent)}(?=\{{)|[ \t]{{0,{len(indent)}}}(?=\]))")
        while True:
            found = next_line.search(self._text, self._pos)
            if found:
                self._pos = found.start()
                self._resynced = True
                return True
            if len(self._text) - self._pos > RECORD_CHARS // 4 or not self._more():
                return False

    def _closed(self, end: str) -> bool:
        sign = self.peek()
        resynced, self._resynced = self._resynced, False
        if resynced and sign == "{":
            # The malformed record took its comma with it.
            return False
        if sign not in (",", end):
            raise self._broken(f"',' or {end!r}")
        self._pos += 1
        return sign == end

    def _expect(self, sign: str) -> None:
        if self.peek() != sign:
            raise self._broken(repr(sign))
        self._pos += 1

    def _more(self, size: int = _CHUNK) -> bool:
        """Read on; what lies before the walk's place is dropped. False at the end."""
        if self._ended:
            return False
        data = self._stream.read(size)
        self._ended = not data
        # The line's start is kept, for `_resync`.
        keep = max(self._text.rfind("\n", 0, self._pos), self._pos - 200, 0)
        self._text = self._text[keep:] + self._decode(data, final=self._ended)
        self._pos -= keep
        return True

    def _broken(self, wanted: str) -> SourceError:
        found = self.peek()
        if not found:
            return self._cut_short()
        return SourceError(f"{self._here()}: {found!r} where {wanted} should stand; mend or fetch the file again")

    def _cut_short(self) -> SourceError:
        return SourceError(f"{self._here()}: the file ends early; fetch it again")

    def _here(self) -> Place:
        return Place(self._place.file, self.position)
