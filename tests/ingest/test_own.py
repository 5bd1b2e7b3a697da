"""The project's own JSON lines and tables: what docs/formats.md promises, and faults line by line."""

import io
import json
import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.ingest.errors import LimitError
from rulings.ingest.limits import LINE_CHARS
from rulings.ingest.own import OwnReader
from rulings.ingest.reader import Head, Reader
from rulings.ingest.records import Card, Face, GlossaryEntry, Place, Printing, Record, Report, Rule, Ruling
from rulings.ingest.table import TableReader

RULING = {"kind": "ruling", "card": "Mimic", "published": "2020-01-31", "text": "So it is."}
MADE = Ruling("So it is.", date(2020, 1, 31), "own", None, "Mimic")


def read(data: bytes | str, reader: Reader | None = None, report: Report | None = None) -> list[tuple[Record, Place]]:
    data = data.encode() if isinstance(data, str) else data
    reader = reader or OwnReader()
    assert reader.matches(Head(data[:65536], "f"))
    return list(reader.read(io.BytesIO(data), Place("f"), Report() if report is None else report))


def records(*items: object) -> list[Record]:
    return [record for record, _ in read("\n".join(json.dumps(item) for item in items))]


def test_card_with_faces_and_names() -> None:
    faces = [{"name": "Left", "text": "One.", "power": 1}, {"name": "Right", "type_line": "Instant"}]
    names = {"de": ["Links // Rechts", "Links"], "fr": []}
    item = {
        "kind": "card",
        "name": "Left // Right",
        "layout": "split",
        "faces": faces,
        "names": names,
        "keywords": ["Flash"],
    }
    card, *printings = records(item)
    assert isinstance(card, Card)
    assert (card.name, card.layout, card.keywords, card.oracle_id) == ("Left // Right", "split", ("Flash",), None)
    assert card.faces == (Face("Left", text="One.", power="1"), Face("Right", type_line="Instant"))
    assert printings == [Printing("Left // Right", "de", n) for n in ("Links // Rechts", "Links")]
    (plain,) = records({"kind": "card", "name": "Mimic", "text": "Text.", "oracle_id": "1"})
    assert plain == Card("Mimic", "1", faces=(Face("Mimic", text="Text."),), text="Text.")


def test_ruling_rule_and_glossary() -> None:
    full = {**RULING, "oracle_id": "1", "source": "house", "face": "Left"}
    assert records(RULING, full) == [MADE, Ruling("So it is.", date(2020, 1, 31), "house", "1", "Mimic", "Left")]
    rule = {
        "kind": "rule",
        "number": "702.19b.",
        "text": "See rule 613 and 510.1c.",
        "edition": "2020-01-01",
        "examples": ["E."],
    }
    term = {"kind": "glossary", "term": "Deep", "text": "See rule 702.19b.", "edition": "2020-01-01"}
    day = date(2020, 1, 1)
    assert records(rule, term) == [
        Rule("702.19b", "See rule 613 and 510.1c.", day, "702.19", ("E.",), ("613", "510.1c")),
        GlossaryEntry("Deep", "See rule 702.19b.", day, ("702.19b",)),
    ]
    numbers = [("7", None), ("702", "7"), ("702.19", "702"), ("702.19b", "702.19")]
    made = records(*({**rule, "number": number} for number, _ in numbers))
    assert [(r.number, r.parent) for r in made if isinstance(r, Rule)] == numbers


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("{", "malformed"),
        ("[1]", "the line is a list"),
        ('{"kind": "ruling", "kind": "card"}', "twice"),
        ('{"kind": "ruling", "text": NaN}', "NaN"),
        ('{"kind": "song"}', "'song' is unknown"),
        ('{"kind": "ruling", "card": "x", "published": "2020-01-31"}', "'text' is missing"),
        ('{"kind": "ruling", "text": "x", "published": "2020-01-31"}', "'card' or 'oracle_id'"),
        ('{"kind": "ruling", "card": "x", "text": "x", "published": "2020-13-31"}', "no day"),
        ('{"kind": "ruling", "card": "x", "text": "\\ud800", "published": "2020-01-31"}', "U+D800"),
        ('{"kind": "rule", "number": "7.1", "text": "x", "edition": "2020-01-31"}', "not a rule number"),
        ('{"kind": "card", "name": "x", "names": []}', None),
        ('{"kind": "card", "name": "x", "names": {"de": "y"}}', "'de' is a text, not a list"),
        ("[" * 100_000, "nested"),
    ],
)
def test_faulty_line_is_a_problem_and_the_rest_goes_on(bad: str, reason: str | None) -> None:
    report = Report()
    made = read(f"{json.dumps(RULING)}\n{bad}\n\n{json.dumps(RULING)}\n", report=report)
    assert [str(place) for record, place in made if record == MADE] == ["f, line 1", "f, line 4"]
    assert [str(p.place) for p in report.problems] == (["f, line 2"] if reason else [])
    assert all(reason and reason in p.reason for p in report.problems)


