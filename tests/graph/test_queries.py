"""The library of named queries: its form, how values are put in, and what each finds on the sample."""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from rulings.graph.derived import RULES
from rulings.graph.errors import QueryError, UnknownNameError
from rulings.graph.query_library import NamedQuery, library, named
from rulings.search.generation import current

EMPTY_ON_SAMPLE = {"renumbered-rules", "cards-without-rulings"}
"""The sample has one edition, and no card without rulings."""


@pytest.fixture(scope="module")
def made(sample_home):
    return current(sample_home)


@pytest.fixture(scope="module")
def corpus(made):
    return made.archive.corpus()


@pytest.fixture(scope="module")
def derived(made):
    return made.analyses.derived()


def card_of(corpus, name):
    return next(card for card in corpus.cards.values() if card.name == name)


def some_key(made):
    return next(iter(made.graph.sparql("SELECT ?k { ?s rul:clarifies ?c ; rul:key ?k } LIMIT 1")))["k"]


def rows(made, name, /, **values):
    return [tuple(row.values()) for row in made.graph.named(name, **values)]


def test_the_library_has_its_form():
    assert len(library()) >= 30
    for query in library().values():
        assert re.fullmatch(r"[A-Z].+\?", query.question), query.name
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", query.name)
        used = set(re.findall(r"\$(\w+)", query.text))
        assert used == set(query.parameters), query.name


def test_the_page_is_made_from_the_files():
    script = [sys.executable, str(Path(__file__).parents[2] / "docs/make_queries.py"), "--check"]
    assert subprocess.run(script, check=False).returncode == 0


@pytest.mark.parametrize("name", library())
def test_each_runs_on_the_sample(made, name):
    found = made.graph.named(name, **({"key": some_key(made)} if name == "why" else {}))
    assert bool(found) == (name not in EMPTY_ON_SAMPLE)


@pytest.mark.skipif(
    "RULINGS_LARGE_HOME" not in os.environ, reason="RULINGS_LARGE_HOME names no home with the large corpus"
)
def test_each_runs_on_the_large_corpus():
    large = current(Path(os.environ["RULINGS_LARGE_HOME"]))
    for name in library():
        values = {"key": some_key(large)} if name == "why" else {}
        found = large.graph.named(name, **values)
        assert found, name


def test_rulings_of_a_card(made, corpus):
    clone = card_of(corpus, "Clone")
    expected = {
        (ruling.published.isoformat(), corpus.statements[ruling.key].text, source)
        for ruling in corpus.rulings
        if ruling.oracle_id == clone.oracle_id
        for source in ruling.sources
    }
    found = rows(made, "card-rulings", card="Clone")
    assert len(found) == len(expected) >= 5
    assert set(found) == expected
    assert [day for day, *_ in found] == sorted((day for day, *_ in found), reverse=True)


def test_rulings_by_face(made):
    found = rows(made, "face-rulings", card="Fire // Ice")
    assert {(face, day) for face, day, _ in found} == {("Fire", "2018-12-14"), ("Ice", "2018-12-14")}


def test_rulings_about_a_concept(made, derived, corpus):
    slug = made.analyses.concepts("Copy")[0]
    expected = {
        corpus.statements[key].text: len(corpus.statements[key].oracle_ids)
        for key, one in derived.analyses.items()
        if slug in {about.concept for about in one.clarifies}
    }
    assert {text: cards for text, cards, *_ in rows(made, "concept-rulings", concept="copy")} == expected


def test_what_copies_an_activated_ability(made):
    assert {row[0] for row in rows(made, "what-copies")} == {"Rings of Brighthearth", "Strionic Resonator"}


def test_shared_rulings(made, corpus):
    found = rows(made, "shared-rulings", limit=5)
    most = sorted((len(s.oracle_ids) for s in corpus.statements.values()), reverse=True)
    assert [cards for cards, _ in found] == most[:5]
    assert all(len(s.oracle_ids) == n for n, text in found for s in corpus.statements.values() if s.text == text)


def test_outdated_rulings_and_reasons(made, derived):
    expected = Counter(r for one in derived.analyses.values() for r in {o.reason for o in one.outdated})
    assert dict(rows(made, "outdated-reasons")) == dict(expected)
    assert {row[1] for row in rows(made, "outdated")} == set(expected)


def test_concepts_that_meet(made, derived):
    pairs = Counter(
        frozenset((a.concept, b.concept))
        for one in derived.analyses.values()
        for n, a in enumerate(one.clarifies)
        for b in one.clarifies[n + 1 :]
        if a.concept != b.concept
    )
    found = rows(made, "concept-pairs", limit=3)
    assert [n for *_, n in found] == [n for _, n in pairs.most_common(3)]


def test_two_keywords(made, corpus):
    both = {card.name for card in corpus.cards.values() if {"Flying", "Lifelink"} <= set(card.keywords)}
    assert {name for name, _ in rows(made, "two-keywords", first="Flying", second="Lifelink")} == both
    assert len(both) > 1
    words = dict(rows(made, "two-keywords", first="Infect", second="Trample"))["Blightsteel Colossus"]
    assert words.startswith("When trample is split")


