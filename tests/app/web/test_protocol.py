"""The query part of the SPARQL 1.1 Protocol: the cases of the W3C's protocol tests, and what else clients do."""

import json
from urllib.parse import urlencode

import pyoxigraph as ox
import pytest
import rdflib

ASSERTED, DERIVED = "https://w3id.org/rulings/graph/asserted", "https://w3id.org/rulings/graph/derived"
SELECT = "SELECT ?name { ?card a rul:Card ; rul:name ?name } ORDER BY ?name LIMIT 3"
CONSTRUCT = "CONSTRUCT { ?c rul:name ?n } { ?c a rul:Card ; rul:name ?n }"
EVENTS = "SELECT (COUNT(*) AS ?n) { ?r rul:about ?c }"
LINKS = "SELECT (COUNT(*) AS ?n) { ?l a rul:Link }"
FORM, DIRECT = "application/x-www-form-urlencoded", "application/sparql-query"


def names(answer):
    assert answer.status == 200, answer.text
    return [row["name"]["value"] for row in answer.json()["results"]["bindings"]]


def count(answer):
    assert answer.status == 200, answer.text
    return int(answer.json()["results"]["bindings"][0]["n"]["value"])


def by(server, way, pairs):
    """Ask in one of the protocol's three ways."""
    if way == "get":
        return server.get("/sparql", pairs)
    if way == "form":
        return server.post(urlencode(pairs).encode(), FORM)
    query = next(value for name, value in pairs if name == "query")
    rest = urlencode([pair for pair in pairs if pair[0] != "query"])
    return server.post(query.encode(), DIRECT, f"/sparql?{rest}" if rest else "/sparql")


WAYS = pytest.mark.parametrize("way", ["get", "form", "direct"])


@WAYS
def test_a_query_is_answered(server, way):
    found = names(by(server, way, [("query", SELECT)]))
    assert len(found) == 3
    assert found == sorted(found)


@WAYS
def test_the_default_graph_is_the_union_or_what_is_named(server, way):
    whole, none = count(by(server, way, [("query", LINKS)])), [("default-graph-uri", "https://example.org/none")]
    assert whole > 100
    assert count(by(server, way, [("query", LINKS), ("default-graph-uri", ASSERTED)])) == 0
    assert count(by(server, way, [("query", LINKS), ("default-graph-uri", DERIVED)])) == whole
    both = [("default-graph-uri", ASSERTED), ("default-graph-uri", DERIVED)]
    assert count(by(server, way, [("query", LINKS), *both])) == whole
    assert count(by(server, way, [("query", LINKS), *none])) == 0


@WAYS
def test_named_graphs_are_those_that_are_named(server, way):
    graphs = "SELECT (COUNT(DISTINCT ?g) AS ?n) { GRAPH ?g { ?s ?p ?o } }"
    assert count(by(server, way, [("query", graphs)])) == 2
    assert count(by(server, way, [("query", graphs), ("named-graph-uri", DERIVED)])) == 1
    both = [("named-graph-uri", ASSERTED), ("named-graph-uri", DERIVED)]
    assert count(by(server, way, [("query", graphs), *both])) == 2
    assert count(by(server, way, [("query", graphs), ("default-graph-uri", ASSERTED)])) == 0
    assert count(by(server, way, [("query", LINKS), ("named-graph-uri", DERIVED)])) == 0


@WAYS
def test_both_kinds_of_graphs_make_the_dataset(server, way):
    query = "SELECT (COUNT(*) AS ?n) { ?r rul:about ?c . GRAPH ?g { ?l rdf:object ?x } }"
    pairs = [("query", query.replace("?x", "?c")), ("default-graph-uri", ASSERTED), ("named-graph-uri", DERIVED)]
    assert count(by(server, way, pairs)) == count(
        server.ask(
            f"SELECT (COUNT(*) AS ?n) {{ GRAPH <{ASSERTED}> {{ ?r rul:about ?c }} GRAPH <{DERIVED}> {{ ?l rdf:object ?c }} }}"
        )
    )


@WAYS
def test_the_dataset_of_the_request_wins_over_from(server, way):
    query = LINKS.replace("{", f"FROM <{DERIVED}> {{", 1)
    assert count(by(server, way, [("query", query)])) > 100
    assert count(by(server, way, [("query", query), ("default-graph-uri", ASSERTED)])) == 0


ROWS = {
    "application/sparql-results+json": ox.QueryResultsFormat.JSON,
    "application/sparql-results+xml": ox.QueryResultsFormat.XML,
    "text/tab-separated-values": ox.QueryResultsFormat.TSV,
}


