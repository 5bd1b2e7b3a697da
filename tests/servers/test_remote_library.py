"""The query library on other makers' servers, and shared out over two of them, against the store on disk."""

from collections import Counter

import pytest

from rulings.graph.endpoint import Endpoint
from rulings.graph.graph_store import GraphStore, load_graph
from rulings.graph.query_library import library
from rulings.graph.vocabulary import ASSERTED, DERIVED
from rulings.search.generation import current

ARRANGEMENTS = {
    "oxigraph": [("oxigraph", (ASSERTED, DERIVED))],
    "virtuoso": [("virtuoso", (ASSERTED, DERIVED))],
    "two oxigraphs": [("oxigraph", (ASSERTED,)), ("oxigraph", (DERIVED,))],
}
"""Servers, the one that is asked first, and the graphs that each holds."""
TOO_SLOW = {("virtuoso", "chapters")}
"""Over a minute: Virtuoso joins the rules before it groups the rulings."""
EMPTY = {"renumbered-rules", "cards-without-rulings"}
"""Find nothing in the sample."""
FREE = {"concept-rulings": {"for_example"}}
"""Columns of SAMPLE: any of several values is right."""
MINIMUM = {"find-text": {"for_example"}}
"""Columns of MIN over long strings, which Virtuoso doesn't put in order."""


@pytest.fixture(scope="module")
def graph(sample_home):
    return current(sample_home).graph


@pytest.fixture(scope="module")
def endpoints(request, graph):
    """Gives the endpoint of an arrangement, its servers started and loaded when first asked for."""
    made = {}

    def of(arrangement):
        if arrangement not in made:
            servers = []
            for kind, names in ARRANGEMENTS[arrangement]:
                servers.append(request.getfixturevalue(kind)())
                for name in names:
                    load_graph(graph.store, name, GraphStore(servers[-1].graph_store))
            made[arrangement] = Endpoint([server.query for server in servers])
        return made[arrangement]

    return of


def values_for(graph, name):
    if name == "why":
        return next(iter(graph.sparql("SELECT ?key { ?s rul:clarifies ?c ; rul:key ?key } ORDER BY ?key LIMIT 1")))
    # which of equal rows come before a LIMIT is left open
    return {parameter: 1_000_000 for parameter, sort in library()[name].sorts.items() if sort == "rows"}


def rows_of(result, free):
    """The rows as a bag; numbers to nine digits, for engines differ in how they write decimals."""
    return Counter(
        tuple(f"{v:.9g}" if isinstance(v, float | int) else v for name, v in row.items() if name not in free)
        for row in result
    )


@pytest.mark.parametrize(
    ("arrangement", "name"),
    [(arrangement, name) for arrangement in ARRANGEMENTS for name in library() if (arrangement, name) not in TOO_SLOW],
)
def test_the_library_answers_as_on_disk(graph, endpoints, arrangement, name):
    query = graph.named_text(name, values_for(graph, name))
    found, wanted = endpoints(arrangement).sparql(query), graph.sparql(query)
    free = FREE.get(name, set()) | (MINIMUM.get(name, set()) if arrangement == "virtuoso" else set())
    assert (found.kind, found.variables) == (wanted.kind, wanted.variables)
    assert rows_of(found, free) == rows_of(wanted, free)
    assert len(wanted) or name in EMPTY


SAME = [
    "SELECT * { ?card rul:name 'Clone' ; rdf:type/rdfs:label? ?kind }",
    "SELECT DISTINCT ?card ?p { ?card a rul:Card ; ?p ?concept . ?concept a rul:Concept }",
    "SELECT (COUNT(*) AS ?n) { ?concept skos:broader|^skos:broader|rul:definedBy ?other }",
    "ASK { ?s rul:about ?card ; rul:states/rul:clarifies ?concept . ?concept rdfs:label 'Copy'@en }",
    "ASK { ?s rul:about ?card . FILTER NOT EXISTS { ?card rul:uses|rul:hasKeyword ?concept } }",
    "SELECT DISTINCT ?n { ?rule rul:number ?n FILTER(?n < '1' || EXISTS { ?s rul:clarifies ?rule }) }",
    "SELECT DISTINCT ?name { VALUES ?name { 'Clone' 'No card' } { ?c rul:name ?name } MINUS { ?c rul:uses ?c } }",
    "SELECT ?a ?b { ?a skos:broader+ ?b . ?b rdfs:label 'Ability'@en }",
    "SELECT ?a ?label { ?b rdfs:label 'Ability'@en . ?a skos:broader* ?b ; skos:prefLabel ?label }",
    "SELECT ?n { GRAPH <https://w3id.org/rulings/graph/derived> { ?c a rul:Concept } ?c rul:statementCount ?n }",
    "CONSTRUCT { ?c rdfs:label ?l } WHERE { ?c a rul:Concept ; rdfs:label ?l FILTER(lang(?l) = 'en') }",
    "SELECT ?x { ?x rul:text ?t ; rul:loyalty ?y }",
]


@pytest.mark.parametrize("query", SAME)
@pytest.mark.parametrize("arrangement", ["oxigraph", "two oxigraphs"])
def test_other_forms_answer_as_on_disk(graph, endpoints, arrangement, query):
    found, wanted = endpoints(arrangement).sparql(query), graph.sparql(query)
    assert (found.kind, set(found.variables)) == (wanted.kind, set(wanted.variables))
    order = sorted(wanted.variables)
    assert Counter(tuple(row[name] for name in order) for row in found) == Counter(
        tuple(row[name] for name in order) for row in wanted
    )
