"""Why statements are outdated, one reason at a time; citations; and the floor on the gold set."""

import json
from datetime import date
from pathlib import Path

import pytest

from rulings.graph.concepts import ConceptScheme
from rulings.graph.obsolete_terms import obsolete_terms
from rulings.graph.outdated import citations, outdatings
from rulings.graph.records import Analysis, CardMention, Outdating
from rulings.graph.restates import find_restatements
from rulings.graph.rule_editions import RuleHistory, align
from rulings.graph.written_numbers import written_rule_numbers
from rulings.ingest import Corpus, key

OLD, NEW = date(2020, 1, 1), date(2022, 1, 1)


@pytest.fixture
def book(made):
    rule, entry = made.rule, made.entry
    return (
        rule("7", "More", OLD),
        rule("702", "Kinds", OLD),
        rule("702.1", "Gnashing", OLD),
        rule("702.1a", "A gnasher bites anything near it.", OLD),
        rule("702.2", "Hovering", OLD),
        rule("702.2a", "A hoverer floats over walls and moats.", OLD),
        rule("7", "More", NEW),
        rule("702", "Kinds", NEW),
        rule("702.1", "Hovering", NEW),
        rule("702.1a", "A hoverer floats over walls and moats.", NEW),
        rule("702.2", "Biting", NEW),
        rule("702.2a", "A gnasher bites anything near it.", NEW),
        entry("Weighing Order", "The order of weights.", OLD),
        entry("Pile of Stones", "Stones in a pile.", OLD),
        entry("Pile of Stones", "Stones in a pile.", NEW),
        entry("Grand Total (Obsolete)", "An obsolete term for full sum. Nothing prints it.", NEW),
        entry("Redirect (Obsolete)", "An obsolete term for turning away.", NEW),
        entry("Oldkind (Obsolete)", "An older name for newkind, renamed.", NEW, ("702.1",)),
    )


def reasons(
    made, book, text: str, analyses: dict[str, Analysis] | None = None, day: date = OLD
) -> tuple[Outdating, ...]:
    corpus = made.corpus_of([("Red Fox", text, day)], *book)
    history = RuleHistory(corpus.editions, align(corpus))
    return outdatings(corpus, ConceptScheme({}, ()), analyses or {}, (), history).get(key(text), ())


@pytest.mark.parametrize(
    ("text", "method", "reason"),
    [
        ("Add the grand total.", "obsolete term", '"grand total" is no longer a term of the rules; now "full sum"'),
        ("Each oldkind counts.", "obsolete term", '"oldkind" is no longer a term of the rules; now "newkind"'),
        ("Choose a weighing order.", "vanished term", '"weighing order" is no longer a term of the rules'),
        ("It has gnashing, too.", "vanished term", '"gnashing" is no longer a term of the rules; now "biting"'),
        ("See rule 702.1a.", "moved rule", "rule 702.1a is now 702.2a"),
        ("See rule 702.9.", "moved rule", "rule 702.9 is gone"),
    ],
)
def test_reason(made, book, text: str, method: str, reason: str):
    found = reasons(made, book, text)
    assert [(each.method, each.reason) for each in found] == [(method, reason)]
    assert text[found[0].start : found[0].end].lower() in reason


@pytest.mark.parametrize(
    "text", ["Add the full sum.", "A pile of stones has hovering.", "You may redirect it.", "Count to 702."]
)
def test_in_force(made, book, text: str):
    assert reasons(made, book, text) == ()


def test_a_term_inside_a_card_name_is_no_term(made, book):
    text = "Grand Total of Fire may be named."
    named = {key(text): Analysis(key(text), mentions_cards=(CardMention("x", "Grand Total of Fire", 0, 19, 1.0),))}
    assert reasons(made, book, text)
    assert reasons(made, book, text, named) == ()


def test_terms_that_the_rules_still_use_are_none(made):
    corpus = made.corpus_of(
        [],
        made.rule("1", "Set things right aside, things right again.", NEW),
        made.entry("Things Right (Obsolete)", "An obsolete term for order.", NEW),
    )
    assert "things right" not in {term.name for term in obsolete_terms(corpus, RuleHistory(corpus.editions, ()))}
    once = made.corpus_of(
        [],
        made.rule("1", "Set it aside.", NEW),
        made.entry("Things Right (Obsolete)", "An obsolete term for order.", NEW),
    )
    assert "things right" in {term.name for term in obsolete_terms(once, RuleHistory(once.editions, ()))}


def test_the_table_counts_where_the_rules_have_no_note(made, book):
    assert [each.method for each in reasons(made, book, "Its converted mana cost is 3.")] == ["renamed term"]


def test_citations_are_read_on_the_day_of_the_ruling(made, book):
    text = "As rules 702.1a and 702.2 say."
    corpus = made.corpus_of([("Red Fox", text, OLD)], *book)
    history = RuleHistory(corpus.editions, align(corpus))
    found = citations(corpus.statements[key(text)], written_rule_numbers(text), history)
    assert [(c.written, c.number, c.edition, text[c.start : c.end]) for c in found] == [
        ("702.1a", "702.2a", OLD, "702.1a"),
        ("702.2", "702.1", OLD, "702.2"),
    ]
    newer = made.corpus_of([("Red Fox", text, NEW)], *book)
    found = citations(newer.statements[key(text)], written_rule_numbers(text), history)
    assert [c.number for c in found] == ["702.1a", "702.2"]
    assert citations(newer.statements[key(text)], written_rule_numbers(text), RuleHistory((), ())) == ()


def test_gold(full: Corpus, data: Path):
    history = RuleHistory(full.editions, align(full))
    _, groups = find_restatements(full)
    found = outdatings(full, ConceptScheme({}, ()), {}, groups, history)
    counts = [0, 0, 0]
    for line in (data / "gold" / "relations-dev.jsonl").read_text(encoding="utf-8").splitlines():
        each = json.loads(line)
        got = key(each["text"]) in found
        counts[0] += got and each["stale"]
        counts[1] += got and not each["stale"]
        counts[2] += each["stale"] and not got
    tp, fp, fn = counts
    assert 2 * tp / (2 * tp + fp + fn) >= 0.80, counts
