"""The relations between nodes: their IRIs, and which kinds of nodes each may join, as the vocabulary declares them."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from rulings.graph.vocabulary import PREFIXES, VOCAB

_OWL, _RDF, _RDFS = PREFIXES["owl"], PREFIXES["rdf"], PREFIXES["rdfs"]
_CONCEPTS = ("broader", "related")
"""Relations of SKOS that join concepts."""


@cache
def _text() -> str:
    return Path(__file__).with_name("vocabulary.ttl").read_text(encoding="utf-8")


@cache
def _vocabulary() -> ox.Store:
    store = ox.Store()
    store.load(_text().encode(), format=ox.RdfFormat.TURTLE)
    return store


@cache
def relations() -> dict[str, str]:
    """The IRIs of the relations between nodes by their local names, in the order of the vocabulary."""
    names = re.findall(r"^rul:(\w+) a owl:ObjectProperty", _text(), re.MULTILINE)
    return {name: VOCAB + name for name in names} | {name: PREFIXES["skos"] + name for name in _CONCEPTS}


@cache
def ends() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """By relation the kinds of nodes that it may start from, and that it may lead to."""
    found = {name: (_kinds(iri, "domain"), _kinds(iri, "range")) for name, iri in relations().items()}
    concept = frozenset({"Concept"})
    return found | dict.fromkeys(_CONCEPTS, (concept, concept))


def _kinds(relation: str, side: str) -> frozenset[str]:
    classes = (quad.object for quad in _matching(ox.NamedNode(relation), _RDFS + side))
    return frozenset(kind for each in classes for kind in _members(each))


def _members(each: Any) -> Iterator[str]:  # noqa: ANN401
    """The class itself, or those of the list that it is the union of."""
    if isinstance(each, ox.NamedNode):
        yield each.value.removeprefix(VOCAB)
        return
    for rest in _matching(each, _OWL + "unionOf"):
        place = rest.object
        while place != ox.NamedNode(_RDF + "nil"):
            (first,), (after,) = _matching(place, _RDF + "first"), _matching(place, _RDF + "rest")
            yield first.object.value.removeprefix(VOCAB)
            place = after.object


def _matching(subject: Any, predicate: str) -> list[Any]:  # noqa: ANN401
    return list(_vocabulary().quads_for_pattern(subject, ox.NamedNode(predicate), None))
