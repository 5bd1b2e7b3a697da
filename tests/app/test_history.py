"""``rulings history``: the lives of a card, a rule and a concept over three generations with an edition each."""

import json

import pytest

from rulings.app.build import build
from rulings.app.command import main
from rulings.app.generations import every
from rulings.search.generation import current

A_THING = "A thing is whatever lies on the table in front of the person who made it."
A_PART = "A part belongs to some other thing and goes wherever that one happens to go."


def card(name, text):
    return {"kind": "card", "name": name, "oracle_id": "c", "faces": [{"name": name, "text": text}]}


def ruling(card, text, published="2020-05-01"):
    return {"kind": "ruling", "card": card, "published": published, "text": text, "source": "house"}


def rule(day, number, text):
    return {"kind": "rule", "number": number, "text": text, "edition": day}


def term(day, term, text):
    return {"kind": "glossary", "term": term, "text": text, "edition": day}


FIRST, SECOND, THIRD = "2020-01-01", "2022-01-01", "2024-01-01"
SOURCES = [
    [
        card("Mimic", "Copy a creature."),
        ruling("Mimic", "The copy has the old cost of the creature that it was made from."),
        ruling("Mimic", "This one is taken back some day."),
        rule(FIRST, "700", "General"),
        rule(FIRST, "700.1", A_THING),
        rule(FIRST, "700.2", A_PART),
        term(FIRST, "Thing", "What lies on the table. See rule 700.1."),
        term(FIRST, "Gizmo", "What only the oldest book has. See rule 700.2."),
    ],
    [
        card("Mimic", "Copy a creature or artifact."),
        ruling("Mimic", "The copy has the new cost of the creature that it was made from."),
        ruling("Mimic", "This one is taken back some day."),
        rule(SECOND, "700", "General"),
        rule(SECOND, "700.1", A_PART),
        rule(SECOND, "700.2", A_THING),
        term(SECOND, "Thing", "What lies on the table. See rule 700.2."),
    ],
    [
        card("Great Mimic", "Copy a creature or artifact."),
        ruling("Great Mimic", "The copy has the new cost of the creature that it was made from."),
        ruling("Great Mimic", "Something that nobody told before.", "2024-02-02"),
        rule(THIRD, "700", "General"),
        rule(THIRD, "700.2", A_THING.replace("made it", "put it there")),
        term(THIRD, "Thing", "What lies on the table, or under it. See rule 700.2."),
    ],
]


@pytest.fixture(scope="module")
def home(sample_home, tmp_path_factory):
    folder = tmp_path_factory.mktemp("history")
    home = folder / "home"
    home.mkdir()
    (home / "cache").symlink_to(sample_home / "cache")
    for records in SOURCES:
        file = folder / "own.jsonl"
        file.write_text("\n".join(map(json.dumps, records)) + "\n", encoding="utf-8")
        build([file], home, tell=lambda _: None)
    return home


@pytest.fixture
def tell(home, capsys):
    def told(*words, home=home):
        capsys.readouterr()
        status = main(["history", *words, "--home", str(home)])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return told


def events(out):
    return [(e["place"], e["kind"], e["what"]) for e in json.loads(out)["events"]]


def test_a_card_is_renamed_and_its_rulings_come_go_and_are_reworded(home, tell):
    status, out, _ = tell("Great Mimic", "--json")
    first, second, third = (path.name for path in every(home))
    assert status == 0
    found = events(out)
    assert found[:2] == [("ruling", "published", "")] * 2
    assert sorted(found[2:]) == sorted(
        [
            (second, "new text", "Mimic"),
            (second, "reworded", "2020-05-01"),
            (third, "renamed", "Mimic is now Great Mimic"),
            (third, "went", "2020-05-01"),
            (third, "came", "2024-02-02"),
        ]
    )
    facts = json.loads(out)
    assert [each["name"] for each in facts["generations"]] == [first, second, third]
    assert facts["editions"] == [FIRST, SECOND, THIRD]


def test_text_marks_the_words_and_a_former_name_is_found(tell):
    status, out, _ = tell("Mimic")
    assert status == 0
    assert out.startswith("Great Mimic  [card]\n")
    flat = " ".join(out.split())
    assert "the [-old-] {+new+} cost" in flat
    assert "went: 2020-05-01 - This one is taken back some day." in flat


def test_a_rule_moves_changes_and_leaves_its_number_to_another(tell):
    out = tell("700.2", "--json")[1]
    assert events(out) == [
        ("rules", "known", "700.1"),
        ("rules", "other rule", "700.2"),
        ("rules", "moved", "700.1 is now 700.2"),
        ("rules", "changed", "700.2"),
    ]
    assert json.loads(out)["events"][1]["new"] == A_PART
    assert "[-made it.-] {+put it there.+}" in " ".join(tell("rule", "700.2")[1].split())


def test_a_number_of_a_former_edition_is_followed_until_it_is_gone(tell):
    found = events(tell("700.1", "--json")[1])
    assert found == [
        ("rules", "known", "700.2"),
        ("rules", "other rule", "700.1"),
        ("rules", "moved", "700.2 is now 700.1"),
        ("rules", "went", "700.1"),
    ]


def test_a_concept_changes_and_another_goes(home, tell):
    names = [path.name for path in every(home)]
    found = events(tell("Thing", "--json")[1])
    assert found[:3] == [("rules", "known", "Thing"), ("rules", "moved", "Thing"), ("rules", "changed", "Thing")]
    status, out, _ = tell("gizmo", "--json")
    assert status == 0
    assert events(out)[:2] == [("rules", "known", "Gizmo"), ("rules", "went", "Gizmo")]
    assert (names[1], "went", "Gizmo") in events(out)


def test_what_has_no_history_is_told(home, tell):
    key = next(iter(current(home).archive.corpus().statements))
    for name, words in ((key, "a ruling"), (THIRD, "an edition"), ("Grat Mimic", "did you mean 'Great Mimic'")):
        status, out, err = tell(name)
        assert (status, out) == (2, "")
        assert words in err
        assert err.count("\n") == 1


def test_a_damaged_past_generation_is_passed_over(home, tell, tmp_path):
    other = tmp_path / "home"
    (other / "generations").mkdir(parents=True)
    for path in every(home):
        (other / "generations" / path.name).symlink_to(path)
    (other / "current").write_text(current(home).manifest.name)
    broken = other / "generations" / "20200101T000000-broken"
    broken.mkdir()
    (broken / "manifest.json").write_text("{")
    status, out, err = tell("Mimic", home=other)
    assert status == 0
    assert "passed over" in err
    assert "renamed" in out
