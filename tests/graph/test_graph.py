"""The graph in RDF: what is asserted, what is derived with its evidence, and that rdflib reads the same."""

import pyoxigraph as ox
import pytest

from rulings.graph.archive import concept_counts
from rulings.graph.asserted import asserted
from rulings.graph.derived import LIKE, card_lines, derived_lines, statement_lines
from rulings.graph.errors import QueryError, StoreError
from rulings.graph.knowledge import KnowledgeGraph
from rulings.graph.records import Alike, Analysis, CardLinks, CardUse, Concept, Copying, Derived
from rulings.graph.store import load_store, write_dumps, write_store
from rulings.graph.vocabulary import Iris


@pytest.fixture(scope="module")
def graph(small, small_links, tmp_path_factory):
    folder = tmp_path_factory.mktemp("graph") / "graph"
    counts = concept_counts(small_links, {key: s.oracle_ids for key, s in small.statements.items()})
    lines = [*asserted(small, Iris(), {"flying": "creature"}), *derived_lines(small, small_links, counts, Iris())]
    written = write_store(folder, iter(lines))
    made = KnowledgeGraph(folder)
    assert written == len(made.store) > 100
    return made


def column(graph, query):
    return sorted(next(iter(row.values())) for row in graph.sparql(query))


def test_a_card_has_its_facts(graph):
    rows = list(
        graph.sparql(
            'SELECT ?cost ?power ?de { ?c rul:name "Mimic"; rul:manaCost ?cost; rul:power ?power; skos:altLabel ?de }'
        )
    )
    assert rows == [{"cost": "{3}{U}", "power": "0", "de": "Nachahmer"}]


def test_faces_and_rulings_on_a_face(graph):
    assert column(graph, 'SELECT ?n { ?f rul:faceOf/rul:name "Left // Right"; rul:name ?n }') == ["Left", "Right"]
    assert column(graph, 'SELECT ?t { ?r rul:onFace/rul:name "Left"; rul:states/rul:text ?t }') == [
        "Its mana value is that of both halves."
    ]


def test_a_ruling_of_two_sources_is_one(graph):
    rows = list(
        graph.sparql(
            'SELECT ?r ?source ?day { ?r rul:about/rul:name "Mimic"; dcterms:source ?source; dcterms:issued ?day }'
        )
    )
    assert {row["source"] for row in rows} == {"wotc", "scryfall"}
    assert {row["day"] for row in rows} == {"2020-01-01"}
    assert len({row["r"] for row in rows}) == 1


def test_texts_survive_quotes_backslashes_and_line_ends(graph, small):
    assert column(graph, "SELECT ?t { ?s a rul:Statement; rul:text ?t }") == sorted(
        s.text for s in small.statements.values()
    )


def test_the_rule_tree(graph):
    query = 'SELECT ?n { ?r rul:number "707.2"; rul:inEdition edition:20260227; {} ?o . ?o rul:number ?n }}'
    assert column(graph, query.replace("{}", "rul:partOf", 1)[:-1]) == ["707"]
    assert column(graph, query.replace("{}", "rul:refersTo", 1)[:-1]) == ["707.3"]
    assert column(graph, 'SELECT ?n { ?old rul:number "706.2"; rul:sameRuleAs/rul:number ?n }') == ["707.2"]


def test_every_node_has_a_type_and_a_label(graph):
    untyped = "SELECT ?s { ?s ?p ?o MINUS { ?s a ?t } MINUS { ?s a rul:Link } }"
    unlabelled = "SELECT ?s { ?s a ?t MINUS { ?s rdfs:label ?l } MINUS { ?s a rul:Link } }"
    assert column(graph, untyped) == []
    assert column(graph, unlabelled) == []


