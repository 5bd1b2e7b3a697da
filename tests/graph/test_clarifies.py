"""What a statement is about."""

import pytest

from rulings.graph.automaton import folded
from rulings.graph.clarifies import Clarifier, Model, model
from rulings.graph.concept_mentions import ConceptFinder
from rulings.graph.concepts import ConceptScheme
from rulings.ingest import CorpusBuilder


@pytest.fixture(scope="module")
def scheme():
    return ConceptScheme.from_corpus(CorpusBuilder().finish())


def about(scheme, text, weights=None):
    found = Clarifier(scheme, {}, 100, weights).clarify(folded(text), ConceptFinder(scheme).find(folded(text)))
    return [scheme.concepts[c.concept].label for c in found], found


def test_the_main_concept_comes_first_and_at_most_four_come(scheme):
    labels, found = about(scheme, "If you copy a token, the copy is also a token and copies what was copied.")
    assert labels[0] == "Copy"
    assert len(found) <= 4
    assert [c.confidence for c in found] == sorted((c.confidence for c in found), reverse=True)


def test_nothing_named_is_about_nothing(scheme):
    assert about(scheme, "Hello there.")[1] == ()


def test_weights_decide(scheme):
    assert about(scheme, "Scry, then copy it.", Model({"bias": -9.0}, 0.4, 0.1))[1] == ()
    labels, _ = about(scheme, "Scry, then copy it.", Model({"bias": -9.0, "concept:Copy": 12.0}, 0.4, 0.1))
    assert labels == ["Copy"]


def test_the_model_came_with_the_package():
    assert model().weights["bias"]
    assert 0 < model().least <= model().threshold < 1
