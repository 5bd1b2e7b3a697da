"""The MTGJSON reader: versions 3, 4 and 5, sets and cards by name, real set files."""

import io
import json
from datetime import date
from pathlib import Path

import pytest

from rulings.ingest.mtgjson import MtgjsonReader
from rulings.ingest.reader import Head
from rulings.ingest.records import Card, Place, Printing, Record, Report, Ruling

META = {"date": "2022-04-25", "version": "5.2.0"}
DAY = date(2020, 1, 31)


def read(content: object, report: Report | None = None) -> list[Record]:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    assert MtgjsonReader().matches(Head(data[:65536], "f.json"))
    report = Report() if report is None else report
    return [record for record, _ in MtgjsonReader().read(io.BytesIO(data), Place("f.json"), report)]


def rulings(*texts: str) -> list[dict[str, str]]:
    return [{"date": "2020-01-31", "text": text} for text in texts]


def v5(name: str = "Mimic", face: str | None = None, side: str | None = None, **others: object) -> dict[str, object]:
    item: dict[str, object] = {"name": name, "layout": "normal", "types": [], "setCode": "ABC", **others}
    item["identifiers"] = {"scryfallOracleId": f"id of {name}"}
    return item if face is None else {**item, "faceName": face, "side": side}


def set_file(*cards: object, tokens: list[object] | None = None) -> dict[str, object]:
    return {
        "meta": META,
        "data": {"baseSetSize": 1, "booster": {"deep": [[{}]]}, "cards": cards, "tokens": tokens or []},
    }


def split(**others: object) -> list[dict[str, object]]:
    both = rulings("Both repeat it.")
    name = "Left // Right"
    return [
        v5(name, "Right", "b", layout="split", text="Two.", manaCost="{2}", rulings=both, **others),
        v5(
            name,
            "Left",
            "a",
            layout="split",
            text="One.",
            manaCost="{1}",
            rulings=both + rulings("Left alone."),
            **others,
        ),
    ]


def test_v5_card_with_rulings_and_foreign_names() -> None:
    foreign = [
        {"language": "German", "name": "Mimik", "text": "Satz.", "type": "Kreatur"},
        {"language": "Portuguese (Brazil)", "name": "Mimico"},
        {"language": "Klingon", "name": "mIm"},
        {"language": "French", "name": ""},
    ]
    made = read(set_file(v5(text="Text.", rulings=rulings("So it is."), foreignData=foreign, printings=["XYZ"])))
    assert isinstance(made[0], Card)
    assert (made[0].oracle_id, made[0].sets, made[0].text) == ("id of Mimic", ("ABC", "XYZ"), "Text.")
    assert [(p.language, p.printed_name, p.printed_text) for p in made if isinstance(p, Printing)] == [
        ("de", "Mimik", "Satz."),
        ("pt", "Mimico", ""),
        ("klingon", "mIm", ""),
    ]
    assert made[-1] == Ruling("So it is.", DAY, "wotc", "id of Mimic", "Mimic")


def test_faces_become_one_card_and_their_repeated_rulings_one() -> None:
    made = read(set_file(*split(), v5(), *split()))
    cards = [c for c in made if isinstance(c, Card)]
    assert [c.name for c in cards] == ["Mimic", "Left // Right"]
    assert [(f.name, f.text) for f in cards[1].faces] == [("Left", "One."), ("Right", "Two.")]
    assert (cards[1].layout, cards[1].mana_cost) == ("split", "{1} // {2}")
    assert [(r.text, r.face) for r in made if isinstance(r, Ruling)] == [
        ("Both repeat it.", None),
        ("Left alone.", "Left"),
    ]


def test_foreign_faces() -> None:
    left, right = split()[1], split()[0]
    left["foreignData"] = [{"language": "German", "name": "Links // Rechts", "faceName": "Links"}]
    right["foreignData"] = [{"language": "German", "name": "Links // Rechts"}]
    made = read(set_file(left, right))
    assert {(p.name, p.printed_name) for p in made if isinstance(p, Printing)} == {
        ("Left", "Links"),
        ("Right", "Rechts"),
        ("Left // Right", "Links // Rechts"),
    }