def test_concepts_carry_labels_counts_and_rules(graph):
    row = next(
        iter(
            graph.sparql(
                'SELECT ?n ?c ?rule { ?x skos:prefLabel "Copy"@en; rul:statementCount ?n; rul:cardCount ?c; rul:definedBy/rul:number ?rule }'
            )
        )
    )
    assert row == {"n": 1, "c": 1, "rule": "707.2"}
    assert column(graph, 'SELECT ?l { concept:copy skos:prefLabel ?l FILTER(lang(?l) = "de") }') == ["Kopie"]
    assert column(graph, "SELECT ?b { concept:mana-value skos:broader ?b }") == [
        "https://w3id.org/rulings/id/concept/copy"
    ]


def test_every_derived_edge_has_a_link_with_evidence(graph):
    edges = """SELECT ?s ?p ?o { GRAPH <https://w3id.org/rulings/graph/derived> { ?s ?p ?o }
        VALUES ?p { rul:clarifies rul:mentions rul:rewords rul:sameRuleAs rul:copies rul:outdatedBy rul:uses rul:worksLike }"""
    every = len(graph.sparql(edges + "}"))
    with_link = edges + " ?l rdf:subject ?s; rdf:predicate ?p; rdf:object ?o; rul:method ?m; rul:confidence ?c }"
    assert every == len(graph.sparql(with_link)) == 12
    row = next(
        iter(
            graph.sparql(
                "SELECT ?start ?end ?c { ?l rdf:predicate rul:outdatedBy; rul:start ?start; rul:end ?end; rul:confidence ?c }"
            )
        )
    )
    assert row == {"start": 4, "end": 23, "c": 1.0}


def test_sources_and_derivations_lie_in_graphs_of_their_own(graph):
    query = "SELECT DISTINCT ?g { GRAPH ?g { ?s %s ?o } }"
    assert column(graph, query % "rul:about") == ["https://w3id.org/rulings/graph/asserted"]
    assert column(graph, query % "rul:clarifies") == ["https://w3id.org/rulings/graph/derived"]


def test_rdflib_sees_the_union(graph):
    dataset = graph.dataset
    assert len(dataset) == len({quad.triple for quad in graph.store})
    found = dataset.query("SELECT ?n { ?c a rul:Card ; rul:name ?n }")
    assert {str(row.n) for row in found} == {"Mimic", "Left // Right", "Lim-Dûl, the “Old”"}


def test_forms_and_formats(graph):
    assert graph.sparql("ASK { ?x a rul:Card }")
    assert not graph.sparql("ASK { ?x a skos:Nothing }")
    built = graph.sparql("CONSTRUCT { ?r rul:about ?c } { ?r rul:about ?c }")
    assert len(list(ox.parse(built.serialize("ttl"), format=ox.RdfFormat.TURTLE))) == len(built) == 4
    assert len(graph.sparql("DESCRIBE concept:copy")) > 5
    rows = graph.sparql("SELECT ?n { ?c a rul:Card; rul:name ?n } ORDER BY ?n")
    assert rows.serialize("csv").decode().splitlines()[0] == "n"
    assert b"Lim-D" in rows.serialize("json")
    with pytest.raises(QueryError, match="no format 'ttl'"):
        rows.serialize("ttl")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT ?x {\n ?x rul:text ?y \n LIMIT", "line 3"),
        ("SELECT ?x { ?x nope:text ?y }", "prefix 'nope'"),
        ("DELETE DATA { <a:b> <a:c> <a:d> }", "read only"),
        ("SELECT ?x { SERVICE <http://localhost/> { ?x ?y ?z } }", "SERVICE is refused"),
        ("LOAD <file:///etc/passwd>", "read only"),
        ("", "can't be read"),
    ],
)
def test_bad_queries_are_told_in_one_line(graph, query, said):
    with pytest.raises(QueryError, match=said):
        graph.sparql(query)


def test_words_inside_texts_are_no_commands(graph):
    assert not graph.sparql('ASK { ?service rul:text "DELETE this SERVICE" } # LOAD')


