"""The Scryfall reader: every layout, lists and single objects, real answers of the API."""

import io
import json
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from rulings.ingest.errors import SourceError
from rulings.ingest.reader import Head
from rulings.ingest.records import Card, Place, Printing, Record, Report, Ruling
from rulings.ingest.scryfall import ScryfallReader


def read(content: object, report: Report | None = None) -> list[Record]:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    assert ScryfallReader().matches(Head(data[:65536], "f.json"))
    report = Report() if report is None else report
    return [record for record, _ in ScryfallReader().read(io.BytesIO(data), Place("f.json"), report)]


def card(name: str = "Mimic", **others: object) -> dict[str, object]:
    return {"object": "card", "oracle_id": f"id of {name}", "name": name, "lang": "en", "layout": "normal", **others}


def two_faced(layout: str, **others: object) -> dict[str, object]:
    faces = [
        {
            "object": "card_face",
            "name": "Left",
            "mana_cost": "{1}",
            "type_line": "Instant",
            "oracle_text": "Do one thing.",
        },
        {
            "object": "card_face",
            "name": "Right",
            "mana_cost": "{2}",
            "type_line": "Sorcery",
            "oracle_text": "Do another.",
        },
    ]
    return card("Left // Right", layout=layout, card_faces=faces, **others)


def test_plain_card_with_all_fields() -> None:
    (made,) = read(
        [
            card(
                mana_cost="{3}{U}",
                type_line="Creature",
                oracle_text="Text.",
                power="1",
                toughness="*",
                keywords=["Flash"],
                set="abc",
            )
        ]
    )
    assert isinstance(made, Card)
    assert (made.name, made.oracle_id, made.layout, made.mana_cost) == ("Mimic", "id of Mimic", "normal", "{3}{U}")
    assert (made.keywords, made.sets, made.text) == (("Flash",), ("ABC",), "Text.")
    assert [(f.name, f.power, f.toughness) for f in made.faces] == [("Mimic", "1", "*")]


@pytest.mark.parametrize(
    "layout", ["split", "flip", "transform", "modal_dfc", "adventure", "aftermath", "double_faced_token"]
)
def test_two_faces(layout: str) -> None:
    (made,) = read([two_faced(layout)])
    assert isinstance(made, Card)
    assert made.layout == layout
    assert [f.name for f in made.faces] == ["Left", "Right"]
    assert (made.mana_cost, made.type_line) == ("{1} // {2}", "Instant // Sorcery")
    assert made.text == "Do one thing.\n//\nDo another."


@pytest.mark.parametrize(
    "layout",
    ["meld", "leveler", "saga", "class", "case", "host", "augment", "planar", "scheme", "vanguard", "token", "emblem"],
)
def test_one_face(layout: str) -> None:
    (made,) = read([card(layout=layout)])
    assert isinstance(made, Card)
    assert (made.layout, len(made.faces)) == (layout, 1)
    assert made.is_token == (layout in ("token", "emblem"))


def test_reversible_card_is_the_card_on_its_sides() -> None:
    sides = [{"name": "Mimic", "oracle_id": "same", "oracle_text": "Text."}] * 2
    item = {
        k: v for k, v in card("Mimic // Mimic", layout="reversible_card", card_faces=sides).items() if k != "oracle_id"
    }
    (made,) = read([item])
    assert isinstance(made, Card)
    assert (made.name, made.oracle_id, made.text) == ("Mimic", "same", "Text.")
    sides = [{"name": "One", "oracle_id": "1"}, {"name": "Two", "oracle_id": "2"}]
    made_two = read([{**item, "name": "One // Two", "card_faces": sides}])
    assert [(c.name, c.oracle_id) for c in made_two if isinstance(c, Card)] == [("One", "1"), ("Two", "2")]


def test_meld_front_without_faces_is_its_first_half() -> None:
    (made,) = read([card("Part // Whole", layout="meld", oracle_text="Text.")])
    assert isinstance(made, Card)
    assert [(f.name, f.text) for f in made.faces] == [("Part", "Text.")]


def test_rebalanced_card_keeps_its_name() -> None:
    assert [c.name for c in read([card("A-Mimic"), card("Mimic")]) if isinstance(c, Card)] == ["A-Mimic", "Mimic"]


def test_a_card_comes_once_and_its_printings_in_each_language() -> None:
    made = read(
        [
            card(set="abc"),
            card(set="abc", lang="de", printed_name="Mimik", printed_text="Satz."),
            card(set="abc", lang="fr", printed_name="Imitateur"),
            card(set="def"),
            card(set="def"),
            card(set="abc", lang="ja"),
        ]
    )
    assert [(type(r).__name__, getattr(r, "sets", ())) for r in made] == [
        ("Card", ("ABC",)),
        ("Printing", ()),
        ("Printing", ()),
        ("Card", ("DEF",)),
    ]
    assert made[1] == Printing("Mimic", "de", "Mimik", "id of Mimic", "Satz.", "")


