"""Fixtures of the graph's tests: makers of small made-up corpora."""

from collections.abc import Iterable
from datetime import date
from types import SimpleNamespace

import pytest

from rulings.ingest import Card, Corpus, CorpusBuilder, GlossaryEntry, Place, Record, Rule, Ruling

DAY = date(2020, 1, 1)
PLACE = Place("made-up")


def corpus_of(
    statements: Iterable[tuple[str, str] | tuple[str, str, date]], *more: Record, types: str = "Creature"
) -> Corpus:
    """Card name, text and day (else `DAY`) of each ruling; other records besides."""
    builder = CorpusBuilder()
    rulings = [(s[0], s[1], s[2] if len(s) > 2 else DAY) for s in statements]
    for name in dict.fromkeys(name for name, _, _ in rulings):
        builder.add(Card(name, oracle_id=f"id {name}", type_line=types), PLACE)
    for name, text, day in rulings:
        builder.add(Ruling(text, day, "made-up", oracle_id=f"id {name}"), PLACE)
    for record in more:
        builder.add(record, PLACE)
    return builder.finish()


def rule(number: str, text: str, edition: date = DAY) -> Rule:
    """A rule whose parent is told from its number."""
    parent = (
        number[:-1]
        if number[-1].isalpha()
        else number.partition(".")[0]
        if "." in number
        else number[0]
        if len(number) > 1
        else None
    )
    return Rule(number, text, edition, parent)


def entry(term: str, text: str, edition: date = DAY, rules: tuple[str, ...] = ()) -> GlossaryEntry:
    """A glossary entry."""
    return GlossaryEntry(term, text, edition, rules)


@pytest.fixture(scope="session")
def made() -> SimpleNamespace:
    """Makers: ``corpus_of(statements, *records)``, ``rule(number, text, edition)``, ``entry(term, text, edition)``."""
    return SimpleNamespace(corpus_of=corpus_of, rule=rule, entry=entry)