@pytest.mark.parametrize("media", ROWS)
def test_rows_in_every_format(server, media):
    answer = server.ask(SELECT, Accept=media)
    assert answer.headers["content-type"].split(";")[0] == media
    read = ox.parse_query_results(answer.body, format=ROWS[media])
    assert [row["name"].value for row in read] == names(server.ask(SELECT))


def test_rows_as_csv(server):
    answer = server.ask(SELECT, Accept="text/csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.text.split("\r\n")[0] == "name"
    assert len(answer.text.split("\r\n")) == 5


@pytest.mark.parametrize("media", ["application/sparql-results+json", "application/sparql-results+xml"])
@pytest.mark.parametrize(("query", "truth"), [("ASK { ?c a rul:Card }", True), ("ASK { ?c a skos:Nothing }", False)])
def test_a_truth_in_every_format(server, media, query, truth):
    answer = server.ask(query, Accept=media)
    assert answer.headers["content-type"] == media
    assert bool(ox.parse_query_results(answer.body, format=ROWS[media])) is truth


GRAPHS = {
    "text/turtle": "turtle",
    "application/n-triples": "nt",
    "application/ld+json": "json-ld",
    "application/rdf+xml": "xml",
}


@pytest.mark.parametrize("media", GRAPHS)
@pytest.mark.parametrize("query", [CONSTRUCT, "DESCRIBE concept:copy"])
def test_a_graph_in_every_format(server, media, query):
    answer = server.ask(query, Accept=media)
    assert answer.headers["content-type"].split(";")[0] == media
    read = rdflib.Graph().parse(data=answer.text, format=GRAPHS[media])
    turtle = rdflib.Graph().parse(data=server.ask(query).text, format="turtle")
    assert len(read) == len(turtle) > 5


def test_general_media_types_are_understood(server):
    assert server.ask(SELECT, Accept="application/json").headers["content-type"] == "application/json"
    assert json.loads(server.ask(CONSTRUCT, Accept="application/json").body)
    assert server.ask(SELECT, Accept="text/xml").text.startswith("<?xml")
    assert server.ask(SELECT, Accept="*/*").headers["content-type"] == "application/sparql-results+json"
    assert server.ask(SELECT, Accept="text/html, */*;q=0.1").status == 200
    assert "Accept" in server.ask(SELECT).headers["vary"]


@pytest.mark.parametrize(
    ("query", "accept", "said"),
    [
        (SELECT, "text/turtle", "a SELECT or ASK comes as one of application/sparql-results+json"),
        (CONSTRUCT, "text/csv", "a CONSTRUCT or DESCRIBE comes as one of text/turtle"),
        (SELECT, "image/png", "a SELECT or ASK comes as one of"),
    ],
)
def test_what_no_format_fits_is_told(server, query, accept, said):
    answer = server.ask(query, Accept=accept)
    assert answer.status == 406
    assert said in answer.text


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT ?s { ?s rul:clarify ?c }", "rul:clarify at line 1, column 16: did you mean rul:clarifies?"),
        ("SELECT ?s\n{ ?s ?p }", "the query can't be read at line 2"),
        ("SELECT ?s { ?s nope:x ?o }", "unknown prefix 'nope'"),
        ("", "can't be read"),
        ("INSERT DATA { <http://a> <http://b> <http://c> }", "INSERT is refused"),
        ("LOAD <http://example.org/>", "LOAD is refused"),
        ("SELECT ?s { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }", "SERVICE is refused"),
        ("SELECT ?s FROM <not an iri> { ?s ?p ?o }", "can't be read"),
    ],
)
def test_a_malformed_query_is_told_in_plain_words(server, query, said):
    answer = server.ask(query)
    assert answer.status == 400
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert said in answer.text


