"""What was worked out about a corpus in two SQLite files: written once, read one by one or whole."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from rulings.graph.errors import StoreError
from rulings.graph.records import Alike, Analysis, CardUse, Concept, Derived, Restatement, SameRule
from rulings.ingest import fold_name
from rulings.ingest.record_file import RecordFile, Tables, write_files

_SCHEMA = """
CREATE TABLE concept (n INTEGER PRIMARY KEY, slug TEXT UNIQUE, statements INTEGER, cards INTEGER, record BLOB);
CREATE TABLE analysis (n INTEGER PRIMARY KEY, key TEXT UNIQUE, record BLOB);
CREATE TABLE named (kind TEXT, target TEXT, relation TEXT, key TEXT, confidence REAL);
CREATE TABLE restatement (n INTEGER PRIMARY KEY, subject TEXT, object TEXT, record BLOB);
CREATE TABLE member (key TEXT PRIMARY KEY, grp INTEGER, n INTEGER) WITHOUT ROWID;
"""
_INDEXES = """
CREATE INDEX named_target ON named (kind, target);
CREATE INDEX member_grp ON member (grp);
CREATE INDEX restatement_subject ON restatement (subject);
CREATE INDEX restatement_object ON restatement (object);
"""
_CARDS_SCHEMA = """
CREATE TABLE label (folded TEXT, slug TEXT, language TEXT, kind TEXT, text TEXT);
CREATE TABLE same_rule (n INTEGER PRIMARY KEY, number TEXT, object_number TEXT, record BLOB);
CREATE TABLE card_use (n INTEGER PRIMARY KEY, oracle_id TEXT, record BLOB);
CREATE TABLE alike (oracle_id TEXT PRIMARY KEY, record BLOB) WITHOUT ROWID;
"""
_CARDS_INDEXES = """
CREATE INDEX label_folded ON label (folded);
CREATE INDEX same_rule_number ON same_rule (number);
CREATE INDEX same_rule_object ON same_rule (object_number);
CREATE INDEX card_use_card ON card_use (oracle_id);
"""

_encode = msgspec.json.encode
_T = TypeVar("_T")


def concept_counts(derived: Derived, cards_of: dict[str, tuple[str, ...]]) -> dict[str, tuple[int, int]]:
    """Count the statements that clarify or mention each concept, and the cards they stand on, by slug.

    ``cards_of`` gives the oracle ids by statement key.
    """
    keys: dict[str, set[str]] = defaultdict(set)
    for key, analysis in derived.analyses.items():
        for about in analysis.clarifies:
            keys[about.concept].add(key)
        for mention in analysis.mentions_concepts:
            keys[mention.concept].add(key)
    return {
        slug: (len(found), len({card for key in found for card in cards_of.get(key, ())}))
        for slug, found in keys.items()
    }


def write_links(derived: Derived, counts: dict[str, tuple[int, int]], path: Path, former: Path | None = None) -> None:
    """Write what was worked out to a new file at ``path`` and one beside it; the same gives the same bytes.

    Args:
        derived: What to write.
        counts: Statements and cards by concept slug (`concept_counts`).
        path: Where to; what depends on cards and rules alone goes to `of_cards` of it.
        former: Links of the same cards and rules, whose part about those is taken over instead of ``derived``'s.

    Raises:
        StoreError: a file is there already or can't be written.
    """
    own = Tables(_SCHEMA, lambda db: _fill(db, derived, counts), _INDEXES)
    cards = Tables(_CARDS_SCHEMA, lambda db: _fill_cards(db, derived), _CARDS_INDEXES)
    write_files(path, own, cards, former, what="links", error=StoreError)


def _fill(db: sqlite3.Connection, derived: Derived, counts: dict[str, tuple[int, int]]) -> None:
    db.executemany(
        "INSERT INTO concept VALUES (?, ?, ?, ?, ?)",
        ((n, slug, *counts.get(slug, (0, 0)), _encode(c)) for n, (slug, c) in enumerate(derived.concepts.items())),
    )
    db.executemany(
        "INSERT INTO analysis VALUES (?, ?, ?)",
        ((n, k, _encode(a)) for n, (k, a) in enumerate(derived.analyses.items())),
    )
    named = (row for analysis in derived.analyses.values() for row in _named(analysis))
    db.executemany("INSERT INTO named VALUES (?, ?, ?, ?, ?)", dict.fromkeys(named))
    db.executemany(
        "INSERT INTO restatement (subject, object, record) VALUES (?, ?, ?)",
        ((r.subject, r.object, _encode(r)) for r in derived.restatements),
    )
    members = ((key, grp, n) for grp, group in enumerate(derived.groups) for n, key in enumerate(group))
    db.executemany("INSERT INTO member VALUES (?, ?, ?)", members)


def _fill_cards(db: sqlite3.Connection, derived: Derived) -> None:
    labels = (
        (fold_name(text), slug, language, kind, text)
        for slug, c in derived.concepts.items()
        for language, kind, text in (("en", "pref", c.label), *c.labels)
    )
    db.executemany("INSERT INTO label VALUES (?, ?, ?, ?, ?)", dict.fromkeys(labels))
    db.executemany(
        "INSERT INTO same_rule (number, object_number, record) VALUES (?, ?, ?)",
        ((s.number, s.object_number, _encode(s)) for s in derived.same_rules),
    )
    db.executemany(
        "INSERT INTO card_use (oracle_id, record) VALUES (?, ?)", ((u.oracle_id, _encode(u)) for u in derived.card_uses)
    )
    rows = ((i, _encode(derived.works_like[i])) for i in sorted(derived.works_like))
    db.executemany("INSERT INTO alike VALUES (?, ?)", rows)


def _named(analysis: Analysis) -> Iterator[tuple[str, str, str, str, float]]:
    """What a statement points to, turned round for look-up: kind and id of the target, relation, key, confidence."""
    for about in analysis.clarifies:
        yield "concept", about.concept, "clarifies", analysis.key, about.confidence
    clarified = {about.concept for about in analysis.clarifies}
    for concept in {mention.concept: mention for mention in reversed(analysis.mentions_concepts)}.values():
        if concept.concept not in clarified:
            yield "concept", concept.concept, "mentions", analysis.key, concept.confidence
    for card in {mention.oracle_id: mention for mention in reversed(analysis.mentions_cards)}.values():
        yield "card", card.oracle_id, "mentions", analysis.key, card.confidence
    for rule in analysis.rules:
        yield "rule", rule.number, "clarifies", analysis.key, rule.confidence
    for cite in analysis.cites:
        if cite.number:
            yield "rule", cite.number, "cites", analysis.key, cite.confidence


class Analyses(RecordFile):
    """A read-only view of the written links; every look-up reads only what it gives. Safe to share between threads."""

    _what, _table, _cards_table, _error = "links", "analysis", "label", StoreError

    def analysis(self, key: str) -> Analysis:
        """What was worked out about a statement; empty for an unknown key."""
        rows = self._all("SELECT record FROM analysis WHERE key = ?", key)
        return msgspec.json.decode(rows[0][0], type=Analysis) if rows else Analysis(key)

    def concept(self, slug: str) -> Concept | None:
        """The concept with this slug."""
        rows = self._all("SELECT record FROM concept WHERE slug = ?", slug)
        return msgspec.json.decode(rows[0][0], type=Concept) if rows else None

    def concept_size(self, slug: str) -> tuple[int, int]:
        """How many statements, and cards they stand on, name the concept."""
        rows = self._all("SELECT statements, cards FROM concept WHERE slug = ?", slug)
        return rows[0] if rows else (0, 0)

    def concepts(self, label: str) -> tuple[str, ...]:
        """Slugs of the concepts with this label in any language, preferred labels first."""
        rows = self._all("SELECT slug, kind FROM label WHERE folded = ?", fold_name(label))
        return tuple(dict.fromkeys(slug for slug, _ in sorted(rows, key=lambda row: row[1] != "pref")))

    def relation_counts(self) -> dict[str, int]:
        """How many links of each relation there are."""
        counts = dict(self._all("SELECT relation, COUNT(*) FROM named GROUP BY relation ORDER BY relation"))
        for pair in _decoded(self._all("SELECT record FROM restatement"), Restatement):
            counts[pair.relation] = counts.get(pair.relation, 0) + 1
        counts["sameRuleAs"] = self._all("SELECT COUNT(*) FROM same_rule WHERE object_number IS NOT NULL")[0][0]
        counts["worksLike"] = sum(len(self.alike(i)) for (i,) in self._all("SELECT oracle_id FROM alike"))
        return counts

    def labels(self) -> tuple[tuple[str, str], ...]:
        """Every label of every concept: folded, and as written."""
        return tuple(self._all("SELECT folded, text FROM label ORDER BY rowid"))

    def all_labels(self) -> tuple[tuple[str, str, str], ...]:
        """Every label of every concept: the concept's slug, the language, and the label as written."""
        return tuple(self._all("SELECT slug, language, text FROM label ORDER BY rowid"))

    def narrower(self, slug: str) -> tuple[str, ...]:
        """Slugs of the concepts directly below a concept."""
        concepts = _decoded(self._all("SELECT record FROM concept ORDER BY n"), Concept)
        return tuple(concept.slug for concept in concepts if slug in concept.broader)

    def group(self, key: str) -> tuple[str, ...]:
        """Keys of all statements that are the same ruling, the canonical one first; else the key alone."""
        rows = self._all("SELECT b.key FROM member a JOIN member b ON a.grp = b.grp WHERE a.key = ? ORDER BY b.n", key)
        return tuple(row[0] for row in rows) or (key,)

    def restatements(self, key: str) -> tuple[Restatement, ...]:
        """The pairs that a statement stands in, on either side."""
        rows = self._all("SELECT record FROM restatement WHERE subject = ? OR object = ? ORDER BY n", key, key)
        return _decoded(rows, Restatement)

    def statements(self, kind: str, target: str) -> tuple[tuple[str, str, float], ...]:
        """The statements that point to a target: (relation, key, confidence), the surest first.

        ``kind`` is "concept" (target: slug), "card" (oracle id) or "rule" (number in the newest edition).
        """
        rows = self._all(
            "SELECT relation, key, confidence FROM named WHERE kind = ? AND target = ? ORDER BY confidence DESC, key",
            *(kind, target),
        )
        return tuple(rows)

    def alike(self, oracle_id: str) -> tuple[Alike, ...]:
        """The cards that work like this one, the most alike first."""
        rows = self._all("SELECT record FROM alike WHERE oracle_id = ?", oracle_id)
        return msgspec.json.decode(rows[0][0], type=tuple[Alike, ...]) if rows else ()

    def card_uses(self, oracle_id: str) -> tuple[CardUse, ...]:
        """The keywords and concepts of a card."""
        return _decoded(self._all("SELECT record FROM card_use WHERE oracle_id = ? ORDER BY n", oracle_id), CardUse)

    def same_rules(self, number: str) -> tuple[SameRule, ...]:
        """The links between editions that a number stands in, on either side."""
        rows = self._all(
            "SELECT record FROM same_rule WHERE number = ? OR object_number = ? ORDER BY n", number, number
        )
        return _decoded(rows, SameRule)

    def derived(self) -> Derived:
        """Everything as it was written."""
        groups: dict[int, list[str]] = defaultdict(list)
        for key, grp in self._all("SELECT key, grp FROM member ORDER BY grp, n"):
            groups[grp].append(key)
        return Derived(
            concepts={c.slug: c for c in _decoded(self._all("SELECT record FROM concept ORDER BY n"), Concept)},
            analyses={a.key: a for a in _decoded(self._all("SELECT record FROM analysis ORDER BY n"), Analysis)},
            restatements=_decoded(self._all("SELECT record FROM restatement ORDER BY n"), Restatement),
            groups=tuple(tuple(group) for group in groups.values()),
            same_rules=_decoded(self._all("SELECT record FROM same_rule ORDER BY n"), SameRule),
            card_uses=_decoded(self._all("SELECT record FROM card_use ORDER BY n"), CardUse),
            works_like={
                i: msgspec.json.decode(record, type=tuple[Alike, ...])
                for i, record in self._all("SELECT oracle_id, record FROM alike ORDER BY oracle_id")
            },
        )


def _decoded(rows: Iterable[tuple[Any, ...]], kind: type[_T]) -> tuple[_T, ...]:
    decoder = msgspec.json.Decoder(kind)
    return tuple(decoder.decode(row[0]) for row in rows)
