"""How a query is shared out over servers; tests/servers asks real ones."""

import pytest

from rulings.graph.errors import QueryError
from rulings.graph.federation import federated, sources_query
from rulings.graph.query_library import library
from rulings.graph.query_tokens import tokens
from rulings.graph.vocabulary import ASSERTED, DERIVED

ADDRESSES = ["http://first/", "http://second/"]
FIRST, SECOND = f"{{ GRAPH <{ASSERTED}> {{", f"SERVICE <http://second/> {{ GRAPH <{DERIVED}> {{"
DERIVED_HAS = {"rul:clarifies", "rul:uses", "rul:Concept", "skos:broader"}
BOTH_HAVE = {"rdfs:label", "?p"}


def shared_out(query):
    """As where derived has what `DERIVED_HAS` says, both have `BOTH_HAVE`, and asserted has the rest."""
    asked = sources_query(query).asked
    held = [{want: [] for want, _ in asked} for _ in ADDRESSES]
    for relation, kind in held[0]:
        term = kind or relation or "?p"
        if term not in DERIVED_HAS:
            held[0][relation, kind] = [ASSERTED]
        if term in DERIVED_HAS | BOTH_HAVE:
            held[1][relation, kind] = [DERIVED]
    return federated(query, ADDRESSES, held)


def test_what_goes_to_one_server_goes_together():
    text = shared_out(
        "SELECT ?t { ?c a rul:Card ; rul:name ?n . ?s rul:clarifies ?k . ?k a rul:Concept . ?s rul:text ?t }"
    )
    assert f"{FIRST} ?c a rul:Card . ?c rul:name ?n }} }}" in text
    assert f"{FIRST} ?s rul:text ?t }} }}" in text
    assert f"{SECOND} ?s rul:clarifies ?k . ?k a rul:Concept }} }}" in text
    assert text.count("SERVICE") == 1


def test_what_two_have_counts_once():
    text = shared_out("SELECT ?l { ?c rdfs:label ?l }")
    union = f"{{ {FIRST} ?c rdfs:label ?l }} }} }} UNION {{ {SECOND} ?c rdfs:label ?l }} }} }}"
    assert f"{{ SELECT DISTINCT ?c ?l {{ {union} }} }}" in text


def test_paths_are_written_out():
    text = shared_out("SELECT ?t { ?r rul:states/^rul:clarifies ?t }")
    assert f"{FIRST} ?r rul:states ?_fed1 }} }}" in text
    assert f"{SECOND} ?t rul:clarifies ?_fed1 }} }}" in text
    text = shared_out("SELECT * { ?r rul:states/rul:text ?t }")
    assert "{ SELECT ?r ?t {" in text
    text = shared_out("SELECT ?a { ?a skos:broader* ?b . ?b rdfs:label 'x' }")
    assert "?a (skos:broader)+ ?b" in text
    assert "FILTER(?a != ?b)" in text
    assert "BIND(" in text


def test_other_parts_stay_as_they_are():
    text = shared_out(
        "CONSTRUCT { ?a rul:name ?b } WHERE { VALUES ?a { 1 'x'@en } # a note\n"
        " OPTIONAL { ?a rul:name ?b FILTER(?b > '}' && NOT EXISTS { ?a rul:uses ?c }) } } ORDER BY DESC(?b) LIMIT 3"
    )
    assert text.startswith(" CONSTRUCT { ?a rul:name ?b } WHERE { VALUES ?a { 1 'x'@en } OPTIONAL {")
    assert f"NOT EXISTS {{ {SECOND} ?a rul:uses ?c }} }} }}" in text
    assert text.endswith("ORDER BY DESC ( ?b ) LIMIT 3")
    assert "a note" not in text


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("DESCRIBE ?s { ?s a rul:Card }", "ask with CONSTRUCT"),
        ("CONSTRUCT WHERE { ?s a rul:Card }", "write the template too"),
        ("SELECT ?s FROM <http://g/> { ?s a rul:Card }", "FROM can't be shared out"),
        ("SELECT ?s { GRAPH ?g { ?s a rul:Card } }", r"GRAPH \?g can't be shared out"),
        ("SELECT ?s { ?s rul:name [] }", "write variables, not blank nodes"),
        ("SELECT ?s { _:b rul:name ?s }", "write variables, not blank nodes"),
        ("SELECT ?s { ?s rul:name (1 2) }", "write variables, not blank nodes"),
        ("SELECT ?s { SERVICE <http://x/> { ?s ?p ?o } }", "ask one server"),
        ("SELECT ?s { ?s (rul:name|rul:clarifies)+ ?o }", "runs over several graphs"),
        ("SELECT ?s { ?s rul:name* ?o }", "name one of its ends"),
        ("SELECT ?s { ?s a rul:Card", "close its braces"),
        ("SELECT ?s { ?s ~ ?o }", "can't be read at line 1"),
    ],
)
def test_what_can_not_be_shared_out_is_told(query, told):
    with pytest.raises(QueryError, match=told):
        shared_out(query)


def test_tokens_hold_together_as_the_grammar_says():
    found = [
        token.text for token in tokens("""?a<?b , "x\\"}"@en-GB,'1'^^xsd:integer rul:a.b. <http://x/#y> 1.5e3 # c""")
    ]
    assert found == [
        "?a", "<", "?b", ",", '"x\\"}"@en-GB', ",", "'1'^^xsd:integer", "rul:a.b", ".", "<http://x/#y>", "1.5e3",
    ]  # fmt: skip


@pytest.mark.parametrize("name", library())
def test_each_named_query_can_be_shared_out(name):
    values = {"key": "0" * 12} if name == "why" else {}
    assert shared_out(library()[name].filled(values)).count("{") > 2
