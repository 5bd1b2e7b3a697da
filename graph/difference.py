"""The lines of the graph that two generations of the same cards and rules don't share, from their written records."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from rulings.graph.archive import Analyses
from rulings.graph.asserted import ruling_line, statement_line
from rulings.graph.derived import analysis_lines, concept_lines, copy_lines, pair_line
from rulings.graph.records import Analysis, CardUse, Concept, Restatement
from rulings.graph.vocabulary import Iris
from rulings.ingest import Archive, Card, Statement

_STATEMENT, _ANALYSIS = msgspec.json.Decoder(Statement), msgspec.json.Decoder(Analysis)
_T = TypeVar("_T")


class Sides(NamedTuple):
    """The written records of a generation: its ``records.sqlite`` and its ``links.sqlite``."""

    records: Path
    links: Path


class Difference(NamedTuple):
    """N-Quads lines that are gone and that are new; neither holds one twice."""

    gone: set[str]
    new: set[str]


def difference(old: Sides, new: Sides, iris: Iris) -> Difference:
    """Find the lines of the statements, rulings, concepts and their edges that differ.

    Cards, printed names, rules and what links them to each other must be the same on both sides (`cards_digest`).

    Raises:
        StoreError: the links of a side can't be read.
        ArchiveError: the records of a side can't be read.
    """
    one, other = _Side(old), _Side(new)
    before, after = _lines(one, other, iris), _lines(other, one, iris)
    return Difference(before - after, after - before)


class _Side:
    """One of the two generations: what it has by key, as written."""

    def __init__(self, sides: Sides) -> None:
        self.archive, self.links = Archive(sides.records), Analyses(sides.links)
        self.statements = self.archive.records("statement", "key")
        self.analyses = self.links.records("analysis", "key")
        self.pairs = set(self.links.records("restatement", "n").values())
        self.concepts = _decoded(self.links.records("concept", "slug").values(), Concept)
        self._cards: dict[str, Card] = {}

    def statement(self, key: str) -> Statement:
        return _STATEMENT.decode(self.statements[key])

    def analysis(self, key: str) -> Analysis:
        return _ANALYSIS.decode(self.analyses[key])

    def card(self, oracle_id: str) -> Card:
        if oracle_id not in self._cards:
            self._cards[oracle_id] = self.archive.card(oracle_id) or Card(oracle_id)
        return self._cards[oracle_id]


def _lines(side: _Side, other: _Side, iris: Iris) -> set[str]:
    """The lines of a side that the other may not have, each line by itself."""
    newest = side.archive.newest
    blocks: list[str] = []
    for key, raw in side.statements.items():
        if other.statements.get(key) != raw:
            statement = side.statement(key)
            blocks.append(statement_line(statement, iris))
            blocks += (ruling_line(ruling, side.card(ruling.oracle_id), iris) for ruling in statement.rulings)
    for key, raw in side.analyses.items():
        if other.analyses.get(key) != raw:
            blocks += analysis_lines(side.analysis(key), newest.effective if newest else None, iris)
    blocks += (pair_line(pair, iris) for pair in _decoded(side.pairs - other.pairs, Restatement))
    sizes = {concept.slug: side.links.concept_size(concept.slug) for concept in side.concepts}
    blocks += concept_lines(newest, {concept.slug: concept for concept in side.concepts}, sizes, iris)
    blocks += _copies(side, iris)
    return {line for block in blocks for line in block.splitlines(keepends=True)}


def _copies(side: _Side, iris: Iris) -> Iterator[str]:
    """What cards copy: whole, for of several statements that say the same the first one is the evidence."""
    raw = side.links.records("card_use", "n").values()
    uses = _decoded((record for record in raw if b'"copies"' in record), CardUse)
    keys = [key for key, record in side.analyses.items() if b'"copies":[]' not in record]
    said = ((side.analysis(key), side.statement(key).oracle_ids) for key in keys)
    cards = {use.oracle_id: side.card(use.oracle_id) for use in uses}
    yield from copy_lines(said, uses, cards, {concept.slug for concept in side.concepts}, iris)


def _decoded(records: Iterable[bytes], kind: type[_T]) -> list[_T]:
    decoder = msgspec.json.Decoder(kind)
    return [decoder.decode(record) for record in records]
