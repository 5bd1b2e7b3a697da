"""The rules book reader: real editions with their counts, made-up ones in the layouts of other years."""

import gzip
import io
import time
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from rulings.ingest.errors import SourceError
from rulings.ingest.reader import HEAD_BYTES, Head
from rulings.ingest.records import GlossaryEntry, Place, Report, Rule
from rulings.ingest.rules_text import RulesTextReader


def read(data: bytes | str, name: str = "rules.txt") -> tuple[dict[str, Rule], dict[str, GlossaryEntry], Report]:
    data = data.encode() if isinstance(data, str) else data
    report = Report()
    records = [record for record, _ in RulesTextReader().read(io.BytesIO(data), Place(name), report)]
    rules = {r.number: r for r in records if isinstance(r, Rule)}
    entries = {r.term: r for r in records if isinstance(r, GlossaryEntry)}
    assert len(rules) + len(entries) == len(records)
    return rules, entries, report


REAL = {
    "full/MagicCompRules-20210419.txt.gz": ("2021-04-22", 133, 991, 1530, 589),
    "full/MagicCompRules-20220218.txt.gz": ("2022-02-18", 137, 1027, 1599, 617),
    "full/MagicCompRules-20240308.txt.gz": ("2024-03-08", 144, 1109, 1832, 675),
    "full/MagicCompRules-20260227.txt.gz": ("2026-02-27", 146, 1158, 1962, 726),
    "rules/2013-04-29.txt": ("2013-05-01", 124, 841, 1089, 476),
    "rules/2018-10-05.txt": ("2018-10-05", 130, 937, 1380, 550),
    "rules/2022-02-18.txt": ("2022-02-18", 137, 1027, 1599, 617),
    "rules/2025-11-14.txt": ("2025-11-14", 146, 1155, 1954, 725),
}


@pytest.mark.parametrize("file", REAL)
def test_real_editions_come_in_whole(data: Path, file: str) -> None:
    content = (data / file).read_bytes()
    content = gzip.decompress(content) if file.endswith(".gz") else content
    edition, chapters, main, sub, heads = REAL[file]
    assert RulesTextReader().matches(Head(content[:HEAD_BYTES]))
    start = time.process_time()
    rules, entries, report = read(content, file)
    assert time.process_time() - start < 2
    kinds = Counter(
        "section" if len(n) == 1 else "chapter" if "." not in n else "sub" if n[-1].isalpha() else "main" for n in rules
    )
    assert kinds == {"section": 9, "chapter": chapters, "main": main, "sub": sub}
    assert len(entries) == heads
    assert {r.edition.isoformat() for r in rules.values()} == {edition}
    assert all(r.parent in rules for r in rules.values() if len(r.number) > 1)
    assert not report.problems
    assert not [n for n in rules if n.endswith(("l", "o"))]
    assert not [(r.number, n) for r in rules.values() for n in r.see if n not in rules]


def test_the_same_edition_in_two_encodings_is_the_same(data: Path) -> None:
    one = read(gzip.decompress((data / "full/MagicCompRules-20220218.txt.gz").read_bytes()))
    two = read((data / "rules/2022-02-18.txt").read_bytes())
    assert one[:2] == two[:2]


def test_cross_references_of_the_newest_edition(data: Path) -> None:
    rules, _, _ = read(gzip.decompress((data / "full/MagicCompRules-20260227.txt.gz").read_bytes()))
    assert rules["118.2"].see == ("601.2f", "601.2g", "601.2h")
    assert len([n for r in rules.values() for n in r.see]) > 1018


NEW = """Magic: The Gathering Comprehensive Rules

These rules are effective as of May 1, 2013.

Introduction

A few words. Subrule 104.3k comes before 104.3m.

Contents

1. Game Concepts
100. General
104. Ending the Game
7. Additional Rules
702. Keyword Abilities
Glossary
Credits

1. Game Concepts

100. General

100.1. Two or more may play.

100.1a A game of two has two players.

104. Ending the Game

104.3. A player can lose in many ways (see rules 702.2a through 702.2c and section 7).
Example: A player with no life loses.
_Example_: A player gives up.
And loses.

104.3k This one stands before the next.
     Of that, a second paragraph speaks.

104.3m The letter l was left out.

7. Additional Rules

702. Keyword Abilities

702.2. Deathtouch

702.2a An ability.

702.2b.Another one, glued to its number.

702.2c One more.

Glossary

Ability
1. What an object does.
2. What is on the stack.
See rule 702.

Win the Game
A happy end. See rule 104.

Credits

100.1 people made this.
"""


def test_a_book_in_the_new_layout() -> None:
    rules, entries, report = read(NEW)
    assert list(rules) == [
        *("1", "100", "100.1", "100.1a", "104", "104.3", "104.3k", "104.3m"),
        *("7", "702", "702.2", "702.2a", "702.2b", "702.2c"),
    ]
    assert rules["104.3"].see == ("702.2a", "702.2b", "702.2c", "7")
    assert rules["104.3"].examples == ("A player with no life loses.", "A player gives up.\nAnd loses.")
    assert rules["104.3k"].text == "This one stands before the next.\nOf that, a second paragraph speaks."
    assert rules["702.2b"].text == "Another one, glued to its number."
    assert [rules[n].parent for n in ("1", "100", "100.1", "100.1a")] == [None, "1", "100", "100.1"]
    assert rules["702"].text == "Keyword Abilities"
    assert rules["1"].edition == date(2013, 5, 1)
    assert entries["Ability"].rules == ("702",)
    assert list(entries) == ["Ability", "Win the Game"]
    assert not report.problems