def test_rulings_by_month(made, corpus):
    expected = Counter(f"{ruling.published:%Y-%m}" for ruling in corpus.rulings)
    found = rows(made, "rulings-by-month", limit=1000)
    assert {month: rulings for month, rulings, _ in found} == dict(expected)


def test_newest_rulings(made, corpus):
    found = rows(made, "newest-rulings", limit=7)
    expected = sorted((ruling.published.isoformat() for ruling in corpus.rulings), reverse=True)[:7]
    assert [day for day, *_ in found] == expected


def test_rules_without_rulings(made, corpus, derived):
    rested = {r.number for one in derived.analyses.values() for r in one.rules[:RULES]}
    rested |= {c.number for one in derived.analyses.values() for c in one.cites}
    expected = {rule.number for rule in corpus.newest.rules.values() if "." in rule.number} - rested
    assert {number for number, _ in rows(made, "unclarified-rules")} == expected


def test_the_family_of_a_rule(made, corpus):
    found = {number for number, _ in rows(made, "rule-family", number="707")}
    assert found == {number for number in corpus.newest.rules if number.split(".")[0] == "707"}


def test_names_of_a_concept_and_a_printed_name(made):
    assert ("de", "preferred", "Manabetrag") in rows(made, "concept-names", concept="mana value")
    assert ("Clone", "de", "Klon") in rows(made, "printed-names", name="klon")


def test_why_a_ruling_is_linked(made, derived, corpus):
    key, one = next((k, a) for k, a in derived.analyses.items() if a.clarifies and a.clarifies[0].start is not None)
    about = one.clarifies[0]
    found = {(relation, words) for relation, _, words, *_ in rows(made, "why", key=key)}
    assert ("clarifies", corpus.statements[key].text[about.start : about.end]) in found


def test_names_may_be_spelled_as_people_do(made):
    assert rows(made, "card-rulings", card="klon") == rows(made, "card-rulings", card="Clone")
    assert rows(made, "face-rulings", card="fire") == rows(made, "face-rulings", card="Fire // Ice")
    for label in ("copy", "Kopie", "Copy (concept)"):
        assert rows(made, "concept-rulings", concept=label) == rows(made, "concept-rulings", concept="Copy") != []
    assert rows(made, "rule-family", number="Rule 707.") == rows(made, "rule-family", number="707")
    with pytest.raises(UnknownNameError, match="'Clonee'; did you mean"):
        made.graph.named("card-rulings", card="Clonee")
    with pytest.raises(UnknownNameError, match="no concept is called 'Triskelion'"):
        made.graph.named("concept-rulings", concept="Triskelion")


def test_least_sure_links_of_a_relation(made):
    sure = [
        one["confidence"]
        for one in made.graph.sparql(
            "SELECT ?confidence { ?l rdf:predicate rul:clarifies ; rul:confidence ?confidence } ORDER BY ?confidence LIMIT 9"
        )
    ]
    assert [row[0] for row in rows(made, "shaky-links", relation="clarifies", limit=9)][:5] == sure[:5]
    with pytest.raises(QueryError, match="no relation is called 'clarify'"):
        made.graph.named("shaky-links", relation="clarify")


def test_rulings_by_chapter_and_by_method(made, derived):
    found = {number: rulings for number, _, rulings in rows(made, "chapters", limit=1000)}
    expected = Counter(
        chapter for one in derived.analyses.values() for chapter in {r.number[:3] for r in one.rules[:RULES]}
    )
    assert found == {n: count for n, count in expected.items() if n in found} != {}
    assert sum(found.values()) > 0.9 * sum(expected.values())
    methods = rows(made, "methods")
    counted = "SELECT (COUNT(DISTINCT ?l) AS ?n) { ?l rdf:predicate ?p ; rul:method ?m }"
    assert sum(links for _, _, links, _ in methods) == next(iter(made.graph.sparql(counted)))["n"]
    assert all(0 < mean <= 1 for *_, mean in methods)


def test_values_are_put_in_as_texts():
    query = NamedQuery(
        "x",
        "X?",
        {"card": "A", "limit": "3"},
        {"card": "text", "limit": "rows"},
        "# $card\nSELECT ?c { ?c ?p $card, '$card' } LIMIT $limit",
    )
    assert query.filled({"card": 'a" } # \n'}) == '# $card\nSELECT ?c { ?c ?p "a\\" } # \\n", \'$card\' } LIMIT 3'
    with pytest.raises(QueryError, match="no parameter 'cards'"):
        query.filled({"cards": "B"})
    with pytest.raises(QueryError, match="limit=1; DROP is no number"):
        query.filled({"limit": "1; DROP"})


def test_an_unknown_name_is_told():
    assert named("@card-rulings") is named("card-rulings")
    with pytest.raises(UnknownNameError, match="did you mean @card-rulings"):
        named("card-ruling")
