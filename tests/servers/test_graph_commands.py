"""`rulings upload` and `rulings sparql --graph`, against servers that the test run starts."""

import pytest

from rulings.app.command import main
from rulings.graph.query_library import library
from rulings.search.generation import current


@pytest.fixture
def home(sample_home):
    return ["--home", str(sample_home)]


def ask(capsys, *words):
    status = main(["sparql", *words])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_the_graph_is_uploaded_and_asked(oxigraph, home, sample_home, capsys):
    first, second = oxigraph(), oxigraph()
    assert main(["upload", *home, "--graph-store", first.graph_store]) == 0
    told = capsys.readouterr().err.splitlines()
    assert [line.split(" into ")[1] for line in told] == [
        f"<https://w3id.org/rulings/graph/{g}>" for g in ("asserted", "derived")
    ]
    query = "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }"
    here = ask(capsys, *home, query, "--format", "csv")
    assert ask(capsys, *home, query, "--format", "csv", "--graph", first.query) == here == (0, here[1], "")
    quads = current(sample_home).manifest.counts["quads"]
    assert here[1] == f"n\r\n{quads}\r\n"

    assert main(["upload", *home, "--update", second.update, "--only", "derived"]) == 0
    assert main(["upload", *home, "--graph-store", first.graph_store, "--only", "asserted"]) == 0
    capsys.readouterr()
    both = ("--graph", first.query, "--graph", second.query)
    named = ("@card-concepts", "card=clone")
    assert ask(capsys, *home, *named, *both) == ask(capsys, *home, *named)
    status, _, told = ask(capsys, *home, "DESCRIBE ?s { ?s a rul:Card }", *both)
    assert (status, told.count("\n")) == (2, 1)
    assert "ask with CONSTRUCT" in told


def test_a_home_is_not_needed(oxigraph, home, capsys, tmp_path):
    server = oxigraph()
    assert main(["upload", *home, "--graph-store", server.graph_store]) == 0
    capsys.readouterr()
    words = ("--home", str(tmp_path), "@card-rulings", "card=Clone", "--graph", server.query)
    assert ask(capsys, *words) == ask(capsys, *home, "@card-rulings", "card=Clone")
    assert library()["card-rulings"].parameters == {"card": "Clone"}


def test_other_servers_are_called_where_that_is_switched_on(oxigraph, home, capsys):
    server = oxigraph()
    assert main(["upload", *home, "--graph-store", server.graph_store, "--only", "asserted"]) == 0
    capsys.readouterr()
    inside = "{ GRAPH <https://w3id.org/rulings/graph/asserted> { ?card rul:name 'Clone' } }"
    query = f"SELECT ?card {{ SERVICE <{server.query}> {inside} }}"
    status, _, told = ask(capsys, *home, query)
    assert (status, "SERVICE is refused" in told) == (2, True)
    plain = ask(capsys, *home, "SELECT ?card { ?card rul:name 'Clone' }")
    assert plain[1].count("\n") == 3
    assert ask(capsys, *home, query, "--service") == plain
    assert ask(capsys, *home, query, "--service", "--graph", server.query) == plain


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (["sparql", "ASK { ?s ?p ?o }", "--graph", "http://127.0.0.1:9/query"], 1, "is the server running there?"),
        (["sparql", "ASK { ?s ?p ?o }", "--graph", "http://me:secret@127.0.0.1:9/query"], 2, "RULINGS_GRAPH_USER"),
        (["sparql", "@no-such", "--graph", "http://127.0.0.1:9/query"], 2, "no query is called @no-such"),
        (["upload"], 2, "--graph-store URL"),
        (["upload", "--update", "nonsense"], 2, "nonsense: no address of a server"),
        (["upload", "--graph-store", "http://127.0.0.1:9/store"], 1, "0 triples of"),
    ],
)
def test_what_is_wrong_is_told_on_one_line(home, capsys, words, status, told):
    assert main([words[0], *home, *words[1:]]) == status
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert told in printed.err
    assert "secret" not in printed.err
