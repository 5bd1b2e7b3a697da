"""Cards of MTGJSON put together from its entries, which are one for each face."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from rulings.ingest.fields import BadRecordError, Fields, day, needed, optional, parts, text, texts
from rulings.ingest.merge_cards import whole
from rulings.ingest.records import Card, Face, Place, Printing, Record, Report, Ruling
from rulings.ingest.repeats import Repeats

_LAYOUTS = {"double-faced": "transform", "plane": "planar", "phenomenon": "planar"}
_LANGUAGES = {
    "german": "de", "french": "fr", "italian": "it", "spanish": "es", "portuguese": "pt", "portuguese (brazil)": "pt",
    "japanese": "ja", "korean": "ko", "russian": "ru", "chinese simplified": "zhs", "simplified chinese": "zhs",
    "chinese traditional": "zht", "traditional chinese": "zht", "phyrexian": "ph", "ancient greek": "grc",
    "arabic": "ar", "hebrew": "he", "latin": "la", "sanskrit": "sa",
}  # fmt: skip


@dataclass
class _Entry:
    """One entry of a file: a whole card or one face of it."""

    face: Face
    order: str
    keywords: tuple[str, ...]
    sets: tuple[str, ...]
    printings: list[Printing]
    rulings: list[tuple[date, str]]


@dataclass
class _Waiting:
    """A card whose faces come one by one."""

    name: str
    oracle_id: str | None
    layout: str
    place: Place
    entries: list[_Entry] = field(default_factory=list)


def full_name(item: Fields, name: str) -> str:
    """The full name of the card that an entry belongs to; before version 5 ``names`` lists those of the faces."""
    names = texts(item, "names")
    if len(names) > 1 and item.get("layout") != "meld":
        return " // ".join(names)
    return name


class CardFaces:
    """Takes entries and gives the cards' records: at once where an entry is a whole card, else when all have come."""

    def __init__(self) -> None:
        self._repeats = Repeats()
        self._told: set[int] = set()
        self._waiting: dict[tuple[str | None, str], _Waiting] = {}
        self._ready: list[_Waiting] = []

    def add(self, item: Fields, name: str, layout: str, place: Place, report: Report) -> None:
        """Take an entry; a fault in one of its rulings or foreign names is a problem, and the rest of it stands.

        Raises:
            BadRecordError: a field of the card itself is wrong.
        """
        layout = _LAYOUTS.get(layout, layout)
        oracle_id = _oracle_id(item)
        halves = name.split(" // ")
        face_name = optional(item, "faceName") or (text(item, "name") if len(halves) > 1 else name)
        if layout == "meld":
            name, halves = face_name, [face_name]
        number = halves.index(face_name) if face_name in halves else 0
        entry = _Entry(
            face=_face(item, face_name),
            order=text(item, "side") or "abcdefgh"[min(number, 7)],
            keywords=texts(item, "keywords"),
            sets=tuple(sorted({s.upper() for s in (*texts(item, "printings"), text(item, "setCode")) if s})),
            printings=_printings(item, name, face_name, oracle_id, number if len(halves) > 1 else None, place, report),
            rulings=_rulings(item, place, report),
        )
        if len(halves) == 1:
            self._ready.append(_Waiting(name, oracle_id, layout, place, [entry]))
        else:
            waiting = self._waiting.setdefault((oracle_id, name), _Waiting(name, oracle_id, layout, place))
            waiting.entries.append(entry)

    def ready(self) -> Iterator[tuple[Record, Place]]:
        """Give the records of the cards that are whole."""
        ready, self._ready = self._ready, []
        for card in ready:
            for record in self._records(card):
                yield record, card.place

    def finish(self) -> Iterator[tuple[Record, Place]]:
        """Give the records of all cards that were taken."""
        self._ready += self._waiting.values()
        self._waiting = {}
        yield from self.ready()

    def _records(self, waiting: _Waiting) -> Iterator[Record]:
        # A card's faces come again for each of its printings in a set: the first of each is kept.
        faces: dict[str, _Entry] = {}
        for entry in sorted(waiting.entries, key=lambda e: e.order):
            faces.setdefault(entry.face.name, entry)
        card = whole(
            " // ".join(faces) if len(faces) == 1 and len(set(waiting.name.split(" // "))) == 1 else waiting.name,
            [entry.face for entry in faces.values()],
            oracle_id=waiting.oracle_id,
            layout=waiting.layout,
            keywords=tuple(dict.fromkeys(k for entry in faces.values() for k in entry.keywords)),
            sets=tuple(sorted({s for entry in waiting.entries for s in entry.sets})),
        )
        new = self._repeats.new(card)
        if new:
            yield new
        printings = [p for entry in waiting.entries for p in entry.printings]
        others: tuple[Printing | Ruling, ...] = (*printings, *_joined(card, faces), *_rulings_of(card, faces))
        for record in others:
            # Printings and rulings come again with each set that has the card.
            told = hash(record)
            if told not in self._told:
                self._told.add(told)
                yield record