def test_broken_bytes_cost_their_line_only() -> None:
    report = Report()
    line = json.dumps(RULING).encode()
    assert len(read(line + b"\n" + line.replace(b"So", b"\xff") + b"\r\n" + line, report=report)) == 2
    assert "broken byte U+DCFF" in report.problems[0].reason


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(encoding: str, end: str) -> None:
    line = json.dumps(RULING)
    assert [r for r, _ in read(f"{line}{end}{line}".encode(encoding))] == [MADE, MADE]


def test_long_line_is_refused() -> None:
    with pytest.raises(LimitError, match="f, line 1: a line of over"):
        read('{"kind": "ruling", "text": "' + "x" * LINE_CHARS + '"}')


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).map(str.strip).filter(bool)


@given(WORDS, WORDS, st.dates(), st.none() | WORDS, st.none() | WORDS)
def test_rulings_come_back(card: str, words: str, day: date, oracle_id: str | None, face: str | None) -> None:
    item = {
        "kind": "ruling",
        "card": card,
        "published": day.isoformat(),
        "text": words,
        "oracle_id": oracle_id,
        "face": face,
    }
    assert records(item) == [Ruling(words, day, "own", oracle_id, card, face)]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_table_of_rulings(delimiter: str, encoding: str) -> None:
    rows = [
        ["Card", "published", "TEXT", "remark", "source"],
        ["Mimic", "2020-01-31", '"So it is."', "", ""],
        ["", "", "", "", ""],
        ["Mimic", "2020-01-31", '"First, then; and\ta ""word""\nnext line"', "x", "house"],
    ]
    made = read("\r\n".join(delimiter.join(row) for row in rows).encode(encoding), TableReader())
    second = Ruling('First, then; and\ta "word"\nnext line', date(2020, 1, 31), "house", None, "Mimic")
    assert [(record, place.position) for record, place in made] == [(MADE, "line 2"), (second, "line 4")]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("Mimic,2020-01-31", "'text' is missing"),
        ("Mimic,soon,x", "not a day"),
        ("Mimic,2020-01-31,one, two", "4 cells under 3 columns"),
        ('Mimic,2020-01-31,"a" b', "malformed row"),
        ("Mimic,2020-01-31,a\0b", "U+0000"),
        (",2020-01-31,x", "'card' or 'oracle_id'"),
    ],
)
def test_faulty_row_is_a_problem_and_the_rest_goes_on(bad: str, reason: str) -> None:
    report = Report()
    good = "Mimic,2020-01-31,So it is."
    assert len(read(f"card,published,text\n{good}\n{bad}\n{good}\n", TableReader(), report)) == 2
    assert [(str(p.place), reason in p.reason) for p in report.problems] == [("f, line 3", True)]


def test_open_quote_does_not_swallow_the_file() -> None:
    report = Report()
    good = "Mimic,2020-01-31,So it is.\n"
    made = read(f'card,published,text\nMimic,2020-01-31,"open\n{good * 20_000}', TableReader(), report)
    assert report.problems
    assert len(made) > 10_000


def test_examples_of_the_documentation_are_read() -> None:
    text = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
    blocks = dict(re.findall(r"```(jsonl|csv)\n(.*?)```", text, re.DOTALL))
    report = Report()
    made = [type(record).__name__ for record, _ in read(blocks["jsonl"], report=report)]
    assert made == ["Card", "Printing", "Ruling", "Rule", "GlossaryEntry"]
    assert len(read(blocks["csv"], TableReader(), report)) == 1
    assert not report.problems


def test_other_files_are_not_taken() -> None:
    for content in (b'{"object": "card"}', b"[]", b"", b"card;text\n", b"name,published,text\n", b"\xff\xfe\x00"):
        assert not OwnReader().matches(Head(content))
        assert not TableReader().matches(Head(content))