def test_v4_halves_are_one_card() -> None:
    halves = [
        {
            "name": n,
            "names": ["Left", "Right"],
            "layout": "split",
            "side": s,
            "text": t,
            "scryfallOracleId": "1",
            "foreignData": [{"language": "German", "name": g}],
            "rulings": rulings("Both repeat it."),
        }
        for n, s, t, g in (("Right", "b", "Two.", "Rechts"), ("Left", "a", "One.", "Links"))
    ]
    made = read({"baseSetSize": 1, "boosterV3": [["rare"]], "cards": halves, "code": "ABC", "meta": META})
    (card,) = [c for c in made if isinstance(c, Card)]
    assert (card.name, card.oracle_id, [f.text for f in card.faces]) == ("Left // Right", "1", ["One.", "Two."])
    assert {(p.name, p.printed_name) for p in made if isinstance(p, Printing)} == {
        ("Left", "Links"),
        ("Right", "Rechts"),
        ("Left // Right", "Links // Rechts"),
    }
    assert [(r.text, r.face, r.card) for r in made if isinstance(r, Ruling)] == [
        ("Both repeat it.", None, "Left // Right")
    ]


def v3_card() -> dict[str, object]:
    foreign = [{"language": "German", "name": "Mimik", "multiverseid": 1}]
    return {
        "name": "Mimic",
        "layout": "normal",
        "types": [],
        "cmc": 2,
        "foreignNames": foreign,
        "rulings": rulings("So it is."),
    }


@pytest.mark.parametrize(
    "content",
    [
        {"name": "Some Set", "code": "ABC", "border": "black", "cards": [v3_card()]},
        {"ABC": {"name": "Some Set", "code": "ABC", "border": "black", "cards": [v3_card()]}},
        {"Mimic": v3_card()},
    ],
)
def test_v3_sets_and_cards_have_no_ids(content: object) -> None:
    card, printing, ruling = read(content)
    assert isinstance(card, Card)
    assert card.oracle_id is None
    assert printing == Printing("Mimic", "de", "Mimik")
    assert ruling == Ruling("So it is.", DAY, "wotc", None, "Mimic")


def test_v3_names_of_layouts_are_those_of_today() -> None:
    item = {**v3_card(), "layout": "double-faced", "names": ["Mimic", "Mimic at Night"], "number": "1a"}
    other = {**item, "name": "Mimic at Night", "number": "1b"}
    (card,) = [c for c in read({"border": "black", "cards": [other, item]}) if isinstance(c, Card)]
    assert (card.layout, [f.name for f in card.faces]) == ("transform", ["Mimic", "Mimic at Night"])


@pytest.mark.parametrize(
    "content",
    [
        {"meta": META, "data": {"ABC": set_file(*split())["data"], "DEF": set_file(*split())["data"]}},
        {"meta": META, "data": {"Left // Right": split()}},
        {"data": {"Left // Right": split()}, "meta": META},
    ],
)
def test_all_printings_and_atomic_cards(content: object) -> None:
    made = read(content)
    assert [c.name for c in made if isinstance(c, Card)] == ["Left // Right"]
    assert len([r for r in made if isinstance(r, Ruling)]) == 2


def test_meld_parts_are_cards_of_their_own() -> None:
    names = ["Part", "Other Part", "Whole"]
    items = [{**v3_card(), "name": n, "names": names, "layout": "meld"} for n in names]
    assert [c.name for c in read({"border": "black", "cards": items}) if isinstance(c, Card)] == names


