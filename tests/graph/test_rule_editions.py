"""Rule numbers over time: editions by day, renumberings, numbers told by their words; and a list checked by hand."""

from datetime import date
from pathlib import Path

import pytest

from rulings.graph.records import SameRule
from rulings.graph.rule_editions import RuleHistory, align
from rulings.ingest import Corpus, Edition, Rule

A, B, C = date(2020, 1, 1), date(2021, 1, 1), date(2022, 1, 1)


@pytest.fixture
def history() -> RuleHistory:
    return RuleHistory(
        [C, A, B],
        [
            SameRule(A, "100.1", B, "100.2", 1.0, "same text"),
            SameRule(B, "100.2", C, "101.1", 0.8, "alike"),
            SameRule(B, "100.1", C, "100.1", 1.0, "same text"),
            SameRule(A, "100.3", B, None, 0.8, "nothing alike"),
        ],
    )


@pytest.mark.parametrize(
    ("number", "day", "expected"),
    [
        ("100.1", date(2020, 6, 1), "101.1"),
        ("100.1", B, "100.1"),
        ("100.2", date(2021, 12, 31), "101.1"),
        ("101.1", date(2030, 1, 1), "101.1"),
        ("100.1", date(1999, 1, 1), "101.1"),
        ("100.3", A, None),
        ("999.9", A, None),
    ],
)
def test_numbers_are_followed_from_the_edition_in_force(
    history: RuleHistory, number: str, day: date, expected: str | None
):
    assert history.follow(number, day) == expected


def test_the_weakest_step_gives_the_confidence(history: RuleHistory):
    assert history.path("100.1", A) == ("101.1", 0.8)


def test_edition_on(history: RuleHistory):
    assert [history.edition_on(d) for d in (date(1999, 1, 1), A, date(2020, 12, 31), C)] == [A, A, A, C]
    assert RuleHistory([], []).edition_on(A) is None
    assert RuleHistory([], []).follow("100.1", A) is None


def test_a_number_older_than_the_first_edition_is_told_by_its_words():
    texts = {"100.1": "A camel with no water left lies down.", "100.2": "A stamp collector licks envelopes on Sundays."}
    edition = Edition(B, {n: Rule(n, t, B, "100") for n, t in texts.items()}, {})
    history = RuleHistory({B: edition}, [])
    assert history.meant("100.2", A, "Your camel keeps walking with no water left.")[0] == "100.1"
    assert history.meant("100.2", C, "Your camel keeps walking with no water left.") == ("100.2", 1.0)


def test_numbers_checked_by_hand(full: Corpus):
    history = RuleHistory(full.editions, align(full))
    first = min(full.editions)
    lines = (Path(__file__).with_name("rule_following.tsv")).read_text(encoding="utf-8").splitlines()[1:]
    wrong = [line for line in lines if (history.follow(line.split("\t")[0], first) or "gone") != line.split("\t")[1]]
    assert len(lines) == 100
    assert len(wrong) <= 3, wrong


def test_every_number_of_every_edition_has_an_entry(full: Corpus):
    pairs = align(full)
    days = sorted(full.editions)
    assert [(p.edition, p.number) for p in pairs] == [(day, n) for day in days[:-1] for n in full.editions[day].rules]
    for day in days[1:]:
        taken = [p.object_number for p in pairs if p.object_edition == day and p.object_number and p.method != "merged"]
        assert len(taken) == len(set(taken))
