"""Cues: read for an edition, found in texts; the quick look for hints never hides a match."""

import re

import pytest

from rulings.graph.rule_cues import Cue, CueFinder, rarity, read_cues
from rulings.graph.rule_cues import _hints as hints
from rulings.ingest import Corpus


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("any target", ("any target",)),
        ("shuffl", ("shuffl",)),
        ("first thing|second thing", ("first thing", "second thing")),
        ("(?:one|two) things?", ("thing",)),
        (r"colou?r of (?:\w+ )*", ("colo", "r of")),
        ("(?:one|two)", ()),
        ("a|long literal", ()),
    ],
)
def test_hints_are_literals_that_every_match_holds(pattern: str, expected: tuple[str, ...]):
    found = hints(pattern)
    assert all(any(hint.strip() in part or part in hint for part in expected) for hint in found)
    assert bool(found) == bool(expected)


def test_a_cue_needs_one_of_its_hints():
    finder = CueFinder(
        [Cue("1.1", re.compile(r"\bred (?:\w+ )*(?:fox|elk)"), ("fox",)), Cue("1.2", re.compile("a"), ())]
    )
    assert [(place, match[0]) for place, match in finder.find("a red old fox")] == [(0, "red old fox"), (1, "a")]
    assert [place for place, _ in finder.find("a red old elk")] == [1]
    assert list(CueFinder([]).find("a red old fox")) == []


def test_rarer_cues_weigh_more():
    cues = [Cue("1.1", re.compile("a"), ()), Cue("1.2", re.compile("zz"), ())]
    weights = rarity(cues, [[0], [0], [0, 1], []])
    assert 0 <= weights[0] < weights[1] <= 1
    assert rarity(cues, []) == {0: 0.0, 1: 0.0}


def test_cues_keep_to_rules_that_hold_their_words(made):
    edition = made.corpus_of(
        [],
        made.rule("115.4", "“Any target” means much."),
        made.rule("701", "Acts"),
        made.rule("701.8", "Destroy things."),
    ).newest
    found = {cue.rule for cue in read_cues(edition)}
    assert "115.4" in found
    assert found <= {"115.4", "701.8"}


def test_every_cue_has_its_rule_in_the_newest_rules_and_its_hints_hide_nothing(full: Corpus):
    cues = read_cues(full.newest)
    assert len(cues) >= 170
    texts = [statement.text.lower() for statement in list(full.statements.values())[::60]]
    finder = CueFinder(cues)
    assert [[place for place, _ in finder.find(t)] for t in texts] == [
        [place for place, cue in enumerate(cues) if cue.pattern.search(t)] for t in texts
    ]