def _oracle_id(item: Fields) -> str | None:
    identifiers = item.get("identifiers")
    if isinstance(identifiers, dict):
        return optional(identifiers, "scryfallOracleId")
    return optional(item, "scryfallOracleId")


def _face(item: Fields, name: str) -> Face:
    return Face(
        name=name,
        mana_cost=text(item, "manaCost"),
        type_line=text(item, "type"),
        text=text(item, "text"),
        power=optional(item, "power"),
        toughness=optional(item, "toughness"),
        loyalty=optional(item, "loyalty"),
        defense=optional(item, "defense"),
    )


def _printings(
    item: Fields, name: str, face: str, oracle_id: str | None, number: int | None, place: Place, report: Report
) -> list[Printing]:
    """The foreign names of an entry: of the face and, where it is told, of the whole card."""
    made = []
    try:
        foreign = parts(item, "foreignData") or parts(item, "foreignNames")
    except BadRecordError as error:
        report.problem(place, str(error))
        return []
    for entry in foreign:
        try:
            # Some entries are there for their picture alone.
            if not optional(entry, "name"):
                continue
            language = needed(entry, "language").casefold()
            language = _LANGUAGES.get(language, language)
            printed, printed_face = needed(entry, "name"), optional(entry, "faceName")
            halves = printed.split(" // ")
            if number is not None and len(halves) > 1:
                made.append(Printing(name, language, printed, oracle_id))
                printed = printed_face or halves[min(number, len(halves) - 1)]
            made.append(
                Printing(face, language, printed_face or printed, oracle_id, text(entry, "text"), text(entry, "type"))
            )
        except BadRecordError as error:
            report.problem(place, f"a foreign name: {error}")
    return made


def _rulings(item: Fields, place: Place, report: Report) -> list[tuple[date, str]]:
    made = []
    try:
        entries = parts(item, "rulings")
    except BadRecordError as error:
        report.problem(place, str(error))
        return []
    for entry in entries:
        try:
            made.append((day(entry, "date"), needed(entry, "text")))
        except BadRecordError as error:
            report.problem(place, f"a ruling: {error}")
    return made


def _joined(card: Card, faces: dict[str, _Entry]) -> Iterator[Printing]:
    """Foreign names of the whole card, joined from those of its faces where a file has only these."""
    if len(faces) < 2:
        return
    by_face = [{p.language: p.printed_name for p in e.printings if p.name == n} for n, e in faces.items()]
    for language in by_face[0]:
        if all(language in names for names in by_face):
            joined = " // ".join(names[language] for names in by_face)
            yield Printing(card.name, language, joined, card.oracle_id)


def _rulings_of(card: Card, faces: dict[str, _Entry]) -> Iterator[Ruling]:
    """The rulings of a card: those that both faces repeat are the card's, one on a single face is that face's."""
    on: dict[tuple[date, str], list[str]] = {}
    for name, entry in faces.items():
        for ruling in dict.fromkeys(entry.rulings):
            on.setdefault(ruling, []).append(name)
    for (published, words), names in on.items():
        face = names[0] if len(names) == 1 and len(faces) > 1 else None
        yield Ruling(words, published, "wotc", card.oracle_id, card.name, face)
