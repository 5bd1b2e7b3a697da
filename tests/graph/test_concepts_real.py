"""Tests of the scheme of concepts on the real editions of the rules."""

import json
from collections import Counter
from pathlib import Path

import pytest

from rulings.graph.concept_data import curated
from rulings.graph.concepts import ConceptScheme
from rulings.ingest import CorpusBuilder
from rulings.ingest.read import read_sources

EDITIONS = ("20210419", "20220218", "20240308", "20260227")


def scheme_of(data: Path, edition: str) -> ConceptScheme:
    builder = CorpusBuilder()
    for record, place in read_sources([data / f"full/MagicCompRules-{edition}.txt.gz"], builder.report):
        builder.add(record, place)
    return ConceptScheme.from_corpus(builder.finish())


@pytest.fixture(scope="module")
def newest(data: Path) -> ConceptScheme:
    return scheme_of(data, EDITIONS[-1])


def test_every_curated_word_has_its_concept_in_the_newest_edition(newest: ConceptScheme) -> None:
    assert newest.unresolved == ()
    assert not [entry for entry in curated() if newest.by_label(entry.concept) is None]


def test_every_gold_label_is_a_concept(newest: ConceptScheme, data: Path) -> None:
    lines = (data / "gold/relations-dev.jsonl").read_text(encoding="utf-8").splitlines()
    wanted = {
        label for line in lines for field in ("clarifies", "mentions_concepts") for label in json.loads(line)[field]
    }
    assert {label for label in wanted if newest.by_label(label) is None} <= {"Kicker"}
    assert newest.find("Kicker")[0] == "kicker-kicked"


def test_the_parts_of_the_rules_are_all_there(newest: ConceptScheme) -> None:
    kinds = Counter(concept.kind for concept in newest.concepts.values())
    assert kinds["keyword ability"] >= 190
    assert kinds["keyword action"] >= 65
    assert kinds["ability word"] >= 55
    assert kinds["zone"] == 9
    assert kinds["step"] == 10
    assert kinds["card type"] >= 14
    assert kinds["layer"] >= 13
    for word in ("Kindred", "X", "Unless", "landfall", "Zone-Change Triggers", "+1/+1 Counter"):
        assert newest.by_label(word)


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_edition_gives_a_sound_tree(data: Path, edition: str) -> None:
    concepts = scheme_of(data, edition).concepts
    labels = [concept.label.casefold() for concept in concepts.values()]
    assert len(labels) == len(set(labels))
    for slug, concept in concepts.items():
        above, todo = set(), list(concept.broader)
        while todo:
            one = todo.pop()
            assert one != slug
            if one not in above:
                above.add(one)
                todo += concepts[one].broader
        assert not above & set(concept.related)
    assert concepts["deathtouch"].broader == ("keyword-ability",)
    assert concepts["untap-step"].broader[0] == "beginning-phase"


def test_everyday_words(newest: ConceptScheme) -> None:
    for words, label in {
        "ETB": "Enters the Battlefield", "LTB": "Leaves the Battlefield", "CMC": "Mana Value", "GY": "Graveyard",
        "walker": "Planeswalker", "fizzles": "Illegal Target", "blink": "Exile", "tutor": "Search", "sac": "Sacrifice",
        "summoning sick": "Summoning Sickness Rule", "DFC": "Double-Faced Cards", "MDFC": "Modal Double-Faced Cards",
        "EDH": "Commander", "2hg": "Two-Headed Giant Variant", "SBA": "State-Based Actions", "APNAP": "Active Player, "
        "Nonactive Player Order", "chump": "Block", "board wipe": "Destroy", "EOT": "End Step", "died": "Dies",
    }.items():  # fmt: skip
        assert label in [newest.concepts[slug].label for slug in newest.find(words)], words
    for language, words, label in (
        ("de", "geopfert", "Sacrifice"), ("de", "Trampelschaden", "Trample"), ("de", "fluchsicher", "Hexproof"),
        ("fr", "contact mortel", "Deathtouch"), ("fr", "cimetière", "Graveyard"), ("fr", "piétinement", "Trample"),
    ):  # fmt: skip
        assert newest.concepts[newest.find(words, language)[0]].label == label
