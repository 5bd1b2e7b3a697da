"""Tests of the vocabulary and the shapes: every term that is written is declared, and the shapes tell good from bad."""

import subprocess
import sys
from pathlib import Path

import pyshacl
import pytest
from rdflib import OWL, RDF, RDFS, XSD, Dataset, Graph, Literal, Namespace, URIRef

from rulings.graph.archive import concept_counts
from rulings.graph.asserted import asserted
from rulings.graph.derived import derived_lines
from rulings.graph.vocabulary import Iris

ROOT = Path(__file__).resolve().parents[2]
RUL = Namespace("https://w3id.org/rulings/vocab#")


@pytest.fixture(scope="module")
def vocabulary() -> Graph:
    return Graph().parse(ROOT / "graph/vocabulary.ttl")


@pytest.fixture(scope="module")
def shapes() -> Graph:
    return Graph().parse(ROOT / "graph/shapes.ttl")


@pytest.fixture
def triples(small, small_links) -> Graph:
    counts = concept_counts(small_links, {key: s.oracle_ids for key, s in small.statements.items()})
    lines = [*asserted(small, Iris(), {}), *derived_lines(small, small_links, counts, Iris())]
    quads = Dataset(default_union=True).parse(data="".join(lines), format="nquads")
    graph = Graph()
    for triple in quads.triples((None, None, None)):
        graph.add(triple[:3])
    return graph


def conforms(triples: Graph, shapes: Graph) -> tuple[bool, str]:
    good, _, text = pyshacl.validate(triples, shacl_graph=shapes, inference="none")
    return good, text


def test_every_term_that_is_written_is_declared(triples: Graph, vocabulary: Graph) -> None:
    declared = set(vocabulary.subjects(RDF.type))
    used = {p for p in triples.predicates() if p.startswith(RUL)} | {
        o for o in triples.objects(None, RDF.type) if o.startswith(RUL)
    }
    assert len(used) > 30
    assert used <= declared


def test_every_term_has_a_label_a_comment_and_ends(vocabulary: Graph) -> None:
    for kind in (OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty):
        for node in vocabulary.subjects(RDF.type, kind):
            if not isinstance(node, URIRef):
                continue
            wanted = {RDFS.label, RDFS.comment} | (set() if kind == OWL.Class else {RDFS.domain, RDFS.range})
            assert wanted <= set(vocabulary.predicates(node)), node


def test_a_graph_as_written_is_valid(triples: Graph, shapes: Graph) -> None:
    good, text = conforms(triples, shapes)
    assert good, text


@pytest.mark.parametrize("fault", ["no wording", "two cards", "confidence", "wrong end", "key"])
def test_faults_are_told(triples: Graph, shapes: Graph, fault: str) -> None:
    ruling = next(triples.subjects(RDF.type, RUL.Ruling))
    statement = next(triples.subjects(RDF.type, RUL.Statement))
    link = next(triples.subjects(RDF.type, RUL.Link))
    match fault:
        case "no wording":
            triples.remove((ruling, RUL.states, None))
        case "two cards":
            for card in triples.subjects(RDF.type, RUL.Card):
                triples.add((ruling, RUL.about, card))
        case "confidence":
            triples.set((link, RUL.confidence, Literal("1.5", datatype=XSD.decimal)))
        case "wrong end":
            triples.add((statement, RUL.clarifies, ruling))
        case "key":
            triples.set((statement, RUL.key, Literal("XYZ")))
    assert not conforms(triples, shapes)[0]


def test_the_page_is_made_from_the_file() -> None:
    script = [sys.executable, str(ROOT / "docs/make_vocabulary.py"), "--check"]
    assert subprocess.run(script, check=False).returncode == 0
