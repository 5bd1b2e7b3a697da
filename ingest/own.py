"""Reader of the project's own JSON lines: cards, rulings, rules and glossary entries, one object a line."""

import json
import re
from collections.abc import Callable, Iterator
from typing import BinaryIO

from rulings.ingest.fields import BadRecordError, Fields, day, fields, needed, optional, parts, text, texts
from rulings.ingest.json_stream import parse
from rulings.ingest.lines import numbered_lines
from rulings.ingest.merge_cards import whole
from rulings.ingest.reader import Head
from rulings.ingest.records import Face, GlossaryEntry, Place, Printing, Record, Report, Rule, Ruling

_RULE_NUMBER = re.compile(r"[1-9](?:\d\d(?:\.\d{1,3}[a-z]?)?)?")
_REFERENCE = re.compile(r"\b[1-9]\d\d\.\d{1,3}[a-z]?\b|(?<=\brule )[1-9]\d\d\b")


class OwnReader:
    """Reads lines of objects whose ``kind`` is card, ruling, rule or glossary; see docs/formats.md."""

    kind = "JSON lines of cards, rulings, rules or glossary entries"

    def matches(self, head: Head) -> bool:
        """Whether a line of the head begins an object that names its kind first, or is a whole object with one."""
        start = head.text.lstrip("\ufeff \t\r\n")
        if not start.startswith("{"):
            return False
        return bool(_STARTS.search(start)) or any(_kind_of(line) for line in start.splitlines()[:20])

    def read(self, stream: BinaryIO, place: Place, report: Report) -> Iterator[tuple[Record, Place]]:
        """Yield the records of each line; see `Reader.read`."""
        for number, line in numbered_lines(stream, place):
            at = Place(place.file, f"line {number}")
            if not line.strip():
                continue
            try:
                made = _records(fields(parse(line), "the line"))
            except BadRecordError as error:
                report.problem(at, str(error))
                continue
            for record in made:
                yield record, at


def _records(item: Fields) -> list[Record]:
    kind = needed(item, "kind")
    if kind not in _MAKERS:
        raise BadRecordError(f"kind {kind[:40]!r} is unknown; it is one of {', '.join(_MAKERS)}")
    return _MAKERS[kind](item)


def _card(item: Fields) -> list[Record]:
    name, oracle_id = needed(item, "name"), optional(item, "oracle_id")
    faces = [_face(face) for face in parts(item, "faces")] or [_face({**item, "name": name})]
    card = whole(
        name,
        faces,
        oracle_id=oracle_id,
        layout=text(item, "layout") or "normal",
        keywords=texts(item, "keywords"),
        sets=texts(item, "sets"),
    )
    names = fields(item.get("names") or {}, "field 'names'")
    printed = [(language, word) for language in names for word in texts(names, language)]
    return [card, *(Printing(name, language, word.strip(), oracle_id) for language, word in printed if word.strip())]


def _face(item: Fields) -> Face:
    return Face(
        name=needed(item, "name"),
        mana_cost=text(item, "mana_cost"),
        type_line=text(item, "type_line"),
        text=text(item, "text"),
        power=optional(item, "power"),
        toughness=optional(item, "toughness"),
        loyalty=optional(item, "loyalty"),
        defense=optional(item, "defense"),
    )


def ruling(item: Fields) -> Ruling:
    """A ruling of our own shape, from a line or a row."""
    card, oracle_id = optional(item, "card"), optional(item, "oracle_id")
    if not card and not oracle_id:
        raise BadRecordError("a ruling needs field 'card' or 'oracle_id'")
    source = text(item, "source").strip() or "own"
    return Ruling(needed(item, "text"), day(item, "published"), source, oracle_id, card, optional(item, "face"))


def _rule(item: Fields) -> list[Record]:
    number, words = needed(item, "number").removesuffix("."), needed(item, "text")
    if not _RULE_NUMBER.fullmatch(number):
        raise BadRecordError(f"field 'number' is {number[:40]!r}, not a rule number such as 702, 702.19 or 702.19b")
    see = tuple(n for n in dict.fromkeys(_REFERENCE.findall(words)) if n != number)
    return [Rule(number, words, day(item, "edition"), _parent(number), texts(item, "examples"), see)]


def _parent(number: str) -> str | None:
    if "." in number:
        return number[:-1] if number[-1].isalpha() else number.partition(".")[0]
    return number[0] if len(number) > 1 else None


def _glossary(item: Fields) -> list[Record]:
    words = needed(item, "text")
    rules = tuple(dict.fromkeys(_REFERENCE.findall(words)))
    return [GlossaryEntry(needed(item, "term"), words, day(item, "edition"), rules)]


_MAKERS: dict[str, Callable[[Fields], list[Record]]] = {
    "card": _card,
    "ruling": lambda item: [ruling(item)],
    "rule": _rule,
    "glossary": _glossary,
}
_STARTS = re.compile(rf'^\s*\{{\s*"kind"\s*:\s*"(?:{"|".join(_MAKERS)})"', re.MULTILINE)


def _kind_of(line: str) -> bool:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("kind") in tuple(_MAKERS)
