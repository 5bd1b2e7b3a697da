"""`rulings export` in every format, read back by other libraries with the counts equal, and always the same bytes."""

import sys
from pathlib import Path

import networkx as nx
import pyoxigraph as ox
import pytest
import rdflib

from rulings.app.command import main
from rulings.app.export import _triples
from rulings.graph.errors import MissingExtraError
from rulings.graph.graphml import graphml_lines
from rulings.search.generation import current

RDF = {"nq": "nquads", "trig": "trig", "jsonld": "json-ld", "nt": "nt", "ttl": "turtle"}


@pytest.fixture(scope="module")
def graph(sample_home):
    return current(sample_home).graph


@pytest.fixture(scope="module")
def exported(sample_home, tmp_path_factory):
    """The folder that holds the sample in a format; each is written once."""
    folder = tmp_path_factory.mktemp("exported")

    def export(suffix: str, name: str = "graph") -> Path:
        path = folder / f"{name}.{suffix}"
        if not path.exists():
            assert main(["export", "--home", str(sample_home), str(path)]) == 0
        return path

    return export


@pytest.mark.parametrize("suffix", RDF)
def test_rdf_is_read_back_whole(exported, graph, suffix):
    form = ox.RdfFormat.from_extension(suffix)
    read = list(ox.parse(path=str(exported(suffix)), format=form))
    expected = set(graph.store) if suffix in {"nq", "trig", "jsonld"} else {quad.triple for quad in graph.store}
    assert len(read) == len(expected)
    assert {quad if suffix in {"nq", "trig", "jsonld"} else quad.triple for quad in read} == expected


@pytest.mark.parametrize("suffix", ["ttl", "trig", "jsonld"])
def test_rdflib_reads_it(exported, graph, suffix):
    store = rdflib.Dataset(default_union=True)
    store.parse(exported(suffix), format=RDF[suffix])
    assert len(set(store.triples((None, None, None)))) == len({quad.triple for quad in graph.store})


@pytest.mark.parametrize("suffix", [*RDF, "graphml"])
def test_the_bytes_are_always_the_same(exported, suffix):
    assert exported(suffix).read_bytes() == exported(suffix, "again").read_bytes()


def test_triples_of_both_graphs_come_once():
    store, node = ox.Store(), ox.NamedNode("http://e/x")
    for graph in ("http://e/a", "http://e/b"):
        store.add(ox.Quad(node, node, node, ox.NamedNode(graph)))
        store.add(ox.Quad(node, node, ox.Literal(graph), ox.NamedNode(graph)))
    assert len(list(_triples(store))) == 3


def test_networkx_reads_graphml(exported, graph):
    whole, read = graph.networkx(), nx.read_graphml(exported("graphml"))
    assert isinstance(read, nx.MultiDiGraph)
    assert dict(read.nodes(data=True)) == dict(whole.nodes(data=True))
    assert sorted((a, b, str(d)) for a, b, d in read.edges(data=True)) == sorted(
        (a, b, str({n: d[n] for n in ("relation", "derived", "confidence") if n in d}))
        for a, b, d in whole.edges(data=True)
    )


def test_graphml_holds_any_text(tmp_path):
    odd = nx.MultiDiGraph()
    odd.add_node('a <"&\n\tb', kind="x", text="line\r\nend\x0b ]]> \U0001f600")
    odd.add_edge('a <"&\n\tb', 'a <"&\n\tb', "r", relation="r")
    path = tmp_path / "odd.graphml"
    path.write_text("".join(graphml_lines(odd)), encoding="utf-8", newline="\n")
    (node,) = nx.read_graphml(path).nodes(data=True)
    assert node == ('a <"&\n\tb', {"kind": "x", "text": "line\r\nend\ufffd ]]> \U0001f600"})


def test_parquet_holds_nodes_and_edges(graph, sample_home, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "graph.parquet"
    assert main(["export", "--home", str(sample_home), str(path)]) == 0
    nodes, edges = (parquet.read_table(tmp_path / f"graph.{name}.parquet").to_pylist() for name in ("nodes", "edges"))
    whole = graph.networkx()
    assert {row["key"] for row in nodes} == set(whole)
    assert len(edges) == whole.number_of_edges()
    assert {(r["source"], r["target"], r["relation"]) for r in edges} == set(whole.edges(keys=True))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["graph.edges.parquet", "graph.nodes.parquet"]
    pandas = pytest.importorskip("pandas")
    assert len(pandas.read_parquet(tmp_path / "graph.nodes.parquet")) == len(nodes)
    first = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert main(["export", "--home", str(sample_home), str(path)]) == 0
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == first


def test_duckdb_joins_the_tables(graph, sample_home, tmp_path):
    pytest.importorskip("pyarrow")
    duckdb = pytest.importorskip("duckdb")
    assert main(["export", "--home", str(sample_home), str(tmp_path / "graph.parquet")]) == 0
    nodes, edges = (f"'{tmp_path / f'graph.{name}.parquet'}'" for name in ("nodes", "edges"))
    found = duckdb.sql(
        f"""SELECT a.kind, e.relation, b.kind, COUNT(*), COUNT(e.confidence) FROM {edges} e
            JOIN {nodes} a ON e.source = a.key JOIN {nodes} b ON e.target = b.key GROUP BY ALL"""
    ).fetchall()
    whole, expected = graph.networkx(), {}
    kinds = dict(whole.nodes(data="kind"))
    for start, end, relation, about in whole.edges(keys=True, data=True):
        counts = expected.setdefault((kinds[start], relation, kinds[end]), [0, 0])
        counts[0] += 1
        counts[1] += "confidence" in about
    assert {tuple(row[:3]): list(row[3:]) for row in found} == expected


def test_a_missing_library_is_told(sample_home, tmp_path, monkeypatch, capsys):
    for name in ("pyarrow", "pyarrow.parquet", "pandas"):
        monkeypatch.setitem(sys.modules, name, None)
    assert main(["export", "--home", str(sample_home), str(tmp_path / "x.parquet")]) == 1
    assert "pip install 'rulings-graph[tables]'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(MissingExtraError, match="needs pandas"):
        current(sample_home).graph.sparql("SELECT ?s { ?s a rul:Card } LIMIT 1").to_pandas()


def test_rows_for_pandas(graph):
    pytest.importorskip("pandas")
    frame = graph.sparql('SELECT ?name ?n { VALUES (?name ?n) { ("a" 1) ("b" UNDEF) } }').to_pandas()
    assert list(frame.columns) == ["name", "n"]
    assert frame["name"].tolist() == ["a", "b"]
    assert frame["n"].isna().tolist() == [False, True]


def test_an_export_that_fails_leaves_nothing(sample_home, tmp_path, capsys):
    assert main(["export", "--home", str(sample_home), str(tmp_path / "no" / "graph.nt")]) == 2
    assert "can't be written" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
