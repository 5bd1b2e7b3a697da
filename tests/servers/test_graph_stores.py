"""Named graphs loaded into other makers' servers and replaced one by one, by both protocols; what is wrong is told."""

import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pyoxigraph as ox
import pytest

from rulings.graph.endpoint import Endpoint
from rulings.graph.errors import QueryError, RemoteAddressError, RemoteError, UnknownTermError
from rulings.graph.graph_store import GraphStore, UpdateEndpoint, load_graph
from rulings.graph.sparql_http import Client, Limits
from rulings.graph.vocabulary import ASSERTED, DERIVED

NODE = "https://example.org/"
COUNT = "SELECT (COUNT(*) AS ?n) { GRAPH <%s> { ?s ?p ?o } }"


def store_of(count: int, text: str = 'a "text" with \\ and \n and é') -> ox.Store:
    """A store with some triples in each graph."""
    store = ox.Store()
    store.extend(
        ox.Quad(ox.NamedNode(f"{NODE}{n}"), ox.NamedNode(f"{NODE}p"), ox.Literal(f"{n} {text}"), ox.NamedNode(graph))
        for n in range(count)
        for graph in (ASSERTED, DERIVED)
    )
    return store


@pytest.fixture(scope="module", params=["oxigraph", "virtuoso"])
def server(request):
    return request.getfixturevalue(request.param)()


@pytest.fixture(params=["graph store", "update"])
def writer(request, server):
    if request.param == "graph store":
        return GraphStore(server.graph_store, piece=2000)
    return UpdateEndpoint(server.update, piece=2000)


def count(server, graph):
    return next(iter(Endpoint([server.query]).sparql(COUNT % graph)))["n"]


def test_a_graph_is_loaded_in_pieces_and_replaced_by_itself(server, writer):
    told = []
    for graph in (ASSERTED, DERIVED):
        assert load_graph(store_of(100), graph, writer, told.append) == 100
    assert sum(told) == 200
    assert len(told) >= 6
    assert count(server, ASSERTED) == count(server, DERIVED) == 100
    load_graph(store_of(3), DERIVED, writer)
    assert (count(server, ASSERTED), count(server, DERIVED)) == (100, 3)
    load_graph(ox.Store(), ASSERTED, writer)
    assert (count(server, ASSERTED), count(server, DERIVED)) == (0, 3)


def test_texts_come_back_as_they_went(server, writer):
    texts = ['a "text" with \\ and \n and é', "日本 {X} 😀", "' '' ''' \t", "?x $y <b> } {"]
    for text in texts:
        load_graph(store_of(1, text), ASSERTED, writer)
        rows = list(Endpoint([server.query]).sparql(f"SELECT ?o {{ GRAPH <{ASSERTED}> {{ ?s ?p ?o }} }}"))
        assert rows == [{"o": f"0 {text}"}]


def test_every_form_is_answered(server, writer):
    load_graph(store_of(3), ASSERTED, writer)
    load_graph(ox.Store(), DERIVED, writer)
    endpoint = Endpoint([server.query])
    assert endpoint.sparql("ASK { ?s ?p ?o }")
    assert not endpoint.sparql("ASK { ?s a rul:Card }")
    built = endpoint.sparql(f"CONSTRUCT {{ ?s rul:name ?o }} WHERE {{ ?s <{NODE}p> ?o }}")
    assert (built.kind, len(built)) == ("graph", 3)
    named = endpoint.sparql("PREFIX select: <http://x/> CONSTRUCT { ?s select:all ?o } WHERE { ?s ?p ?o }")
    assert (named.kind, len(named)) == ("graph", 3)
    assert b"rul:name" in built.serialize("ttl")
    rows = endpoint.sparql("SELECT ?s ?nothing { ?s ?p ?o } ORDER BY ?s")
    assert rows.variables == ("s", "nothing")
    assert [row["s"] for row in rows] == [f"{NODE}{n}" for n in range(3)]
    assert rows.serialize("csv").startswith(b"s,nothing\r\n")


