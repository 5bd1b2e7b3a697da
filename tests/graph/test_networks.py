"""The graph for NetworkX: whole and in part, with readable keys, and nothing left out in silence."""

from dataclasses import replace

import networkx as nx
import pytest

from rulings.graph import neighbourhoods
from rulings.graph.archive import concept_counts, write_links
from rulings.graph.asserted import asserted
from rulings.graph.derived import derived_lines
from rulings.graph.errors import QueryError, UnknownNameError
from rulings.graph.knowledge import KnowledgeGraph
from rulings.graph.records import Concept
from rulings.graph.relations import ends, relations
from rulings.graph.store import write_store
from rulings.graph.vocabulary import PREFIXES, Iris
from rulings.ingest import write_archive
from rulings.search.generation import current


@pytest.fixture(scope="module")
def graph(small, small_links, tmp_path_factory):
    # A concept with the name of a card, and one that a card has as its keyword.
    more = {"mimic": Concept("mimic", "Mimic", "keyword"), "flying": Concept("flying", "Flying", "keyword ability")}
    links = replace(small_links, concepts={**small_links.concepts, **more})
    counts = concept_counts(links, {key: s.oracle_ids for key, s in small.statements.items()})
    folder = tmp_path_factory.mktemp("networks") / "graph"
    write_store(folder, [*asserted(small, Iris(), {"flying": "flying"}), *derived_lines(small, links, counts, Iris())])
    write_archive(small, folder.with_name("records.sqlite"))
    write_links(links, counts, folder.with_name("links.sqlite"))
    return KnowledgeGraph(folder)


@pytest.fixture(scope="module")
def sample(sample_home):
    return current(sample_home).graph


def said_by_rdf(graph):
    """The whole graph as SPARQL has it: nodes by IRI with kind, label, text and date; edges with confidence."""
    kinds = "rul:Card rul:Face rul:Ruling rul:Statement rul:Concept rul:Rule rul:Edition"
    nodes = {}
    for row in graph.sparql(
        f"""SELECT ?iri ?type ?label ?text ?oracle ?definition ?date {{ VALUES ?type {{ {kinds} }}
            ?iri a ?type ; rdfs:label ?label OPTIONAL {{ ?iri rul:text ?text }} OPTIONAL {{ ?iri rul:oracleText ?oracle }}
            OPTIONAL {{ ?iri skos:definition ?definition }} OPTIONAL {{ ?iri dcterms:issued ?date }} }}"""
    ):
        text = row["text"] or row["oracle"] or row["definition"]
        about = {"kind": row["type"].rpartition("#")[2], "label": row["label"], "iri": row["iri"], "text": text}
        nodes[row["iri"]] = {k: v for k, v in (about | {"date": row["date"]}).items() if v}
    edges = {}
    for name, iri in relations().items():
        for row in graph.sparql(f"SELECT ?s ?o ?g {{ GRAPH ?g {{ ?s <{iri}> ?o }} }}"):
            if row["s"] in nodes and row["o"] in nodes:
                about = edges.setdefault((row["s"], name, row["o"]), {"relation": name, "derived": True})
                about["derived"] &= row["g"].endswith("/derived")
    names = {iri: name for name, iri in relations().items()}
    for row in graph.sparql(
        "SELECT ?s ?p ?o ?c { ?l rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o ; rul:confidence ?c }"
    ):
        about = edges[row["s"], names[row["p"]], row["o"]]
        about["confidence"] = max(row["c"], about.get("confidence", 0.0))
    return nodes, edges


@pytest.mark.parametrize("made", ["graph", "sample"])
def test_the_whole_graph_is_what_the_rdf_says(made, request):
    graph = request.getfixturevalue(made)
    whole = graph.networkx()
    nodes, edges = said_by_rdf(graph)
    assert {about["iri"]: about for _, about in whole.nodes(data=True)} == nodes
    iri = dict(whole.nodes(data="iri"))
    assert len(whole) == len(nodes)
    assert {(iri[a], name, iri[b]): about for a, b, name, about in whole.edges(keys=True, data=True)} == edges
    assert whole.number_of_edges() == len(edges)


@pytest.mark.parametrize("made", ["graph", "sample"])
def test_keys_are_the_same_from_records_and_from_the_store(made, request):
    graph = request.getfixturevalue(made)
    keys = {about["iri"]: key for key, about in graph.networkx().nodes(data=True)}
    triples = graph.networkx_from("CONSTRUCT { ?s rdfs:label ?l } { ?s a ?kind ; rdfs:label ?l }")
    found = {about["iri"]: key for key, about in triples.nodes(data=True) if about.get("kind")}
    assert found == keys


