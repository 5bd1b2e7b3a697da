"""The records of a corpus in two SQLite files: written once, read one by one or whole."""

import hashlib
import sqlite3
from collections.abc import Iterator
from datetime import date
from functools import cached_property
from pathlib import Path

import msgspec

from rulings.ingest.corpus import Corpus, Edition, Name, PublishedRuling, Statement
from rulings.ingest.errors import ArchiveError
from rulings.ingest.record_file import RecordFile, Tables, write_files
from rulings.ingest.records import Card, GlossaryEntry, Printing, Report, Rule, SavedPage
from rulings.ingest.text import fold_name

_SCHEMA = """
CREATE TABLE statement (n INTEGER PRIMARY KEY, key TEXT UNIQUE, record BLOB);
CREATE TABLE ruling (oracle_id TEXT, published TEXT, key TEXT);
CREATE TABLE unplaced (n INTEGER PRIMARY KEY, record BLOB);
CREATE TABLE report (record BLOB);
"""
_INDEXES = "CREATE INDEX ruling_oracle_id ON ruling (oracle_id);"
_CARDS_SCHEMA = """
CREATE TABLE digest (of TEXT PRIMARY KEY, sha256 BLOB) WITHOUT ROWID;
CREATE TABLE card (n INTEGER PRIMARY KEY, oracle_id TEXT UNIQUE, record BLOB);
CREATE TABLE printing (n INTEGER PRIMARY KEY, oracle_id TEXT, record BLOB);
CREATE TABLE name (folded TEXT, oracle_id TEXT, name TEXT, language TEXT, face TEXT);
CREATE TABLE rule (n INTEGER PRIMARY KEY, edition TEXT, number TEXT, record BLOB);
CREATE TABLE glossary (n INTEGER PRIMARY KEY, edition TEXT, term TEXT, record BLOB);
"""
_CARDS_INDEXES = """
CREATE INDEX printing_oracle_id ON printing (oracle_id);
CREATE INDEX name_folded ON name (folded);
CREATE INDEX rule_number ON rule (number, edition);
"""

_encode = msgspec.json.encode


def cards_digest(corpus: Corpus) -> bytes:
    """A hash of the cards, their printed names and the rules of a corpus."""
    found = hashlib.sha256()
    for part in (corpus.cards, corpus.printings, corpus.editions):
        found.update(msgspec.msgpack.encode(list(part.items())))
    return found.digest()


def write_archive(corpus: Corpus, path: Path, digest: bytes | None = None, former: Path | None = None) -> None:
    """Write a corpus to a new file at ``path`` and one beside it; the same corpus gives the same bytes.

    Args:
        corpus: What to write.
        path: Where to; what depends on cards and rules alone goes to `of_cards` of it.
        digest: The corpus' `cards_digest`, where it is known.
        former: An archive of the same cards, printed names and rules, whose part about those is taken over.

    Raises:
        ArchiveError: a file is there already or can't be written.
    """
    digest = digest or cards_digest(corpus)
    own = Tables(_SCHEMA, lambda db: _fill(db, corpus), _INDEXES)
    cards = Tables(_CARDS_SCHEMA, lambda db: _fill_cards(db, corpus, digest), _CARDS_INDEXES)
    write_files(path, own, cards, former, what="records", error=ArchiveError)


def _fill(db: sqlite3.Connection, corpus: Corpus) -> None:
    db.executemany(
        "INSERT INTO statement VALUES (?, ?, ?)",
        ((n, k, _encode(s)) for n, (k, s) in enumerate(corpus.statements.items())),
    )
    rulings = ((r.oracle_id, r.published.isoformat(), r.key) for r in corpus.rulings)
    db.executemany("INSERT INTO ruling VALUES (?, ?, ?)", rulings)
    db.executemany("INSERT INTO unplaced (record) VALUES (?)", ((_encode(page),) for page in corpus.unplaced))
    db.execute("INSERT INTO report VALUES (?)", (_encode(corpus.report),))