def test_tokens_keep_a_layout_that_says_so_and_dungeons_are_cards() -> None:
    tokens = [v5("Beast", type="Token Creature — Beast"), v5("Deep Cave", type="Dungeon")]
    made = read(set_file(v5(), tokens=tokens))
    assert [(c.name, c.is_token) for c in made if isinstance(c, Card)] == [
        ("Mimic", False),
        ("Beast", True),
        ("Deep Cave", False),
    ]


def test_files_without_cards_are_noted() -> None:
    report = Report()
    assert read({"meta": META, "data": {"abilityWords": ["x"]}}, report) == []
    assert "without cards" in report.notes[0].reason


@pytest.mark.parametrize(
    ("bad", "kept", "reason"),
    [
        ({**v5("Bad"), "name": None}, 2, "'name' is missing"),
        ({**v5("Bad"), "text": 5}, 2, "'text' is a number"),
        ({**v5("Bad"), "rulings": rulings(" ", "Good.")}, 4, "a ruling: field 'text' is missing"),
        ({**v5("Bad"), "rulings": [{"date": "soon", "text": "x"}]}, 3, "a ruling: field 'date'"),
        ({**v5("Bad"), "rulings": 5}, 3, "'rulings' is a number"),
        ({**v5("Bad"), "foreignData": [{"name": "x"}]}, 3, "a foreign name: field 'language'"),
        ("text", 2, "the record is a text"),
    ],
)
def test_faulty_record_is_a_problem_and_the_rest_goes_on(bad: object, kept: int, reason: str) -> None:
    report = Report()
    assert len(read(set_file(v5("One"), bad, v5("Two")), report)) == kept
    (problem,) = report.problems
    assert reason in problem.reason
    assert str(problem.place) == "f.json, cards, item 2"


def test_other_json_is_not_taken() -> None:
    for content in (
        {"kind": "card"},
        [1],
        {"object": "card", "name": "x"},
        {},
        {"data": [1]},
        {"data": {"x": 1}},
        {"cards": ["x"]},
    ):
        assert not MtgjsonReader().matches(Head(json.dumps(content).encode()))


@pytest.mark.parametrize("name", ["C18", "UST", "AFR", "RNA"])
def test_real_sets_come_whole(data: Path, name: str) -> None:
    report = Report()
    raw = (data / "mtgjson" / f"{name}.json").read_bytes()
    made = read(raw, report)
    assert not report.problems
    entries = [e for part in ("cards", "tokens") for e in json.loads(raw)["data"][part]]
    oracle_ids = {e["identifiers"]["scryfallOracleId"] for e in entries}
    assert {c.oracle_id for c in made if isinstance(c, Card)} == oracle_ids
    published = {
        (e["identifiers"]["scryfallOracleId"], r["date"], r["text"]) for e in entries for r in e.get("rulings", [])
    }
    found = [(r.oracle_id, r.published.isoformat(), r.text) for r in made if isinstance(r, Ruling)]
    assert set(found) == published
    assert len(found) == len(published)


def test_the_same_set_in_two_versions_tells_the_same(data: Path) -> None:
    four, five = (read((data / "mtgjson" / f"{name}.json").read_bytes()) for name in ("RNA.v4", "RNA"))

    def cards(made: list[Record]) -> dict[str, tuple[str | None, tuple[str, ...]]]:
        return {
            c.name: (c.oracle_id, tuple(f.name for f in c.faces))
            for c in made
            if isinstance(c, Card) and not c.is_token
        }

    assert cards(four) == cards(five)
    assert cards(five)["Bedeck // Bedazzle"][1] == ("Bedeck", "Bedazzle")
    days = [{(r.oracle_id, r.published) for r in made if isinstance(r, Ruling)} for made in (four, five)]
    assert len(days[0] & days[1]) > 0.9 * len(days[0])
    names = [{(p.language, p.name, p.printed_name) for p in made if isinstance(p, Printing)} for made in (four, five)]
    assert ("de", "Bedeck", "Maskieren") in names[0] & names[1]
    assert ("de", "Bedeck // Bedazzle", "Maskieren // Massakrieren") in names[0] & names[1]