@pytest.mark.parametrize(
    ("pairs", "status"),
    [
        ([("query", SELECT), ("query", SELECT)], 400),
        ([("query", SELECT), ("update", "CLEAR ALL")], 403),
        ([("update", "CLEAR ALL")], 403),
        ([("query", SELECT), ("default-graph-uri", "no iri")], 400),
        ([("query", SELECT), ("some", "thing else")], 200),
    ],
)
def test_parameters_that_are_off(server, pairs, status):
    assert server.get("/sparql", pairs).status == status
    assert server.post(urlencode(pairs).encode(), FORM).status == status


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (SELECT.encode(), "", 415),
        (SELECT.encode(), "text/plain", 415),
        (SELECT.encode(), "multipart/form-data", 415),
        (SELECT.encode("utf-16"), DIRECT, 400),
        (SELECT.encode("utf-16"), f"{DIRECT}; charset=UTF-16", 415),
        (SELECT.encode(), f"{DIRECT}; charset=UTF-8", 200),
        (b"CLEAR ALL", "application/sparql-update", 403),
        (b"", FORM, 400),
        (b"query=%ff%fe", FORM, 400),
        (b"a&" * 2000, FORM, 400),
        (b"", DIRECT, 400),
        (b" " * ((1 << 20) + 1), DIRECT, 413),
    ],
)
def test_bodies_that_are_off(server, body, kind, status):
    answer = server.post(body, kind)
    assert answer.status == status, answer.text
    assert answer.status == 200 or len(answer.text.splitlines()) == 1


def test_a_query_in_address_and_body_is_refused(server):
    assert server.post(SELECT.encode(), DIRECT, "/sparql?query=ASK%7B%7D").status == 400


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "FROBNICATE"])
def test_other_methods_are_not_allowed(server, method):
    answer = server.request(method, "/sparql")
    assert answer.status == 405
    assert "POST" in answer.headers["allow"]


def test_head_has_the_headers_only(server):
    answer = server.request("HEAD", "/sparql?" + urlencode({"query": SELECT}), Accept="text/csv")
    assert (answer.status, answer.body) == (200, b"")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert server.request("HEAD", "/sparql?query=SELECT").status == 400


def test_options_and_cors(server):
    plain = server.request("OPTIONS", "/sparql")
    assert plain.status == 204
    assert "POST" in plain.headers["allow"]
    asked = {"Origin": "https://example.org", "Access_Control_Request_Method": "POST"}
    allowed = server.request("OPTIONS", "/sparql", Access_Control_Request_Headers="content-type", **asked)
    assert allowed.headers["access-control-allow-origin"] == "*"
    assert "POST" in allowed.headers["access-control-allow-methods"]
    for query in (SELECT, "SELECT"):
        assert server.ask(query, Origin="https://example.org").headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("media", GRAPHS)
def test_the_service_description(server, media):
    answer = server.get("/sparql", Accept=media)
    assert answer.headers["content-type"].split(";")[0] == media
    graph = rdflib.Graph().parse(data=answer.text, format=GRAPHS[media])
    sd = rdflib.Namespace("http://www.w3.org/ns/sparql-service-description#")
    service = graph.value(None, rdflib.RDF.type, sd.Service)
    assert graph.value(service, sd.endpoint) == rdflib.URIRef(f"{server.url}/sparql")
    assert (service, sd.supportedLanguage, sd.SPARQL11Query) in graph
    assert (service, sd.feature, sd.UnionDefaultGraph) in graph
    assert (service, sd.feature, sd.BasicFederatedQuery) not in graph
    dataset = graph.value(service, sd.defaultDataset)
    named = {str(graph.value(one, sd.name)) for one in graph.objects(dataset, sd.namedGraph)}
    assert named == {ASSERTED, DERIVED}
    assert len(list(graph.objects(service, sd.resultFormat))) == 8
    assert server.get("/sparql", Accept="text/csv").status == 406


def test_long_answers_come_in_pieces_and_zipped_where_wanted(server):
    import gzip

    query = "SELECT ?text { ?s rul:text ?text } ORDER BY ?s"
    plain, zipped = server.ask(query, Accept="text/csv"), server.ask(query, Accept="text/csv", Accept_Encoding="gzip")
    assert plain.headers["transfer-encoding"] == "chunked"
    assert len(plain.body) > 1 << 16
    assert zipped.headers["content-encoding"] == "gzip"
    assert gzip.decompress(zipped.body) == plain.body


def test_service_works_where_it_is_switched_on(server, start, sample_home):
    query = f"SELECT (COUNT(?c) AS ?n) {{ SERVICE <{server.url}/sparql> {{ ?c a rul:Card }} }}"
    assert server.ask(query).status == 400
    with start(sample_home, "--allow-service") as open_one:
        own = count(server.ask("SELECT (COUNT(?c) AS ?n) { ?c a rul:Card }"))
        assert count(open_one.ask(query)) == own > 100
        assert "BasicFederatedQuery" in open_one.get("/sparql").text
        assert open_one.ask("INSERT DATA { <a:a> <a:b> <a:c> }").status == 400