def test_html_is_escaped(graph):
    page = graph.sparql('SELECT ?x { BIND("<script>" AS ?x) }')._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_a_store_is_never_overwritten_and_a_missing_one_is_told(tmp_path):
    (tmp_path / "graph").mkdir()
    with pytest.raises(StoreError, match="there already"):
        write_store(tmp_path / "graph", iter([]))
    with pytest.raises(StoreError, match="rulings build"):
        _ = KnowledgeGraph(tmp_path / "none").store


def test_from_names_the_graphs_that_are_asked(graph):
    assert not graph.sparql("ASK FROM <https://example.org/none> { ?c a rul:Card }")
    assert graph.sparql("ASK FROM <https://w3id.org/rulings/graph/asserted> { ?c a rul:Card }")
    assert not graph.sparql("ASK FROM <https://w3id.org/rulings/graph/derived> { ?c a rul:Card }")
    assert graph.sparql("SELECT ?from { ?from a rul:Card }")


def test_a_damaged_store_is_told(graph, tmp_path):
    import shutil

    shutil.copytree(graph.folder, tmp_path / "graph")
    (tmp_path / "graph" / "CURRENT").write_text("nonsense")
    with pytest.raises(StoreError, match="rulings build"):
        KnowledgeGraph(tmp_path / "graph").sparql("ASK { ?c a rul:Card }")


def test_the_nearest_cards_have_their_likeness_in_tenths(small):
    cards = list(small.cards)
    alike = tuple(Alike(f"card{n}", 0.95 - n / 26) for n in range(LIKE + 3))
    lines = "".join(card_lines(small, CardLinks((), {cards[0]: alike}), Iris()))
    store = ox.Store()
    store.load(input=lines, format=ox.RdfFormat.N_QUADS)
    query = """PREFIX rul: <https://w3id.org/rulings/vocab#> PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
        SELECT ?other ?likeness { ?card rul:worksLike ?other . ?link rdf:object ?other ; rul:confidence ?likeness }"""
    found = {
        row["other"].value.rsplit("/", 1)[1]: float(row["likeness"].value)
        for row in store.query(query, use_default_graph_as_union=True)
    }
    assert found == {a.oracle_id: int(a.score * 10) / 10 for a in alike[:LIKE]}
    assert min(found.values()) < 0.3


def test_what_a_statement_says_already_hides_nothing_else_that_a_card_copies(small):
    oracle_id, key = next((s.oracle_ids[0], k) for k, s in small.statements.items())
    slugs = ("artifact", "enchantment")
    derived = Derived(
        concepts={slug: Concept(slug, slug.title(), "object") for slug in slugs},
        analyses={key: Analysis(key, copies=(Copying("this card", "artifact", "token", 0, 4, 0.9, "pattern"),))},
        card_uses=tuple(CardUse(oracle_id, slug, "copies") for slug in slugs),
    )
    store = ox.Store()
    store.load(input="".join(statement_lines(small, derived, {}, Iris())), format=ox.RdfFormat.N_QUADS)
    copies = ox.NamedNode("https://w3id.org/rulings/vocab#copies")
    found = [quad.object.value.rsplit("/", 1)[1] for quad in store.quads_for_pattern(None, copies, None)]
    assert sorted(found) == ["artifact", "enchantment"]


def test_lines_are_dumped_in_parts_that_make_up_the_whole(tmp_path, monkeypatch):
    monkeypatch.setattr("rulings.graph.store._CHUNK", 100)
    lines = [f"<urn:{n}> <urn:p> <urn:o> <urn:g> .\n" for n in range(20)]
    parts, dumps = [], []
    for dump in write_dumps(tmp_path, "links", iter(lines)):
        parts.append(dump.read_text())
        dumps.append(dump)
    assert len(parts) > 3
    assert max(map(len, parts)) < 100 + len(lines[-1])
    assert "".join(parts) == "".join(lines)
    assert load_store(tmp_path / "graph", dumps) == len(lines)
    assert [*tmp_path.iterdir()] == [tmp_path / "graph"]
    assert not list(write_dumps(tmp_path, "none", iter([])))
