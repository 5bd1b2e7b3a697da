"""The outline of a JSON document's first part: which names it has, and what stands at them."""

import contextlib
from dataclasses import dataclass, field
from io import BytesIO

from rulings.ingest.errors import IngestError
from rulings.ingest.json_stream import JsonStream
from rulings.ingest.reader import Head
from rulings.ingest.records import Place

_DEPTH = 5
_ITEM = "[]"

Path = tuple[str, ...]


@dataclass(frozen=True)
class Outline:
    """What the head of a JSON document shows.

    ``signs`` has the first character of each value by its path; an array's first item has the name ``[]``.
    ``texts`` has the short text values.
    """

    signs: dict[Path, str] = field(default_factory=dict)
    texts: dict[Path, str] = field(default_factory=dict)

    def names(self, path: Path) -> list[str]:
        """The names directly below a path, in order."""
        return [p[-1] for p in self.signs if len(p) == len(path) + 1 and p[:-1] == path]


def outline(head: Head) -> Outline:
    """Outline the head of a document; what lies behind its end, or behind the first fault, is not in it."""
    made = Outline()
    if head.text.lstrip("\ufeff \t\r\n")[:1] in ("{", "["):
        with contextlib.suppress(IngestError):
            _look(JsonStream(BytesIO(head.data), Place("")), (), made)
    return made


def _look(walk: JsonStream, path: Path, made: Outline) -> None:
    sign = walk.peek()
    made.signs.setdefault(path, sign)
    if sign == '"':
        made.texts.setdefault(path, str(walk.value())[:100])
    elif sign == "{" and len(path) < _DEPTH:
        for key in walk.names():
            _look(walk, (*path, key), made)
    elif sign == "[" and len(path) < _DEPTH:
        for number in walk.items():
            if number == 1:
                _look(walk, (*path, _ITEM), made)
            else:
                walk.skip()
    else:
        walk.skip()
