"""Nodes are found by any of their names, and described with their neighbours."""

from datetime import date

import pytest

from rulings.graph.archive import Analyses, concept_counts, write_links
from rulings.graph.describe import Describer
from rulings.graph.errors import UnknownNameError
from rulings.graph.lookup import find
from rulings.graph.vocabulary import Iris
from rulings.ingest import Archive, write_archive

IRIS = Iris()


@pytest.fixture(scope="module")
def parts(small, small_links, tmp_path_factory):
    folder = tmp_path_factory.mktemp("lookup")
    write_archive(small, folder / "records.sqlite")
    counts = concept_counts(small_links, {key: s.oracle_ids for key, s in small.statements.items()})
    write_links(small_links, counts, folder / "links.sqlite")
    return Archive(folder / "records.sqlite"), Analyses(folder / "links.sqlite")


@pytest.mark.parametrize(
    ("name", "kind", "found"),
    [
        ("mimic", "card", "aaaa"),
        ("Nachahmer", "card", "aaaa"),
        ("Left // Right", "card", "bbbb"),
        ("right", "card", "bbbb"),
        ('lim-dul, the "old"', "card", "cccc"),
        ("CMC", "concept", "mana-value"),
        ("copy", "concept", "copy"),
        ("707.2", "rule", "707.2"),
        ("rule 707.2.", "rule", "707.2"),
        ("2021-04-22", "edition", "20210422"),
        ("https://w3id.org/rulings/id/card/aaaa", "card", "aaaa"),
        ("https://w3id.org/rulings/id/face/bbbb/1", "card", "bbbb"),
        ("https://w3id.org/rulings/id/concept/mana-value", "concept", "mana-value"),
        ("https://w3id.org/rulings/id/rule/20210422/706.2", "rule", "706.2"),
        ("https://w3id.org/rulings/id/edition/20260227", "edition", "20260227"),
    ],
)
def test_every_kind_is_found(parts, name, kind, found):
    node = find(name, *parts, IRIS)[0]
    assert (node.kind, node.name) == (kind, found)


def test_a_ruling_is_found_by_key_and_iri(parts, small):
    ruling = small.rulings[0]
    for name in (ruling.key, IRIS.statement(ruling.key), IRIS.ruling(ruling.oracle_id, ruling.published, ruling.key)):
        assert [(n.kind, n.name) for n in find(name, *parts, IRIS)] == [("statement", ruling.key)]


@pytest.mark.parametrize(
    "name", ["nobody at all", "999.9", "0" * 12, "https://w3id.org/rulings/id/card/x", "1999-13-45", ""]
)
def test_an_unknown_name_is_told(parts, name):
    with pytest.raises(UnknownNameError, match="nothing is called"):
        find(name, *parts, IRIS)


def test_near_names_are_offered(parts):
    with pytest.raises(UnknownNameError, match="did you mean 'Mimic'"):
        find("Mimik", *parts, IRIS)


def describe(parts, name, limit=20):
    return Describer(*parts, IRIS, limit).describe(find(name, *parts, IRIS)[0])


def test_a_card_with_rulings_and_neighbours(parts):
    card = describe(parts, "Mimic")
    assert card["names"] == {"de": ["Nachahmer"]}
    assert [(r["published"], r["concepts"]) for r in card["rulings"]] == [("2020-01-01", ["Copy"])]
    assert [m["text"] for m in card["mentioned_in"]] == ["Its mana value is that of both halves."]
    assert card["works_like"] == [{"name": "Left // Right", "oracle_id": "bbbb", "score": 0.4}]


def test_names_printed_in_english_and_halves_of_whole_names_are_left_out(parts):
    assert describe(parts, "Left // Right")["names"] == {"fr": ["Gauche // Droite"]}


def test_a_concept_folds_restatements_into_one(parts):
    concept = describe(parts, "Mana Value")
    assert (concept["statements"], concept["cards"], concept["broader"]) == (2, 1, ["Copy"])
    assert len(concept["rulings"]) == 1
    assert describe(parts, "Copy")["narrower"] == ["Mana Value"]
    assert describe(parts, "Copy")["rules"][0]["number"] == "707.2"


def test_a_rule_with_its_tree_history_and_rulings(parts):
    rule = describe(parts, "707.2")
    assert [above["number"] for above in rule["part_of"]] == ["7", "707"]
    assert rule["same_rule"] == [{"edition": "2021-04-22", "number": "706.2"}]
    assert rule["refers_to"] == ["707.3"]
    assert len(rule["rulings"]) == 1
    assert [below["number"] for below in describe(parts, "707")["below"]] == ["707.2", "707.3"]


def test_a_statement_with_its_links(parts, small_links):
    new, old = small_links.groups[0]
    statement = describe(parts, old)
    assert statement["outdated"] == "converted mana cost is now mana value"
    assert [same["key"] for same in statement["same_as"]] == [new]
    assert statement["clarifies"] == ["Mana Value"]
    assert statement["cards"][0]["name"] == "Left // Right"


def test_an_edition(parts):
    edition = describe(parts, "2026-02-27")
    assert (edition["effective"], edition["rules"]) == (date(2026, 2, 27).isoformat(), 4)