def test_relations_join_the_kinds_that_the_vocabulary_allows(sample):
    whole = sample.networkx()
    for start, end, name in whole.edges(keys=True):
        allowed = ends()[name]
        assert (whole.nodes[start]["kind"] in allowed[0]) == (whole.nodes[end]["kind"] in allowed[1]) == True, name  # noqa: E712
    assert set(ends()) == set(relations())
    assert relations()["broader"] == PREFIXES["skos"] + "broader"


def test_keys_are_readable_and_tell_namesakes_apart(graph):
    whole = graph.networkx()
    assert {
        "Mimic",
        "Mimic (concept)",
        "Copy (concept)",
        "rule 707.2",
        "rule 706.2 (2021-04-22)",
        "rules of 2026-02-27",
        "Left (face 1 of Left // Right)",
    } <= set(whole)
    assert whole.nodes["Mimic"]["kind"] == "Card"
    assert whole.nodes["rule 707.3"]["text"] == "A copy of a copy is the same."
    assert whole.nodes["rules of 2026-02-27"]["date"] == "2026-02-27"


def test_edges_have_relation_confidence_and_origin(graph, small):
    whole = graph.networkx()
    key = next(key for key, s in small.statements.items() if s.text.startswith("If the copied"))
    clarifies = whole.edges[key, "Copy (concept)", "clarifies"]
    assert clarifies == {"relation": "clarifies", "derived": True, "confidence": 0.9}
    assert whole.edges["Left // Right", "Left (face 1 of Left // Right)", "hasFace"]["derived"] is False
    assert whole.edges["rule 706.2 (2021-04-22)", "rule 707.2", "sameRuleAs"]["confidence"] == 0.95


def test_kinds_and_relations_can_be_chosen(graph):
    part = graph.networkx(kinds=["Card", "Concept"], relations=["copies", "uses", "worksLike"])
    assert {kind for _, kind in part.nodes(data="kind")} == {"Card", "Concept"}
    assert {key for *_, key in part.edges(keys=True)} == {"copies", "worksLike"}
    with pytest.raises(QueryError, match="no relation is called 'likes'"):
        graph.networkx(relations=["likes"])
    with pytest.raises(QueryError, match="no kind is called 'Cards'"):
        graph.networkx("Mimic", kinds=["Cards"])


@pytest.mark.parametrize("name", ["Mimic", "mimic", "Nachahmer", "https://w3id.org/rulings/id/card/aaaa"])
def test_a_neighbourhood_starts_from_any_name(graph, name):
    near = graph.networkx(name, hops=1)
    assert near.graph["start"] == ["Mimic"]
    assert nx.eccentricity(near.to_undirected(), "Mimic") == 1


def test_other_nodes_are_found_by_name(graph):
    for name, key in (
        ("Mimic (concept)", "Mimic (concept)"),
        ("mimic (concept)", "Mimic (concept)"),
        ("clone effect", "Copy (concept)"),
        ("707.2", "rule 707.2"),
        ("rule 706.2 (2021-04-22)", "rule 706.2 (2021-04-22)"),
        ("Left (face 1 of Left // Right)", "Left (face 1 of Left // Right)"),
    ):
        assert graph.networkx(name, hops=0).graph["start"] == [key]
    ruling = next(n for n, kind in graph.networkx().nodes(data="kind") if kind == "Ruling")
    assert list(graph.networkx(ruling, hops=0)) == [ruling]
    with pytest.raises(UnknownNameError, match="did you mean 'Mimic'"):
        graph.networkx("Mimik")
    with pytest.raises(UnknownNameError, match="no concept is called 'nachahmer'"):
        graph.networkx("nachahmer (concept)")


@pytest.mark.parametrize(("hops", "limit"), [(-1, 20), (1, 0), (1.5, 20), ("1", 20), (1, True)])
def test_bounds_that_there_can_not_be_are_refused(sample, hops, limit):
    with pytest.raises(ValueError, match="hops are 0 or more"):
        sample.networkx("Clone", hops=hops, limit=limit)


