"""Reader of Scryfall: bulk files of cards, printings and rulings, and what its API answers."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, BinaryIO

from rulings.ingest.errors import SourceError
from rulings.ingest.fields import BadRecordError, Fields, day, fields, needed, optional, parts, text, texts
from rulings.ingest.json_stream import JsonStream
from rulings.ingest.merge_cards import whole
from rulings.ingest.outline import outline
from rulings.ingest.reader import Head
from rulings.ingest.records import Card, Face, Place, Printing, Record, Report, Ruling
from rulings.ingest.repeats import Repeats

_IN_ARRAY = re.compile(r'"object"\s*:\s*"(?:card|ruling|set|symbol|bulk_data)"|"oracle_id"\s*:')
_EMPTY = re.compile(r"\[\s*\]\s*")
_OBJECTS = frozenset(("list", "card", "ruling", "catalog", "error", "set", "card_symbol", "bulk_data", "mana_cost"))
_MOST_FIELDS = 1000
_NO_CARDS = frozenset({"art_series"})


class ScryfallReader:
    """Reads ``oracle_cards``, ``default_cards``, ``all_cards``, ``rulings``, and the API's lists and single objects."""

    kind = "Scryfall cards or rulings (JSON)"

    def matches(self, head: Head) -> bool:
        """Whether it is an array of Scryfall's objects (or an empty one), or an object that says which it is."""
        start = head.text.lstrip("\ufeff \t\r\n")
        if start.startswith("["):
            return bool(_IN_ARRAY.search(start) or _EMPTY.fullmatch(start))
        return start.startswith("{") and outline(head).texts.get(("object",)) in _OBJECTS

    def read(self, stream: BinaryIO, place: Place, report: Report) -> Iterator[tuple[Record, Place]]:
        """Yield cards, printings and rulings; see `Reader.read`."""
        walk = JsonStream(stream, place)
        taker = _Taker(place, report)
        while True:
            sign = walk.peek()
            if sign == "[":
                yield from taker.array(walk)
            elif sign == "{":
                yield from taker.single(walk)
            elif sign:
                raise SourceError(f"{place}: {sign!r} behind the end of the JSON; mend or fetch the file again")
            else:
                break
        taker.note_passed_over()


class _Taker:
    """Makes records of one file's objects."""

    def __init__(self, place: Place, report: Report) -> None:
        self._place, self._report = place, report
        self._number = 0
        self._repeats = Repeats()
        self._passed_over: Counter[str] = Counter()

    def array(self, walk: JsonStream) -> Iterator[tuple[Record, Place]]:
        for _ in walk.items():
            self._number += 1
            walk.position = f"item {self._number}"
            try:
                item = fields(walk.value())
            except BadRecordError as error:
                self._report.problem(Place(self._place.file, walk.position), str(error))
            else:
                yield from self._take(item)

    def single(self, walk: JsonStream) -> Iterator[tuple[Record, Place]]:
        """Take an object: a list's ``data`` goes through one by one, any other object is taken whole."""
        single: dict[str, object] = {}
        twice = ""
        for name in walk.names():
            walk.position = f"field {name[:40]!r}"
            if name == "data" and walk.peek() == "[" and single.get("object") == "list":
                yield from self.array(walk)
            elif name in single:
                twice = name
                walk.skip()
            elif name == "data" or len(single) > _MOST_FIELDS:
                walk.skip()
            else:
                try:
                    single[name] = walk.value()
                except BadRecordError as error:
                    self._report.problem(Place(self._place.file, walk.position), str(error))
        if single.get("object") == "error":
            raise SourceError(f"{self._place}: an error answer of Scryfall, not data; ask it again")
        if single.get("object") == "list":
            if single.get("has_more") is True:
                self._report.note(self._place, "the list goes on in further pages; add them or use the bulk file")
        elif twice:
            self._report.problem(self._place, f"field {twice[:40]!r} is there twice")
        else:
            self._number += 1
            yield from self._take(single)

    def _take(self, item: Fields) -> Iterator[tuple[Record, Place]]:
        place = Place(self._place.file, f"item {self._number}")
        try:
            kind = text(item, "object", "card" if "name" in item else "ruling" if "comment" in item else "unknown")
            if kind == "card" and text(item, "layout") in _NO_CARDS:
                kind = text(item, "layout")
            if kind == "card":
                made = self._card(item)
            elif kind == "ruling":
                made = [_ruling(item)]
            else:
                self._passed_over[kind] += 1
                made = []
        except BadRecordError as error:
            self._report.problem(place, str(error))
        else:
            for record in made:
                yield record, place

    def _card(self, item: Fields) -> list[Record]:
        language = text(item, "lang", "en")
        made: list[Record] = []
        # All but the first of a card's printings bring no more than a set and a printed name.
        if not self._repeats.has(item.get("oracle_id"), item.get("set")):
            made += filter(None, map(self._repeats.new, _cards(item)))
        if language != "en" or "flavor_name" in item or "printed_name" in item:
            made += _printings(item, language)
        return made

    def note_passed_over(self) -> None:
        for kind, count in sorted(self._passed_over.items()):
            self._report.count(f"{kind} passed over", count)
            self._report.note(self._place, f"{count} of kind {kind} passed over: no cards or rulings")


