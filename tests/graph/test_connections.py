"""How two things hang together, in words."""

from itertools import pairwise

import pytest

from rulings.graph import connections
from rulings.graph.connections import Connection
from rulings.graph.errors import UnknownNameError
from rulings.search.generation import current


@pytest.fixture(scope="module")
def sample(sample_home):
    return current(sample_home).graph


def test_a_ruling_that_names_a_card_joins_the_two(sample):
    found = sample.path("Clone", "Triskelion")
    assert [step.relation for step in found] == ["about", "states", "mentions"]
    assert [step.forward for step in found] == [False, True, True]
    assert found[0].start == "Clone"
    assert found[-1].end == "Triskelion"
    assert str(found).startswith("1. a ruling of 20")
    assert "is published on Clone" in str(found[0])
    assert " mentions Triskelion" in found[2].text


def test_the_way_is_the_same_from_the_other_end(sample):
    there, back = sample.path("Humility", "Flashback"), sample.path("Flashback", "Humility")
    assert [(step.start, step.end) for step in there] == [(step.end, step.start) for step in reversed(back)]
    assert all(one.end == other.start for one, other in pairwise(there))


def test_steps_are_edges_of_the_graph(sample):
    whole = sample.networkx()
    for step in sample.path("Clone", "Fire // Ice"):
        ends = (step.start, step.end) if step.forward else (step.end, step.start)
        assert whole.has_edge(*ends, step.relation)


def test_what_everything_hangs_on_joins_only_what_nothing_else_does(sample, monkeypatch):
    monkeypatch.setattr(connections, "_TRIES", ((5, 2, False),))
    assert not sample.path("Clone", "Phantasmal Image")
    monkeypatch.setattr(connections, "_TRIES", ((5, 2, False), (5, 2, True)))
    assert len(sample.path("Clone", "Phantasmal Image")) <= 2


def test_no_way_leads_through_an_edition(sample):
    assert all("rules of" not in step.end for step in sample.path("707.2", "601.2"))


def test_nothing_joins_a_thing_to_itself_and_unknown_names_are_told(sample):
    assert not sample.path("Clone", "clone")
    assert str(Connection()) == "no connection was found"
    with pytest.raises(UnknownNameError, match="did you mean"):
        sample.path("Clone", "Phantasmal Imag")
