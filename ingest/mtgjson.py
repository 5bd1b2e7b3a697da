"""Reader of MTGJSON, versions 3 to 5: set files, all sets in one file, cards by name, decks."""

from collections.abc import Iterator
from typing import BinaryIO, Literal

from rulings.ingest.errors import SourceError
from rulings.ingest.fields import BadRecordError, fields, needed
from rulings.ingest.json_stream import JsonStream
from rulings.ingest.mtgjson_cards import CardFaces, full_name
from rulings.ingest.outline import Outline, Path, outline
from rulings.ingest.reader import Head
from rulings.ingest.records import Place, Record, Report

_CARD_ARRAYS = ("cards", "tokens", "commander", "displayCommander", "mainBoard", "sideBoard", "planes", "schemes")
_SET_NAMES = frozenset(("baseSetSize", "booster", "boosterV3", "releaseDate", "border", "mainBoard"))
_CARD_NAMES = frozenset(("colorIdentity", "convertedManaCost", "manaValue", "manaCost", "cmc", "types", "layout"))

Shape = Literal["set", "sets", "cards by name", "faces by name", "other"]


class MtgjsonReader:
    """Reads sets, ``AllPrintings`` (``AllSets``), ``AtomicCards`` (``AllCards``), ``AllIdentifiers`` and decks."""

    kind = "MTGJSON sets or cards (JSON)"

    def matches(self, head: Head) -> bool:
        """Whether it is an object with the names of a set, of cards, or of MTGJSON's ``meta``."""
        return _shape(outline(head)) is not None

    def read(self, stream: BinaryIO, place: Place, report: Report) -> Iterator[tuple[Record, Place]]:
        """Yield cards, foreign printings and rulings; see `Reader.read`."""
        buffered = _Rewindable(stream)
        found = outline(Head(buffered.head))
        shape = _shape(found)
        walk = JsonStream(buffered, place)  # type: ignore[arg-type]
        taker = _Taker(place, report, walk)
        if shape == "other" or shape is None:
            report.note(place, "passed over: MTGJSON without cards (prices, lists or names); add AllPrintings or a set")
            return
        inside = found.signs.get(("data",)) == "{"
        for name in walk.names():
            if inside and name == "data":
                yield from taker.document(shape)
            elif inside or name == "meta":
                walk.skip()
            else:
                yield from taker.entry(shape, name)
        yield from taker.finish()
        if walk.peek():
            raise SourceError(f"{place}: more text behind the end of the JSON; mend or fetch the file again")


class _Rewindable:
    """A stream whose head was looked at once more."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.head = stream.read(65_536)
        self._prefix = self.head

    def read(self, size: int) -> bytes:
        data, self._prefix = self._prefix, b""
        return data or self._stream.read(size)


class _Taker:
    """Makes records of one file's cards."""

    def __init__(self, place: Place, report: Report, walk: JsonStream) -> None:
        self._place, self._report, self._walk = place, report, walk
        self._faces = CardFaces()

    def document(self, shape: Shape) -> Iterator[tuple[Record, Place]]:
        for name in self._walk.names():
            yield from self.entry(shape, name)

    def entry(self, shape: Shape, name: str) -> Iterator[tuple[Record, Place]]:
        """Take the value at a name of the set, or at a set's or card's name."""
        walk, sign = self._walk, self._walk.peek()
        if shape == "set":
            yield from self._in_set("", name)
        elif shape == "sets" and sign == "{":
            for inner in walk.names():
                yield from self._in_set(f"set {name[:20]}, ", inner)
            yield from self.finish()
        elif shape == "faces by name" and sign == "[":
            yield from self._cards(f"{name[:60]!r}, ", token=False)
            yield from self.finish()
        elif shape == "cards by name" and sign == "{":
            walk.position = f"card {name[:60]!r}"
            self._take(token=False)
            yield from self._faces.ready()
        else:
            walk.skip()

    def _in_set(self, where: str, name: str) -> Iterator[tuple[Record, Place]]:
        if name in _CARD_ARRAYS and self._walk.peek() == "[":
            yield from self._cards(f"{where}{name}, ", token=name == "tokens")
        else:
            self._walk.position = f"{where}{name[:40]}"
            self._walk.skip()

    def _cards(self, where: str, *, token: bool) -> Iterator[tuple[Record, Place]]:
        for number in self._walk.items():
            self._walk.position = f"{where}item {number}"
            self._take(token=token)
            yield from self._faces.ready()

    def _take(self, *, token: bool) -> None:
        place = Place(self._place.file, self._walk.position)
        try:
            item = fields(self._walk.value())
            layout = str(item.get("layout") or "normal")
            if layout == "art_series":
                self._report.count("art_series passed over")
                return
            kind = str(item.get("type") or "")
            if token and layout == "normal" and "Dungeon" not in kind:
                layout = "token"
            self._faces.add(item, full_name(item, needed(item, "name")), layout, place, self._report)
        except BadRecordError as error:
            self._report.problem(place, str(error))

    def finish(self) -> Iterator[tuple[Record, Place]]:
        """Give the cards that waited for further faces."""
        yield from self._faces.finish()


def _shape(found: Outline) -> Shape | None:
    base: Path = ("data",) if found.signs.get(("data",)) == "{" else ()
    if found.signs.get(base) != "{":
        return None
    if _is_set(found, base):
        return "set"
    for name in found.names(base):
        path = (*base, name)
        if name == "meta" and not base:
            continue
        if _is_card(found, path):
            return "cards by name"
        if _is_card(found, (*path, "[]")):
            return "faces by name"
        if _is_set(found, path):
            return "sets"
    return "other" if base and found.signs.get(("meta", "date")) and found.signs.get(("meta", "version")) else None


def _is_set(found: Outline, path: Path) -> bool:
    """Whether the object at a path has names that only sets have, or cards in an array (one may be all there is)."""
    return bool(_SET_NAMES & set(found.names(path))) or any(
        _is_card(found, (*path, n, "[]")) for n in ("cards", "tokens")
    )


def _is_card(found: Outline, path: Path) -> bool:
    return found.signs.get(path) == "{" and len(_CARD_NAMES & set(found.names(path))) > 1
