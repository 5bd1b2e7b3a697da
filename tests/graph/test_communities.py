"""Communities, centrality and PageRank: the figures of NetworkX, and the same each time."""

import sys

import networkx as nx
import pytest

from rulings.graph.centrality import pagerank
from rulings.graph.errors import MissingExtraError, QueryError, UnknownNameError
from rulings.graph.relations import relations
from rulings.graph.sparse_network import SparseNetwork
from rulings.search.generation import current


@pytest.fixture(scope="module")
def sample(sample_home):
    return current(sample_home).graph


@pytest.fixture(scope="module")
def club():
    """Zachary's karate club with its weights, and a pair that hangs with nobody."""
    graph = nx.relabel_nodes(nx.karate_club_graph(), str)
    graph.add_edge("a", "b", weight=2)
    return graph


def groups_of(found):
    return {frozenset(group) for group in found}


def test_groups_are_those_that_were_planted(sample):
    pytest.importorskip("igraph")
    planted = nx.relabel_nodes(nx.planted_partition_graph(4, 12, 0.9, 0.02, seed=3), str)
    expected = {frozenset(str(n) for n in range(start, start + 12)) for start in range(0, 48, 12)}
    assert groups_of(sample.communities(planted)) == expected
    assert groups_of(nx.community.louvain_communities(planted, seed=1)) == expected


def test_groups_are_as_good_as_those_of_networkx(sample, club):
    pytest.importorskip("igraph")
    concepts = sample.concepts_by_shared_rulings()
    for graph, found in ((club, sample.communities(club)), (concepts, sample.communities("concepts"))):
        assert sorted(node for group in found for node in group) == sorted(graph)
        other = nx.community.louvain_communities(graph, seed=0)
        assert nx.community.modularity(graph, found) >= nx.community.modularity(graph, other) - 0.01
        assert [len(group) for group in found] == sorted(map(len, found), reverse=True)
        assert all(nx.is_connected(graph.subgraph(group)) for group in found)


def test_the_same_seed_gives_the_same_groups(sample):
    pytest.importorskip("igraph")
    assert sample.communities("concepts", seed=5) == sample.communities("concepts", seed=5)
    assert len(sample.communities("concepts", resolution=3.0)) > len(sample.communities("concepts"))


@pytest.mark.parametrize("measure", ["degree", "betweenness", "closeness", "pagerank"])
def test_centrality_is_that_of_networkx(sample, club, measure):
    pytest.importorskip("igraph")
    theirs = {
        "degree": nx.degree_centrality,
        "betweenness": nx.betweenness_centrality,
        "closeness": nx.closeness_centrality,
        "pagerank": lambda graph: nx.pagerank(graph, tol=1e-12),
    }[measure]
    for graph, ours in (
        (club, sample.centrality(club, measure)),
        (sample.concepts_by_shared_rulings(), sample.centrality("concepts", measure)),
    ):
        assert ours == pytest.approx(theirs(graph), abs=1e-8)
        assert list(ours.values()) == sorted(ours.values(), reverse=True)


def test_pagerank_is_that_of_networkx(club):
    directed = nx.gn_graph(30, seed=2)
    directed.add_edges_from([(0, 5), (3, 7), (7, 3)])
    for graph, start in (
        (club, None),
        (club, {"0": 1.0, "33": 3.0}),
        (nx.relabel_nodes(directed, str), None),
        (nx.relabel_nodes(directed, str), {"7": 1.0}),
    ):
        ours = pagerank(SparseNetwork.of_networkx(graph), start)
        assert ours == pytest.approx(nx.pagerank(graph, personalization=start, tol=1e-12, max_iter=500), abs=1e-8)
    assert pagerank(SparseNetwork.of_networkx(nx.Graph())) == {}


def test_what_is_near_a_card_over_the_whole_graph(sample):
    names = [name for name in relations() if name not in {"inEdition", "faceOf"}]
    both_ways = nx.Graph()
    whole = sample.networkx(relations=names)
    both_ways.add_nodes_from(whole)
    for start, end in whole.edges():
        weight = both_ways.get_edge_data(start, end, {"weight": 0})["weight"]
        both_ways.add_edge(start, end, weight=weight + 1)
    near = sample.pagerank("clone", "Copy (concept)")
    expected = nx.pagerank(both_ways, personalization={"Clone": 1, "Copy (concept)": 1}, tol=1e-12, max_iter=500)
    assert near == pytest.approx(expected, abs=1e-8)
    assert set(list(near)[:2]) == {"Clone", "Copy (concept)"}
    assert sample.pagerank("clone", "Copy (concept)") == near


def test_what_is_walked_can_be_chosen(sample):
    cards = sample.pagerank("Clone", kinds=["Card"], relations=["worksLike"])
    assert sum(cards.values()) == pytest.approx(1)
    assert max(cards, key=cards.get) == "Clone"
    assert {sample.networkx(key, hops=0).nodes[key]["kind"] for key in list(cards)[:5]} == {"Card"}
    with pytest.raises(UnknownNameError, match="of none of the kinds Card"):
        sample.pagerank("Copy (concept)", kinds=["Card"])


def test_what_can_not_be_done_is_told(sample, monkeypatch):
    with pytest.raises(QueryError, match="no measure is called 'fame'"):
        sample.centrality("concepts", "fame")
    with pytest.raises(QueryError, match="no network is called 'decks'"):
        sample.communities("decks")
    with pytest.raises(QueryError, match="to_undirected"):
        sample.communities(nx.DiGraph([("a", "b")]))
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'rulings-graph\[networks\]'"):
        sample.communities("concepts")