def test_what_a_server_refuses_is_told(server):
    endpoint = Endpoint([server.query])
    with pytest.raises(RemoteError, match=r"the server answered \d+ \(") as caught:
        endpoint.sparql("SELECT ?x { ?x")
    assert "\n" not in str(caught.value)
    assert server.query in str(caught.value)
    with pytest.raises(RemoteError, match=r"0 triples of .* were written; load it again"):
        load_graph(store_of(1), ASSERTED, GraphStore(server.query.rpartition("/")[0] + "/nothing-here"))


def test_what_a_query_may_not_do_is_not_sent():
    endpoint = Endpoint(["http://127.0.0.1:9/query"])
    with pytest.raises(QueryError, match="INSERT is refused"):
        endpoint.sparql("INSERT DATA { <a:a> <a:b> <a:c> }")
    with pytest.raises(QueryError, match="SERVICE is refused"):
        endpoint.sparql("ASK { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }")
    with pytest.raises(UnknownTermError, match="did you mean rul:name"):
        endpoint.sparql("ASK { ?s rul:nam ?o }")
    with pytest.raises(RemoteError, match=r"no connection .*is the server running there\?"):
        endpoint.sparql("ASK { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }", service=True)


@pytest.mark.parametrize(
    "address", ["ftp://x/", "http://", "nonsense", "http://h:port/", "http://me:secret@h/", "http://h/a b", ""]
)
def test_a_wrong_address_is_told_without_its_secret(address):
    with pytest.raises(RemoteAddressError) as caught:
        Endpoint([address])
    assert "secret" not in str(caught.value)


@contextmanager
def stub(status=200, body=b"", headers=(), wait=0.0):
    """A server that answers always the same; gives its address and the heads of requests."""
    seen = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            seen.append(dict(self.headers))
            time.sleep(wait)
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.handle_error = lambda *_: None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/sparql", seen
    finally:
        server.shutdown()
        server.server_close()


def told_by(address, limits=None):
    with pytest.raises(RemoteError) as caught:
        Endpoint([address], limits).sparql("ASK { ?s ?p ?o }")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_answers_past_the_limits_are_given_up():
    with stub(body=b" " * 5_000_000) as (address, _):
        assert "longer than 1 MB; ask for less" in told_by(address, Limits(size=1 << 20))
    with stub(wait=3) as (address, _):
        start = time.monotonic()
        assert "no answer within 0 s" in told_by(address, Limits(seconds=0.4))
        assert time.monotonic() - start < 2


def test_answers_that_are_none_are_told():
    with stub(body=b"<html>Welcome</html>") as (address, _):
        assert "is it a SPARQL server?" in told_by(address)
    with stub(302, headers=[("Location", "http://127.0.0.1:9/")]) as (address, _):
        assert "sends elsewhere (http://127.0.0.1:9/)" in told_by(address)
    with stub(401, b"<html>no</html>") as (address, _):
        assert "refuses us (401); give RULINGS_GRAPH_USER" in told_by(address)
    with stub(500, b"broken\n" * 1000) as (address, _):
        assert len(told_by(address)) < 500


def test_credentials_come_from_the_environment_and_go_by_https_or_here_only(monkeypatch):
    monkeypatch.setenv("RULINGS_GRAPH_USER", "me")
    monkeypatch.setenv("RULINGS_GRAPH_PASSWORD", "not-to-be-told")
    with stub(401) as (address, seen):
        assert "not-to-be-told" not in told_by(address)
        assert seen[0]["Authorization"] == "Basic bWU6bm90LXRvLWJlLXRvbGQ="
        monkeypatch.setenv("RULINGS_GRAPH_TOKEN", "token")
        told_by(address)
        assert seen[1]["Authorization"] == "Bearer token"
    with pytest.raises(RemoteError, match="sent by https only"):
        Client(Limits(seconds=1)).send("POST", "http://192.0.2.1/sparql", b"", {})