OLD = """Magic: The Gathering Comprehensive Rules

These rules are effective as of
October 1, 2004

Contents

1. The Game
100. General
101. Starting the Game
5. Additional Rules
502. Keyword Abilities
Glossary
Credits

1. The Game

100. General

100.1 Two or more may play.

101. Starting the Game

101.1. Each one shuffles.

101.1a text of a lesser rule that starts with a small letter.

101.2. A wrapped line goes on, as told by rule
101.3, until its end.

101.3. Another goes on by its number,
502.19b, until its end.

5. Additional Rules

502. Keyword Abilities

502.19. Cycling

502.19a Cycling is done from the hand.

502.19b It can be seen by other abilities; see rules 101.1-101.2.

GLOSSARY

Cycling
A card is put away for another. See rule 502.19, "Cycling."
Damage
It is dealt to creatures and players.

Credits
"""


def test_a_book_in_the_old_layout() -> None:
    rules, entries, report = read(OLD, "MagicCompRules_20040920.txt")
    assert {r.edition for r in rules.values()} == {date(2004, 10, 1)}
    assert list(rules) == [
        *("1", "100", "100.1", "101", "101.1", "101.1a", "101.2", "101.3"),
        *("5", "502", "502.19", "502.19a", "502.19b"),
    ]
    assert rules["101.2"].text == "A wrapped line goes on, as told by rule 101.3, until its end."
    assert rules["101.3"].text == "Another goes on by its number, 502.19b, until its end."
    assert rules["502.19b"].see == ("101.1", "101.2")
    assert {e.term: e.rules for e in entries.values()} == {"Cycling": ("502.19",), "Damage": ()}
    assert not report.problems


def test_typing_errors_in_numbers_are_mended_and_noted() -> None:
    text = NEW.replace("702.2b.Another", "720.2b Another").replace("104.3m The", "104.3k The")
    rules, _, report = read(text)
    assert rules["702.2b"].text.startswith("Another")
    assert rules["104.3m"].text.startswith("The letter")
    assert [note.reason.split(",")[0] for note in report.notes] == [
        "number 104.3k taken as 104.3m",
        "number 720.2b taken as 702.2b",
    ]


@pytest.mark.parametrize(
    ("line", "name", "edition"),
    [
        ("These rules are effective as of February 27, 2026.", "r.txt", date(2026, 2, 27)),
        ("Effective July 23, 2003", "r.txt", date(2003, 7, 23)),
        ("Last updated: 1 October 2005", "r.txt", date(2005, 10, 1)),
        ("These rules, as of 06/01/2006, are final.", "r.txt", date(2006, 6, 1)),
        ("The rules of the game.", "old.zip!books/MagicCompRules_EN_20070713.txt", date(2007, 7, 13)),
        ("The rules of the game.", "2013-04-29.txt", date(2013, 4, 29)),
        ("The rules of the game. May 5, 2008", "r.txt", date(2008, 5, 5)),
    ],
)
def test_the_day_of_effect(line: str, name: str, edition: date) -> None:
    rules, _, _ = read(NEW.replace("These rules are effective as of May 1, 2013.", line), name)
    assert {r.edition for r in rules.values()} == {edition}


def test_no_day_at_all_is_refused_with_the_remedy() -> None:
    with pytest.raises(SourceError, match="put it in the file's name"):
        read(NEW.replace("These rules are effective as of May 1, 2013.", ""))


def test_text_without_rules_is_refused() -> None:
    with pytest.raises(SourceError, match="no numbered rule"):
        read("Comprehensive Rules\n\nMay 1, 2013\n")


def test_a_book_cut_short_is_told() -> None:
    _, _, report = read(NEW[: NEW.rindex("702.2c")])
    assert "cut short" in report.problems[0].reason


def test_a_glossary_cut_short_is_noted() -> None:
    rules, entries, report = read(NEW[: NEW.rindex("Credits")])
    assert (len(rules), len(entries)) == (14, 2)
    assert "cut short" in report.notes[0].reason
    assert not read(NEW)[2].notes


def test_a_term_given_twice_keeps_both_texts() -> None:
    _, entries, _ = read(NEW.replace("Win the Game\n", "Ability\nMore about it.\n\nWin the Game\n"))
    assert entries["Ability"].text.endswith("See rule 702.\nMore about it.")


@pytest.mark.parametrize(
    "text", ["", "1. One\n2. Two\n", "The Comprehensive Rules are long.\n", '{"a": 1}', "2018-07-08\nA card.\n"]
)
def test_other_texts_are_not_claimed(text: str) -> None:
    assert not RulesTextReader().matches(Head(text.encode()))