def _fill_cards(db: sqlite3.Connection, corpus: Corpus, digest: bytes) -> None:
    db.execute("INSERT INTO digest VALUES ('cards', ?)", (digest,))
    db.executemany(
        "INSERT INTO card VALUES (?, ?, ?)", ((n, i, _encode(c)) for n, (i, c) in enumerate(corpus.cards.items()))
    )
    printings = ((i, _encode(p)) for i, group in corpus.printings.items() for p in group)
    db.executemany("INSERT INTO printing (oracle_id, record) VALUES (?, ?)", printings)
    names = ((fold_name(n.name), n.oracle_id, n.name, n.language, n.face) for n in corpus.names())
    db.executemany("INSERT INTO name VALUES (?, ?, ?, ?, ?)", names)
    for day, edition in corpus.editions.items():
        rules = ((day.isoformat(), number, _encode(rule)) for number, rule in edition.rules.items())
        db.executemany("INSERT INTO rule (edition, number, record) VALUES (?, ?, ?)", rules)
        glossary = ((day.isoformat(), term, _encode(entry)) for term, entry in edition.glossary.items())
        db.executemany("INSERT INTO glossary (edition, term, record) VALUES (?, ?, ?)", glossary)


class Archive(RecordFile):
    """A read-only view of a written corpus; every look-up reads only what it gives. Safe to share between threads."""

    _table, _cards_table = "statement", "card"

    def cards_digest(self) -> bytes:
        """The `cards_digest` of the corpus that was written."""
        return bytes(self._all("SELECT sha256 FROM digest")[0][0])

    def statement(self, key: str) -> Statement | None:
        """The statement with this key."""
        record = self._one("SELECT record FROM statement WHERE key = ?", key)
        return msgspec.json.decode(record, type=Statement) if record else None

    def key_at(self, n: int) -> str | None:
        """The key of the n-th statement, from 0."""
        rows = self._all("SELECT key FROM statement WHERE n = ?", n)
        return str(rows[0][0]) if rows else None

    def card(self, oracle_id: str) -> Card | None:
        """The card with this oracle id."""
        record = self._one("SELECT record FROM card WHERE oracle_id = ?", oracle_id)
        return msgspec.json.decode(record, type=Card) if record else None

    def printings(self, oracle_id: str) -> tuple[Printing, ...]:
        """The card's printed names in other languages."""
        rows = self._all("SELECT record FROM printing WHERE oracle_id = ? ORDER BY n", oracle_id)
        return tuple(msgspec.json.decode(r[0], type=Printing) for r in rows)

    def rulings(self, oracle_id: str) -> tuple[tuple[date, str], ...]:
        """Day and statement key of every ruling on a card, by day, then key."""
        rows = self._all("SELECT published, key FROM ruling WHERE oracle_id = ? ORDER BY rowid", oracle_id)
        return tuple((date.fromisoformat(published), key) for published, key in rows)

    def names(self, folded: str) -> tuple[Name, ...]:
        """What a name, folded by `fold_name`, stands for: full names first, then faces, then printed names."""
        rows = self._all("SELECT oracle_id, name, language, face FROM name WHERE folded = ?", folded)
        found = dict.fromkeys(Name(*row) for row in rows)
        return tuple(sorted(found, key=lambda n: (n.language != "en", n.face is not None)))

    def all_names(self) -> Iterator[tuple[str, Name]]:
        """Every name with its folded form, in the order of the cards."""
        for folded, *row in self._all("SELECT folded, oracle_id, name, language, face FROM name ORDER BY rowid"):
            yield folded, Name(*row)

    @cached_property
    def editions(self) -> tuple[date, ...]:
        """The editions of the rules, oldest first."""
        days = self._all("SELECT DISTINCT edition FROM rule UNION SELECT DISTINCT edition FROM glossary ORDER BY 1")
        return tuple(date.fromisoformat(day) for (day,) in days)

    def rule(self, number: str, edition: date | None = None) -> Rule | None:
        """The rule with this number in an edition (None: the newest)."""
        editions = self.editions
        if not editions:
            return None
        day = (edition or editions[-1]).isoformat()
        record = self._one("SELECT record FROM rule WHERE number = ? AND edition = ?", number, day)
        return msgspec.json.decode(record, type=Rule) if record else None

    def report(self) -> Report:
        """What happened while the sources were read."""
        return msgspec.json.decode(self._all("SELECT record FROM report")[0][0], type=Report)

    def rule_count(self, edition: date) -> int:
        """How many rules and headings an edition has."""
        return int(self._all("SELECT COUNT(*) FROM rule WHERE edition = ?", edition.isoformat())[0][0])

    def rules(self, edition: date) -> Iterator[Rule]:
        """The rules and headings of an edition, in book order."""
        for (record,) in self._all("SELECT record FROM rule WHERE edition = ? ORDER BY n", edition.isoformat()):
            yield msgspec.json.decode(record, type=Rule)

    def below(self, number: str, edition: date) -> tuple[Rule, ...]:
        """The rules directly below a number in an edition, in book order."""
        rows = self._all(
            "SELECT record FROM rule WHERE edition = ? AND number >= ? AND number < ? ORDER BY n",
            *(edition.isoformat(), number, f"{number}\uffff"),
        )
        rules = (msgspec.json.decode(row[0], type=Rule) for row in rows)
        return tuple(rule for rule in rules if rule.parent == number)

    def corpus(self) -> Corpus:
        """The whole corpus as it was written."""
        cards = {
            i: msgspec.json.decode(r, type=Card) for i, r in self._all("SELECT oracle_id, record FROM card ORDER BY n")
        }
        printings: dict[str, list[Printing]] = {}
        for oracle_id, record in self._all("SELECT oracle_id, record FROM printing ORDER BY n"):
            printings.setdefault(oracle_id, []).append(msgspec.json.decode(record, type=Printing))
        statements = {
            k: msgspec.json.decode(r, type=Statement)
            for k, r in self._all("SELECT key, record FROM statement ORDER BY n")
        }
        return Corpus(
            cards=cards,
            printings={i: tuple(group) for i, group in printings.items()},
            rulings=_published(cards, statements),
            statements=statements,
            editions={day: self.edition(day) for day in self.editions},
            report=self.report(),
            unplaced=tuple(
                msgspec.json.decode(r, type=SavedPage) for (r,) in self._all("SELECT record FROM unplaced ORDER BY n")
            ),
        )

    @cached_property
    def newest(self) -> Edition | None:
        """The newest edition of the rules, as `Corpus.newest`."""
        return Corpus({}, {}, (), {}, {day: self.edition(day) for day in self.editions}).newest

    def edition(self, day: date) -> Edition:
        """A whole edition of the rules; an empty one for a day that none is of."""
        rules = [
            msgspec.json.decode(r, type=Rule)
            for (r,) in self._all("SELECT record FROM rule WHERE edition = ? ORDER BY n", day.isoformat())
        ]
        heads = self._all("SELECT record FROM glossary WHERE edition = ? ORDER BY n", day.isoformat())
        glossary = [msgspec.json.decode(r, type=GlossaryEntry) for (r,) in heads]
        return Edition(day, {rule.number: rule for rule in rules}, {entry.term: entry for entry in glossary})


def _published(cards: dict[str, Card], statements: dict[str, Statement]) -> tuple[PublishedRuling, ...]:
    """All rulings, sorted as `Corpus.rulings` says."""
    rulings = (ruling for statement in statements.values() for ruling in statement.rulings)
    return tuple(sorted(rulings, key=lambda r: (cards[r.oracle_id].name, r.oracle_id, r.published, r.key)))
