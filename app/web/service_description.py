"""What the endpoint says of itself: a SPARQL 1.1 Service Description (https://www.w3.org/TR/sparql11-service-description/)."""

from collections.abc import Iterator

import pyoxigraph as ox

from rulings.graph.sparql import GRAPH_FORMATS
from rulings.graph.vocabulary import ASSERTED, DERIVED, PREFIXES

_SD = "http://www.w3.org/ns/sparql-service-description#"
_VOID = "http://rdfs.org/ns/void#"
_FORMATS = "http://www.w3.org/ns/formats/"
_RESULTS = (
    *("SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV"),
    *("Turtle", "N-Triples", "JSON-LD", "RDF_XML"),
)


def description(endpoint: str, quads: int, form: str, *, service: bool) -> bytes:
    """Describe the endpoint at an address, in a format of `GRAPH_FORMATS`.

    ``quads`` is the number of statements in the graph, ``service`` whether queries may call other servers.
    """
    prefixes = {"sd": _SD, "void": _VOID, "rdf": PREFIXES["rdf"], "rdfs": PREFIXES["rdfs"]}
    triples = list(_triples(endpoint, quads, service=service))
    return ox.serialize(triples, format=GRAPH_FORMATS[form], prefixes=prefixes) or b""


def _triples(endpoint: str, quads: int, *, service: bool) -> Iterator[ox.Triple]:
    kind = ox.NamedNode(PREFIXES["rdf"] + "type")
    label = ox.NamedNode(PREFIXES["rdfs"] + "label")

    def sd(name: str) -> ox.NamedNode:
        return ox.NamedNode(_SD + name)

    here, dataset, whole = ox.BlankNode("service"), ox.BlankNode("dataset"), ox.BlankNode("whole")
    yield ox.Triple(here, kind, sd("Service"))
    yield ox.Triple(here, sd("endpoint"), ox.NamedNode(endpoint))
    yield ox.Triple(here, sd("supportedLanguage"), sd("SPARQL11Query"))
    for feature in ("UnionDefaultGraph", *(("BasicFederatedQuery",) if service else ())):
        yield ox.Triple(here, sd("feature"), sd(feature))
    for name in _RESULTS:
        yield ox.Triple(here, sd("resultFormat"), ox.NamedNode(_FORMATS + name))
    yield ox.Triple(here, sd("defaultDataset"), dataset)
    yield ox.Triple(dataset, kind, sd("Dataset"))
    yield ox.Triple(dataset, sd("defaultGraph"), whole)
    yield ox.Triple(whole, kind, sd("Graph"))
    count = ox.Literal(str(quads), datatype=ox.NamedNode(PREFIXES["xsd"] + "integer"))
    yield ox.Triple(whole, ox.NamedNode(_VOID + "triples"), count)
    named = ((ASSERTED, "what the sources say"), (DERIVED, "what the program worked out"))
    for n, (graph, words) in enumerate(named):
        one, content = ox.BlankNode(f"named{n}"), ox.BlankNode(f"graph{n}")
        yield ox.Triple(dataset, sd("namedGraph"), one)
        yield ox.Triple(one, kind, sd("NamedGraph"))
        yield ox.Triple(one, sd("name"), ox.NamedNode(graph))
        yield ox.Triple(one, label, ox.Literal(words, language="en"))
        yield ox.Triple(one, sd("graph"), content)
        yield ox.Triple(content, kind, sd("Graph"))
