"""The records of source files as they were read before, so that a file that didn't change isn't read again."""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from rulings.ingest.records import (
    Card,
    GlossaryEntry,
    Place,
    Printing,
    Problem,
    Record,
    Report,
    Rule,
    Ruling,
    SavedPage,
)

PIECE = 2_000
"""Records that are held in memory at a time."""
MOST_BYTES = 256 << 20
"""A file whose records take more isn't kept."""


class _Piece(msgspec.Struct, array_like=True):
    """Some records of a file in their order, after what was reported up to the first of them.

    ``kinds`` has a letter a record, for the list that it stands in; ``positions`` are those of `Place`.
    """

    problems: list[Problem] = []
    notes: list[Problem] = []
    counts: dict[str, int] = {}
    kinds: str = ""
    positions: list[str] = []
    cards: list[Card] = []
    printings: list[Printing] = []
    rulings: list[Ruling] = []
    rules: list[Rule] = []
    glossary: list[GlossaryEntry] = []
    pages: list[SavedPage] = []

    def lists(self) -> dict[str, list[Record]]:
        """The list that each letter stands for."""
        lists = (self.cards, self.printings, self.rulings, self.rules, self.glossary, self.pages)
        return dict(zip("CPRUGS", lists, strict=True))  # type: ignore[arg-type]


_LETTERS: Mapping[type, str] = {Card: "C", Printing: "P", Ruling: "R", Rule: "U", GlossaryEntry: "G", SavedPage: "S"}
_DECODER = msgspec.msgpack.Decoder(_Piece)

Read = Callable[[Report], Iterator[tuple[Record, Place]]]


@dataclass(slots=True)
class Parsed:
    """Records kept in a folder, a file for each source file.

    A source file goes by its place, the hash of its content and that of the program; `tidy` takes away all that wasn't
    asked for since.

    Args:
        folder: where to keep; made when first needed.
        program: a hash of the program, and of the settings of its readers.
        hashes: the hash of each source file, by its absolute path; others are read anew.
        hash_of: gives the hash of a file.
        anew: read all anew.
    """

    folder: Path
    program: str
    hashes: Mapping[str, str]
    hash_of: Callable[[Path], str]
    anew: bool = False
    _used: set[str] = field(default_factory=set)

    def records(self, place: Place, read: Read, report: Report) -> Iterator[tuple[Record, Place]]:
        """The records of the file at ``place``, from what is kept or by ``read``; ``report`` takes the same of both."""
        file = Path(place.file).absolute()
        digest = self.hashes.get(str(file))
        if digest is None or place.position:
            yield from read(report)
            return
        name = hashlib.sha256(f"{self.program}\n{place.file}\n{digest}".encode()).hexdigest()[:32] + ".records"
        self._used.add(name)
        kept = self.folder / name
        if not self.anew and kept.is_file():
            pieces = _read(kept)
            if pieces is not None:
                yield from _replayed(pieces, place, report)
                return
        # what was hashed may have changed since
        yield from _recorded(read, report, place, kept, lambda: self.hash_of(file) == digest)

    def tidy(self) -> None:
        """Take away what wasn't asked for."""
        with suppress(OSError):
            for file in self.folder.iterdir():
                if file.name not in self._used:
                    file.unlink(missing_ok=True)


def _read(kept: Path) -> list[bytes] | None:
    """The pieces of a file, None where it is damaged; its last 32 bytes are the hash of the others."""
    try:
        raw = kept.read_bytes()
    except OSError:
        return None
    body = memoryview(raw)[:-32]
    if hashlib.sha256(body).digest() != raw[-32:]:
        return None
    pieces, start = [], 0
    while start < len(body):
        size = int.from_bytes(body[start : start + 4], "big")
        pieces.append(bytes(body[start + 4 : start + 4 + size]))
        start += 4 + size
    return pieces


def _replayed(pieces: list[bytes], place: Place, report: Report) -> Iterator[tuple[Record, Place]]:
    for raw in pieces:
        piece = _DECODER.decode(raw)
        report.problems += piece.problems
        report.notes += piece.notes
        for kind, count in piece.counts.items():
            report.count(kind, count)
        turns = {letter: iter(records) for letter, records in piece.lists().items()}
        for letter, position in zip(piece.kinds, piece.positions, strict=True):
            yield next(turns[letter]), Place(place.file, position)


def _recorded(
    read: Read, report: Report, place: Place, kept: Path, holds: Callable[[], bool]
) -> Iterator[tuple[Record, Place]]:
    """Read the records, and keep them once all were read without an error."""
    part = kept.with_name(f".{kept.name}.{os.getpid()}")
    own = Report()
    keeper = _Keeper(part)
    try:
        for record, at in read(own):
            if own.problems or own.notes or keeper.full:
                keeper.put(own)
                _hand_on(own, report)
            keeper.add(record, at, place)
            yield record, at
        keeper.put(own)
        _hand_on(own, report)
        if keeper.finish() and holds():
            with suppress(OSError):
                part.replace(kept)
    finally:
        keeper.close()
        with suppress(OSError):
            part.unlink(missing_ok=True)
        _hand_on(own, report)


def _hand_on(own: Report, report: Report) -> None:
    """Move what one report holds to another."""
    report.problems += own.problems
    report.notes += own.notes
    for kind, count in own.counts.items():
        report.count(kind, count)
    own.problems.clear()
    own.notes.clear()
    own.counts.clear()


class _Keeper:
    """Writes pieces; where that fails, or grows too large, it gives up without a word."""

    def __init__(self, part: Path) -> None:
        self._piece, self._hash, self._size = _Piece(), hashlib.sha256(), 0
        self._lists = self._piece.lists()
        self._whole = True
        try:
            part.parent.mkdir(parents=True, exist_ok=True)
            self._file = part.open("wb")
        except OSError:
            self._whole = False

    @property
    def full(self) -> bool:
        return len(self._piece.kinds) >= PIECE

    def add(self, record: Record, at: Place, place: Place) -> None:
        self._whole = self._whole and at.file == place.file
        letter = _LETTERS[type(record)]
        self._piece.kinds += letter
        self._piece.positions.append(at.position)
        self._lists[letter].append(record)

    def put(self, own: Report) -> None:
        """Write the piece; what was reported since goes before the next one."""
        raw = msgspec.msgpack.encode(self._piece)
        self._piece = _Piece(list(own.problems), list(own.notes), dict(own.counts))
        self._lists = self._piece.lists()
        self._write(len(raw).to_bytes(4, "big") + raw)

    def finish(self) -> bool:
        """Write what is left; whether all could be kept."""
        self.put(Report())
        digest = self._hash.digest()
        self._write(digest)
        return self._whole

    def close(self) -> None:
        if hasattr(self, "_file"):
            with suppress(OSError):
                self._file.close()

    def _write(self, data: bytes) -> None:
        self._size += len(data)
        self._whole = self._whole and self._size <= MOST_BYTES
        if self._whole:
            try:
                self._file.write(data)
                self._file.flush()
            except OSError:
                self._whole = False
            self._hash.update(data)