def _ruling(item: Fields) -> Ruling:
    oracle_id = optional(item, "oracle_id")
    if not oracle_id:
        raise BadRecordError("field 'oracle_id' is missing or blank")
    return Ruling(needed(item, "comment"), day(item, "published_at"), text(item, "source") or "scryfall", oracle_id)


def _cards(item: Fields) -> list[Card]:
    """The cards of an object: one, or on a reversible card one for each oracle id of its sides."""
    name = needed(item, "name")
    faces = parts(item, "card_faces")
    sets = {code.upper() for code in (*texts(item, "printings"), text(item, "set")) if code}
    rest: dict[str, Any] = {
        "layout": text(item, "layout"),
        "keywords": texts(item, "keywords"),
        "sets": tuple(sorted(sets)),
    }
    oracle_id = optional(item, "oracle_id")
    if oracle_id is None and any(optional(face, "oracle_id") for face in faces):
        sides: dict[str, dict[str, Face]] = {}
        for face in faces:
            made = _face(face)
            sides.setdefault(optional(face, "oracle_id") or "", {}).setdefault(made.name, made)
        return [whole(" // ".join(s), s.values(), oracle_id=i, **rest) for i, s in sides.items() if i]
    if faces:
        return [whole(name, map(_face, faces), oracle_id=oracle_id, **rest)]
    if "layout" not in item:
        # A printed name alone: nothing is told of the faces.
        return [Card(name, oracle_id, "", sets=rest["sets"])]
    first, *others = name.split(" // ")
    # Without its own list of faces an object tells of the first half; on meld cards the second is another card's.
    halves = [_face({**item, "name": first}), *(Face(half) for half in others if rest["layout"] != "meld")]
    return [whole(name, halves, oracle_id=oracle_id, **rest)]


def _face(item: Fields) -> Face:
    return Face(
        name=needed(item, "name"),
        mana_cost=text(item, "mana_cost"),
        type_line=text(item, "type_line"),
        text=text(item, "oracle_text"),
        power=optional(item, "power"),
        toughness=optional(item, "toughness"),
        loyalty=optional(item, "loyalty"),
        defense=optional(item, "defense"),
    )


def _printings(item: Fields, language: str) -> list[Printing]:
    """The printed names: of each face and of the whole card. In English only names that differ from the card's own."""
    oracle_id = optional(item, "oracle_id")
    faces = parts(item, "card_faces")
    made = [_printing(face, language, optional(face, "oracle_id") or oracle_id) for face in faces]
    printed = [p.printed_name for p in made if p]
    if optional(item, "printed_name"):
        made.append(_printing(item, language, oracle_id))
    elif faces and len(printed) == len(faces) and oracle_id:
        made.append(Printing(needed(item, "name"), language, " // ".join(printed), oracle_id))
    elif not faces and optional(item, "flavor_name"):
        made.append(_printing({**item, "printed_name": item["flavor_name"]}, language, oracle_id))
    return [p for p in made if p and not (language == "en" and p.printed_name == p.name)]


def _printing(item: Fields, language: str, oracle_id: str | None) -> Printing | None:
    printed_name = optional(item, "printed_name")
    if printed_name is None:
        return None
    return Printing(
        name=needed(item, "name"),
        language=language,
        printed_name=printed_name,
        oracle_id=oracle_id,
        printed_text=text(item, "printed_text"),
        printed_type=text(item, "printed_type_line"),
    )