def test_a_neighbourhood_is_the_part_of_the_whole_within_its_hops(sample):
    whole = sample.networkx(relations=[name for name in relations() if name not in {"inEdition", "faceOf"}])
    near = sample.networkx("Clone", hops=2, limit=None)
    distances = nx.single_source_shortest_path_length(whole.to_undirected(as_view=True), "Clone", cutoff=2)
    assert set(near) == set(distances)
    expected = whole.subgraph(distances)
    assert set(near.edges(keys=True)) == set(expected.edges(keys=True))
    for start, end, key, data in near.edges(keys=True, data=True):
        assert data == expected.edges[start, end, key]
    assert near.graph["left_out"] == {}


def test_what_a_hub_leaves_out_is_told(sample):
    whole = sample.networkx("Copy (concept)", hops=1, limit=None)
    near = sample.networkx("Copy (concept)", hops=1, limit=5)
    clarifying, kept = (
        sorted(data["confidence"] for _, _, key, data in edges if key == "clarifies")
        for edges in (one.in_edges("Copy (concept)", keys=True, data=True) for one in (whole, near))
    )
    assert kept == clarifying[-5:]
    assert near.graph["left_out"]["Copy (concept)"]["of clarifies"] == len(clarifying) - 5


def test_every_neighbour_is_there_or_counted(sample):
    whole = sample.networkx(relations=[name for name in relations() if name not in {"inEdition", "faceOf"}])
    near = sample.networkx("Clone", hops=2, limit=8)
    entered = {"Clone", *whole.successors("Clone"), *whole.predecessors("Clone")} & set(near)
    assert near.graph["hubs"] == {}
    for node, counts in near.graph["left_out"].items():
        around = {}
        for end, name in {(end, name) for _, end, name in whole.out_edges(node, keys=True)}:
            around.setdefault(name, set()).add(end)
        for start, name in {(start, name) for start, _, name in whole.in_edges(node, keys=True)}:
            around.setdefault(f"of {name}", set()).add(start)
        missing = {said: len(others - set(near)) for said, others in around.items() if others - set(near)}
        assert counts == missing
    assert {"Clone"} < set(near.graph["left_out"]) <= entered


def test_a_hub_is_not_entered_unless_one_starts_there(sample, monkeypatch):
    monkeypatch.setattr(neighbourhoods, "HUB", 10)
    near = sample.networkx("Clone", hops=2)
    assert "of clarifies" in near.graph["hubs"]["Copy (concept)"]
    assert "of clarifies" not in near.graph["left_out"].get("Copy (concept)", {})
    start = sample.networkx("Copy (concept)", hops=1)
    assert start.graph["hubs"] == {}
    assert start.number_of_nodes() > 20


def test_a_construct_becomes_a_graph(graph):
    made = graph.networkx_from(
        "CONSTRUCT { ?card rul:sharesWith ?other ; rdfs:label ?name ; rul:set ?set ; rul:n 3 }"
        ' { ?card rul:name "Mimic", ?name ; rul:worksLike ?other ; rul:set ?set }'
    )
    assert list(made.edges(keys=True)) == [("Mimic", "Left // Right", "sharesWith")]
    assert made.nodes["Mimic"]["set"] == "ONE"
    assert made.nodes["Mimic"]["n"] == 3
    with pytest.raises(QueryError, match="CONSTRUCT or DESCRIBE"):
        graph.networkx_from("SELECT * { ?s ?p ?o }")


def test_cards_by_shared_concepts(sample):
    whole = sample.networkx(relations=["hasKeyword", "uses"])
    shared = sample.cards_by_shared_concepts(least=3)
    assert shared.number_of_edges() > 5
    for one, other, weight in shared.edges(data="weight"):
        both = {c for c in whole[one] if whole.nodes[c]["kind"] == "Concept"} & set(whole[other])
        assert weight == len(both) >= 3
    few = sample.cards_by_shared_concepts(least=3, most=5)
    assert few.graph["left_out"]
    assert min(few.graph["left_out"].values()) > 5


def test_concepts_by_shared_rulings(sample):
    shared = sample.concepts_by_shared_rulings()
    found = {
        frozenset((f"{row['first']} (concept)", f"{row['second']} (concept)")): row["rulings"]
        for row in sample.named("concept-pairs", limit=5)
    }
    for pair, rulings in found.items():
        assert shared.edges[tuple(pair)]["weight"] == rulings
    assert max(weight for *_, weight in shared.edges(data="weight")) == max(found.values())
