"""Queries that would write or call another server are refused, however they are written."""

import socket
import threading

import pyoxigraph as ox
import pytest

from rulings.graph.errors import QueryError
from rulings.graph.query_guard import refuse
from rulings.graph.query_terms import masked
from rulings.graph.sparql import evaluate

CALL = "SERVICE <http://127.0.0.1:9/> { ?s ?p ?o }"
HIDDEN = [
    f"ASK {{ {CALL} }}",
    f"ASK {{ {CALL.replace('SERVICE', 'sErViCe silent')} }}",
    f"ASK {{ FILTER(1<2){CALL.replace(' <', '#>' + chr(10) + '<')} }}",
    f'ASK {{ FILTER(1<2)#>"""\n{CALL}\n#"""\n }}',
    f"PREFIX e: <http://e/> ASK {{ e:a\\'b ?p ?o . {CALL} e:c ?p \"'\" }}",
    f"SELECT * {{ {{ SELECT ?s {{ ?s ?p ?o OPTIONAL {{ {CALL} }} }} }} }}",
    "SELECT * { BIND(<http://127.0.0.1:9/> AS ?x) SERVICE?x{ ?s ?p ?o } }",
    f"ASK {{ FILTER NOT EXISTS {{ {CALL} }} }}",
    'ASK { ?s ?p "\\u0022 . ' + CALL + ' ?a ?b "\\u0022" }',
]


@pytest.mark.parametrize("query", HIDDEN)
def test_service_is_refused(query):
    with pytest.raises(QueryError, match="SERVICE is refused"):
        refuse(query, masked(query))


@pytest.mark.parametrize(
    "query",
    [
        'SELECT ?t { ?s rul:text ?t FILTER(CONTAINS(?t, "service")) }',
        "PREFIX sd: <http://www.w3.org/ns/sparql-service-description#> ASK { ?s a sd:Service ; sd:service ?service }",
        "ASK { ?s ?p ?o } # SERVICE <http://127.0.0.1:9/> { ?s ?p ?o }",
        "SELECT ?add ?copy { ?add rul:copy ?copy FILTER(?add < 3 && ?copy > 1) }",
    ],
)
def test_the_word_alone_is_not(query):
    refuse(query, masked(query))


@pytest.mark.parametrize("word", ["INSERT DATA { <a:a> <a:b> <a:c> }", "LOAD <http://example.org/>", "DROP ALL"])
def test_updates_are_refused(word):
    with pytest.raises(QueryError, match=f"{word.split()[0]} is refused"):
        refuse(word, masked(word), service=True)


def test_service_calls_out_only_where_it_may():
    called = []
    with socket.create_server(("127.0.0.1", 0)) as other:

        def answer():
            connection, _ = other.accept()
            with connection:
                called.append(connection.recv(1000))

        threading.Thread(target=answer, daemon=True).start()
        query = f"ASK {{ SERVICE <http://127.0.0.1:{other.getsockname()[1]}/> {{ ?s ?p ?o }} }}"
        with pytest.raises(QueryError, match="SERVICE is refused"):
            evaluate(ox.Store(), query)
        assert called == []
        with pytest.raises(QueryError, match="could not be run"):
            evaluate(ox.Store(), query, service=True)
        assert called