def test_foreign_card_still_tells_the_english_name() -> None:
    made = read([card(lang="de", printed_name="Mimik")])
    assert [r.name for r in made if isinstance(r, Card)] == ["Mimic"]


def test_printed_faces_and_the_whole_name() -> None:
    item = two_faced("split", set="abc")
    for face, printed in zip(item["card_faces"], ("Links", "Rechts"), strict=True):  # type: ignore[call-overload]
        face["printed_name"] = printed
    printings = [r for r in read([{**item, "lang": "de"}]) if isinstance(r, Printing)]
    assert [(p.name, p.printed_name) for p in printings] == [
        ("Left", "Links"),
        ("Right", "Rechts"),
        ("Left // Right", "Links // Rechts"),
    ]


def test_name_on_a_reskinned_printing_is_a_printing() -> None:
    made = read([card(flavor_name="Famous Lizard")])
    assert [(p.language, p.printed_name) for p in made if isinstance(p, Printing)] == [("en", "Famous Lizard")]


def test_art_cards_are_no_cards() -> None:
    report = Report()
    assert read([card(layout="art_series"), card()], report)[0] == read([card()])[0]
    assert report.counts["art_series passed over"] == 1


def ruling(**others: object) -> dict[str, object]:
    return {
        "object": "ruling",
        "oracle_id": "1",
        "source": "wotc",
        "published_at": "2020-01-31",
        "comment": "So it is.",
        **others,
    }


def test_rulings_in_a_list_an_array_and_alone() -> None:
    wanted = Ruling("So it is.", date(2020, 1, 31), "wotc", "1")
    assert read([ruling()]) == [wanted]
    assert read({"object": "list", "has_more": False, "data": [ruling()]}) == [wanted]
    assert read(ruling()) == [wanted]
    assert (
        read(
            b'{"object":"ruling","oracle_id":"1","source":"wotc","published_at":"2020-01-31","comment":"So it is."}\n'
            * 2
        )
        == [wanted] * 2
    )


def test_lists_without_cards_are_noted() -> None:
    for content in ({"object": "catalog", "data": ["x"]}, {"object": "list", "data": [{"object": "bulk_data"}]}):
        report = Report()
        assert read(content, report) == []
        assert "passed over" in report.notes[0].reason
    assert read([]) == []
    report = Report()
    read({"object": "list", "has_more": True, "data": [card()]}, report)
    assert "further pages" in report.notes[0].reason
    with pytest.raises(SourceError, match="error answer"):
        read({"object": "error", "status": 404})


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (card(name=None), "'name' is missing"),
        (card(name=3), "'name' is a number"),
        (card(oracle_text=["x"]), "'oracle_text' is a list"),
        (card(oracle_text="\0"), "U+0000"),
        (card(oracle_text="\ud800"), "surrogate"),
        (card(card_faces=[1]), "'card_faces' is a number, not an object"),
        (card(card_faces={}), "'card_faces' is an object, not a list"),
        (ruling(published_at="31.01.2020"), "not a day"),
        (ruling(published_at="2020-02-31"), "no day of the calendar"),
        (ruling(comment=" "), "'comment' is missing or blank"),
        (ruling(oracle_id=None), "'oracle_id' is missing"),
        (7, "the record is a number"),
        (None, "the record is null"),
    ],
)
def test_faulty_record_is_a_problem_and_the_rest_goes_on(bad: object, reason: str) -> None:
    report = Report()
    assert len(read([card("One"), bad, card("Two")], report)) == 2
    (problem,) = report.problems
    assert reason in problem.reason
    assert str(problem.place) == "f.json, item 2"


def test_single_object_with_a_field_twice_is_a_problem() -> None:
    report = Report()
    assert read(b'{"object": "card", "name": "One", "name": "Two"}', report) == []
    assert "'name' is there twice" in report.problems[0].reason


def test_other_json_is_not_taken() -> None:
    for content in ({"kind": "card"}, [1], {"data": {"cards": []}}, {"object": "house"}, "x", {}):
        assert not ScryfallReader().matches(Head(json.dumps(content).encode()))


def test_answers_as_recorded(data: Path) -> None:
    found: Counter[str] = Counter()
    names = set()
    for file in sorted((data / "scryfall").iterdir()):
        report = Report()
        for record in read(file.read_bytes(), report):
            found[type(record).__name__] += 1
            names.add(getattr(record, "name", ""))
        assert not report.problems
    assert found == {"Card": 180, "Ruling": 17}
    assert {"A-Alrund, God of the Cosmos // A-Hakka, Whispering Raven", "Phelddagrif"} <= names
