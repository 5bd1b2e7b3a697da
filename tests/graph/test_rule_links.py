"""Rules that a statement rests on: each signal alone on a made-up book, and floors on the gold set."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rulings.graph.concepts import ConceptScheme
from rulings.graph.records import Analysis, Clarification, Concept, Vectors
from rulings.graph.rule_links import TOP, link_rules, root
from rulings.graph.statement_links import link_statements
from rulings.ingest import Corpus, key

CAMEL = "A thirsty camel lies down when its hump is empty."
OWL = "It hoots twice."
TWIN = "Such a beast that has no water in it lies there."


@pytest.fixture
def corpus(made) -> Corpus:
    book = [
        ("7", "Beasts"), ("701", "Deeds"), ("702", "Kinds"), ("701.1", "Camels"),
        ("701.1a", "A camel whose hump is empty lies down."), ("701.1b", "A lying camel is not ridden by merchants."),
        ("701.2", "Owls"), ("701.2a", "Night birds see well."), ("702.1", "A clock strikes on the hour."),
    ]  # fmt: skip
    texts = [("Red Fox", CAMEL), ("Blue Owl", OWL), ("Grey Elk", TWIN)]
    return made.corpus_of(texts, *(made.rule(number, text) for number, text in book))


def scheme(*concepts: Concept) -> ConceptScheme:
    return ConceptScheme({concept.slug: concept for concept in concepts}, ())


def test_words_lead_to_the_subrule_that_says_it(corpus: Corpus):
    found = link_rules(corpus, scheme(), {}, ())
    first = found[key(CAMEL)][0]
    assert (first.number, first.method) == ("701.1a", "words")
    assert list(found) == list(corpus.statements)
    assert all(len(links) <= TOP and 0 <= link.confidence <= 1 for links in found.values() for link in links)


def test_a_rule_comes_once_whatever_its_subrules(corpus: Corpus):
    for links in link_rules(corpus, scheme(), {}, ()).values():
        roots = [root(link.number) for link in links]
        assert len(roots) == len(set(roots))
        assert not {"7", "701", "702"} & {link.number for link in links}


def test_what_a_statement_clarifies_leads_to_the_rules_of_the_concept(corpus: Corpus):
    night = Concept("owl", "Owl", "beast", rules=("701.2",))
    about = {key(OWL): Analysis(key(OWL), clarifies=(Clarification("owl", 0.9, "label"),))}
    first = link_rules(corpus, scheme(night), about, ())[key(OWL)][0]
    assert root(first.number) == "701.2"
    assert (first.method, first.evidence) == ("concept", "owl")


def test_vectors_count(corpus: Corpus):
    rules, statements = list(corpus.newest.rules), list(corpus.statements)
    vectors = Vectors(np.zeros((len(statements), 2), np.float32), np.zeros((len(rules), 2), np.float32))
    vectors.statements[statements.index(key(OWL))] = vectors.rules[rules.index("702.1")] = (1, 0)
    first = link_rules(corpus, scheme(), {}, (), vectors)[key(OWL)][0]
    assert (first.number, first.method) == ("702.1", "vectors")


def test_members_of_a_group_share_the_links_of_the_first(corpus: Corpus):
    found = link_rules(corpus, scheme(), {}, [(key(CAMEL), key(TWIN))])
    assert [link.number for link in found[key(TWIN)]] == [link.number for link in found[key(CAMEL)]]
    assert {(link.method, link.evidence) for link in found[key(TWIN)]} == {("restates", key(CAMEL))}


def test_no_rules_no_links(made):
    assert link_rules(made.corpus_of([("Red Fox", CAMEL)]), scheme(), {}, ()) == {}


def test_gold(full: Corpus, data: Path):
    gold = [
        json.loads(line) for line in (data / "gold" / "relations-dev.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    wanted = {key(each["text"]): [each["best_rule"], *each["rule_also"]] for each in gold if each["best_rule"]}
    every = list(full.statements)
    corpus = replace(full, statements={k: full.statements[k] for k in sorted({*every[::25], *wanted})})
    concepts = ConceptScheme.from_corpus(corpus)
    found = link_rules(corpus, concepts, link_statements(corpus, concepts), ())
    hits = [[fits(link.number, accepted) for link in found[k][:3]] for k, accepted in wanted.items()]
    assert sum(hit[0] for hit in hits) / len(hits) >= 0.45
    assert sum(any(hit) for hit in hits) / len(hits) >= 0.65


def fits(number: str, accepted: list[str]) -> bool:
    """Whether a rule is an accepted one, its parent or its child."""
    return any(number == each or root(number) == each or root(each) == number for each in accepted)
