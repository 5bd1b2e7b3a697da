"""Clients that people use: SPARQLWrapper, rdflib's SPARQLStore and curl."""

import json
import shutil
import subprocess

import pytest
import rdflib
from rdflib.plugins.stores.sparqlstore import SPARQLStore

SELECT = "SELECT ?name { ?card a rul:Card ; rul:name ?name } ORDER BY ?name LIMIT 3"
CONSTRUCT = "CONSTRUCT { ?c rul:name ?n } { ?c a rul:Card ; rul:name ?n } LIMIT 4"


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("posting", ["urlencoded", "postdirectly"])
def test_sparqlwrapper(server, method, posting):
    wrapper = pytest.importorskip("SPARQLWrapper")
    client = wrapper.SPARQLWrapper(f"{server.url}/sparql")
    client.setMethod(method)
    client.setRequestMethod(posting)
    client.setQuery(SELECT)
    client.setReturnFormat(wrapper.JSON)
    assert len(client.queryAndConvert()["results"]["bindings"]) == 3
    client.setReturnFormat(wrapper.CSV)
    assert client.queryAndConvert().splitlines()[0] == b"name"
    client.setReturnFormat(wrapper.XML)
    assert len(client.queryAndConvert().getElementsByTagName("result")) == 3
    client.setQuery(CONSTRUCT)
    for form in (wrapper.TURTLE, wrapper.RDFXML, wrapper.JSONLD):
        client.setReturnFormat(form)
        found = client.queryAndConvert()
        graph = found if isinstance(found, rdflib.Graph) else rdflib.Graph().parse(data=found, format="turtle")
        assert len(graph) == 4
    client.setQuery("ASK { ?s a rul:Nothing }")
    client.setReturnFormat(wrapper.JSON)
    with pytest.raises(wrapper.SPARQLExceptions.QueryBadFormed, match="the vocabulary has no such term"):
        client.query()
    client.addDefaultGraph("https://w3id.org/rulings/graph/asserted")
    client.setQuery("ASK { ?l a rul:Link }")
    assert client.queryAndConvert()["boolean"] is False


@pytest.mark.parametrize("method", ["GET", "POST", "POST_FORM"])
def test_rdflibs_store(server, method):
    graph = rdflib.Graph(SPARQLStore(f"{server.url}/sparql", method=method))
    rul = rdflib.Namespace("https://w3id.org/rulings/vocab#")
    assert len(list(graph.query(SELECT))) == 3
    clone = graph.value(None, rul.name, rdflib.Literal("Clone"))
    assert (clone, rdflib.RDF.type, rul.Card) in graph
    assert len(list(graph.triples((clone, None, None)))) > 5
    assert bool(graph.query("ASK { ?c a rul:Card }"))
    assert len(graph.query(CONSTRUCT).graph) == 4


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
def test_curl(server):
    words = ["curl", "-sS", "--compressed", "-H", "Accept: text/csv", f"{server.url}/sparql"]
    got = subprocess.run([*words, "-G", "--data-urlencode", f"query={SELECT}"], capture_output=True, check=True)
    posted = subprocess.run([*words, "--data-urlencode", f"query={SELECT}"], capture_output=True, check=True)
    kind = ["-H", "Content-Type: application/sparql-query", "--data-binary", SELECT]
    direct = subprocess.run([*words, *kind], capture_output=True, check=True)
    assert got.stdout == posted.stdout == direct.stdout
    assert got.stdout.startswith(b"name\r\n")
    assert json.loads(subprocess.run(["curl", "-sS", f"{server.url}/healthz"], capture_output=True, check=True).stdout)
