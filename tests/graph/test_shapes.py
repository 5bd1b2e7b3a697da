"""The shapes run as SPARQL tell exactly what pyshacl tells, on a good graph and with a fault of every kind."""

from collections import Counter

import pyoxigraph as ox
import pyshacl
import pytest
from rdflib import RDF, Dataset, Graph, Namespace

from rulings.graph.archive import concept_counts
from rulings.graph.asserted import asserted
from rulings.graph.derived import derived_lines
from rulings.graph.errors import ShapeError
from rulings.graph.shapes import SHAPES, violations
from rulings.graph.vocabulary import PREFIXES, Iris

SH = Namespace("http://www.w3.org/ns/shacl#")
MORE = """
@prefix rul: <https://w3id.org/rulings/vocab#> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
rul:MoreShape a sh:NodeShape ; sh:targetClass rul:Card ;
    sh:property [ sh:path rul:layout ; sh:in ( "normal" "split" ) ] ;
    sh:property [ sh:path rul:layout ; sh:maxLength 5 ] ;
    sh:property [ sh:path [ sh:inversePath rul:about ] ; sh:minCount 1 ; sh:maxCount 1 ; sh:class rul:Ruling ] ;
    sh:property [ sh:path ( rul:hasFace rul:name ) ; sh:pattern "^l" ; sh:flags "i" ] ;
    sh:property [ sh:path [ sh:alternativePath ( rul:power rul:toughness ) ] ; sh:minCount 2 ] ;
    sh:property [ sh:path skos:altLabel ; sh:languageIn ( "fr" "es" ) ] ;
    sh:property [ sh:path rul:layout ; sh:hasValue "split" ] .
"""
ADDED = {
    "nothing": "",
    "two cards": "?r a rul:Ruling . ?c a rul:Card => ?r rul:about ?c",
    "no value": "?r a rul:Ruling . ?r rul:states ?s => -?r rul:states ?s",
    "datatype": '?s a rul:Statement => ?s rul:variant "x"@en . ?s rul:variant 4',
    "ill-typed": '?e a rul:Edition => ?e dcterms:issued "soon"^^xsd:date',
    "class": "?s a rul:Statement . ?r a rul:Ruling => ?s rul:restates ?r",
    "one class of several": "?s a rul:Statement . ?r a rul:Ruling => ?s rul:clarifies ?r . ?s rul:outdatedBy 5",
    "node kind": '?l a rul:Link => ?l rdf:object "words"',
    "pattern": '?s a rul:Statement ; rul:key ?k => -?s rul:key ?k . ?s rul:key "XYZ"',
    "length": '?l a rul:Link ; rul:method ?m => -?l rul:method ?m . ?l rul:method ""',
    "too much": "?l a rul:Link ; rul:confidence ?c => -?l rul:confidence ?c . ?l rul:confidence 1.5",
    "too little": "?l a rul:Link => ?l rul:start -1",
    "no number": '?l a rul:Link => ?l rul:start "one"',
    "two labels of a language": '?c a rul:Concept => ?c skos:prefLabel "a"@fr . ?c skos:prefLabel "b"@fr',
    "disjoint": "?c skos:broader ?d => ?c skos:related ?d",
}


@pytest.fixture(scope="module")
def lines(small, small_links):
    counts = concept_counts(small_links, {key: s.oracle_ids for key, s in small.statements.items()})
    return "".join([*asserted(small, Iris(), {}), *derived_lines(small, small_links, counts, Iris())])


def faulty(lines: str, fault: str) -> ox.Store:
    """The small graph with the fault's statements added, or taken out where a minus stands before them."""
    store = ox.Store()
    store.load(lines, format=ox.RdfFormat.N_QUADS)
    if fault:
        where, _, what = fault.partition(" => ")
        parts = what.split(" . ")
        gone = " . ".join(part[1:] for part in parts if part[0] == "-")
        new = " . ".join(part for part in parts if part[0] != "-")
        dataset = "USING <https://w3id.org/rulings/graph/asserted> USING <https://w3id.org/rulings/graph/derived>"
        for graph in ("asserted", "derived"):
            clauses = [f"DELETE {{ GRAPH <https://w3id.org/rulings/graph/{graph}> {{ {gone} }} }}"] if gone else []
            if new:
                clauses.append(f"INSERT {{ GRAPH <https://w3id.org/rulings/graph/{graph}> {{ {new} }} }}")
            if graph == "asserted" or gone:
                text = f"{' '.join(clauses)} {dataset} WHERE {{ {where} }}"
                store.update("".join(f"PREFIX {p}: <{i}>\n" for p, i in PREFIXES.items()) + text)
    return store


def by_pyshacl(store: ox.Store, shapes: Graph) -> Counter[str]:
    dump = store.dump(format=ox.RdfFormat.N_QUADS).decode()
    data = Graph()
    for triple in Dataset(default_union=True).parse(data=dump, format="nquads").triples((None, None, None)):
        data.add(triple[:3])
    _, report, _ = pyshacl.validate(data, shacl_graph=shapes, inference="none")
    return Counter(
        str(report.value(one, SH.sourceConstraintComponent)).rpartition("#")[2].removesuffix("ConstraintComponent")
        for one in report.subjects(RDF.type, SH.ValidationResult)
    )


def by_sparql(store: ox.Store, path=SHAPES) -> Counter[str]:
    found: Counter[str] = Counter()
    for violation in violations(store, path):
        name = violation.constraint.split()[0].removeprefix("sh:")
        found[name[0].upper() + name[1:]] += violation.count
    return found


@pytest.fixture(scope="module")
def shapes() -> Graph:
    return Graph().parse(SHAPES)


@pytest.mark.parametrize("fault", ADDED)
def test_a_fault_is_told_as_by_pyshacl(lines, shapes, fault):
    store = faulty(lines, ADDED[fault])
    found = by_sparql(store)
    assert found == by_pyshacl(store, shapes)
    assert bool(found) == (fault != "nothing")


def test_more_constraints_and_paths(lines, tmp_path):
    path = tmp_path / "more.ttl"
    path.write_text(MORE, encoding="utf-8")
    store = faulty(lines, '?c a rul:Card => ?c rul:layout "planar"')
    found = by_sparql(store, path)
    assert found == by_pyshacl(store, Graph().parse(path))
    assert set(found) == {"In", "MaxLength", "MaxCount", "Pattern", "MinCount", "LanguageIn", "HasValue"}
    assert {v.path for v in violations(store, path)} >= {
        "^rul:about",
        "rul:hasFace/rul:name",
        "(rul:power|rul:toughness)",
    }


def test_a_violation_reads_well(lines):
    found = violations(faulty(lines, ADDED["pattern"]))
    wrong = next(v for v in found if v.constraint.startswith("sh:pattern"))
    assert (wrong.shape, wrong.path, wrong.count) == ("rul:StatementShape", "rul:key", 4)
    assert str(wrong).startswith("rul:StatementShape, rul:key: 4 against sh:pattern ^[0-9a-f]{12}$: statement:")
    assert wrong.examples[0].endswith(" -> XYZ")


@pytest.mark.parametrize("told", ["sh:equals rul:name", "sh:sparql [ ]", "sh:nonsense 1"])
def test_what_is_not_known_is_refused(told, tmp_path):
    path = tmp_path / "odd.ttl"
    path.write_text(MORE.replace("sh:maxLength 5", told), encoding="utf-8")
    with pytest.raises(ShapeError, match=told.split()[0]):
        violations(ox.Store(), path)
    path.write_text("no turtle", encoding="utf-8")
    with pytest.raises(ShapeError, match="can't be read"):
        violations(ox.Store(), path)
