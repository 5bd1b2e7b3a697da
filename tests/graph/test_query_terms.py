"""Unknown terms of the vocabulary in a query are told with their place; texts, comments and IRIs are left alone."""

import pytest

from rulings.graph.errors import UnknownTermError
from rulings.graph.query_terms import check_terms, masked, terms


def test_terms_come_from_the_vocabulary():
    assert {"Card", "Link", "clarifies", "worksLike", "name", "evidence"} <= terms()
    assert not {"Ontology", "label", ""} & terms()


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT ?s { ?s rul:clarify ?c }", r"rul:clarify at line 1, column 16: did you mean rul:clarifies\?"),
        ("SELECT ?s {\n  ?s a rul:card }", r"rul:card at line 2, column 8: did you mean rul:Card\?"),
        ("SELECT ?s { ?s rul:about/rul:named 'x' }", r"rul:named at line 1, column 26: did you mean rul:name\?"),
        ("SELECT ?s { ?s ^rul:zzzz ?c }", "rul:zzzz at line 1, column 17: the vocabulary has no such term"),
        ("ASK { ?s rul:text 'rul:text'; rul:txt ?x }", r"rul:txt at line 1, column 31: did you mean rul:text\?"),
        ("CONSTRUCT { ?a rul:mine ?b } WHERE { ?a rul:abuot ?b }", r"rul:abuot .* did you mean rul:about\?"),
        ("PREFIX rul: <https://w3id.org/rulings/vocab#> ASK { ?x rul:Crad ?y }", r"did you mean rul:Card\?"),
    ],
)
def test_an_unknown_term_is_told(query, said):
    with pytest.raises(UnknownTermError, match=said):
        check_terms(query, masked(query))


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?s { ?s rul:text 'rul:nothing' } # rul:nothing",
        'SELECT ?s { ?s rul:text """a "quoted" rul:nothing""" }',
        "ASK { ?s <https://example.org/rul:nothing> ?o }",
        "PREFIX rul: <https://example.org/> ASK { ?s rul:nothing ?o }",
        "CONSTRUCT { ?a rul:meets ?b } WHERE { ?s rul:clarifies ?a, ?b }",
        "SELECT ?rul { ?rul rul:name ?x . FILTER(?x < 3 && ?x > 1) }",
        "SELECT ?x { ?x rdfs:nothing ?y ; skos:broder ?z }",
        "ASK { ?x a rul:Card.?x rul:name ?n }",
    ],
)
def test_what_is_no_unknown_term_is_left_alone(query):
    check_terms(query, masked(query))


def test_a_mask_keeps_places():
    query = "ASK {\n ?s ?p 'a\\'b' , <http://x/y> . # all\n}"
    assert len(masked(query)) == len(query)
    assert masked(query).count("\n") == 2
    assert "x/y" not in masked(query)
    assert masked(query).index(",") == query.index(",")
