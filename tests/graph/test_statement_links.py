"""Floors on the statements annotated by hand, over the large corpus."""

import json

import pytest

from rulings.graph.concepts import ConceptScheme
from rulings.graph.statement_links import link_statements
from rulings.ingest import Report, build_corpus, key


@pytest.fixture(scope="module")
def linked(data):
    full = data / "full"
    rules = max(full.glob("Magic*.txt.gz"), default=None) or max(full.glob("Magic*"))
    corpus = build_corpus([full / "oracle-cards.json.gz", full / "rulings.json.gz", rules], Report())
    scheme = ConceptScheme.from_corpus(corpus)
    gold = [
        json.loads(line) for line in (data / "gold" / "relations-dev.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    found = link_statements(corpus, scheme)
    return corpus, scheme, [(g, found[key(g["text"])]) for g in gold if g.get("text") and key(g["text"]) in found]


def f1(right, found, due):
    return 2 * right / (found + due)


def overlap(a_start, a_end, span):
    return a_start < span["end"] and span["start"] < a_end


def test_every_text_is_there(linked):
    assert len(linked[2]) > 100


def test_card_mentions(linked):
    pairs = linked[2]
    right = sum(
        any(overlap(m.start, m.end, s) and m.name.replace("’", "'") == s["name"] for m in a.mentions_cards)
        for g, a in pairs
        for s in g["mentions_cards"]
    )
    assert (
        f1(right, sum(len(a.mentions_cards) for _, a in pairs), sum(len(g["mentions_cards"]) for g, _ in pairs)) >= 0.96
    )


def test_self_references(linked):
    pairs = linked[2]
    right = sum(
        any(overlap(m.start, m.end, s) for m in a.self_references) for g, a in pairs for s in g["self_reference"]
    )
    assert (
        f1(right, sum(len(a.self_references) for _, a in pairs), sum(len(g["self_reference"]) for g, _ in pairs))
        >= 0.98
    )


def test_clarifies_and_concepts(linked):
    _, scheme, pairs = linked
    right = found = due = first = firsts = named = names = 0
    for g, a in pairs:
        got = [scheme.concepts[c.concept].label.lower() for c in a.clarifies]
        want = [label.lower() for label in g["clarifies"]]
        right, found, due = right + len(set(got) & set(want)), found + len(got), due + len(want)
        first, firsts = first + bool(want and want[0] in got[:2]), firsts + bool(want)
        have = {*got, *(scheme.concepts[m.concept].label.lower() for m in a.mentions_concepts)}
        named, names = (
            named + len({c.lower() for c in g["mentions_concepts"]} & have),
            names + len(g["mentions_concepts"]),
        )
    assert f1(right, found, due) >= 0.7
    assert first / firsts >= 0.8
    assert named / names >= 0.88


def test_spans_are_code_points_of_the_text(linked):
    corpus, _, pairs = linked
    for g, a in pairs:
        text = corpus.statements[key(g["text"])].text
        for span in (*a.mentions_cards, *a.self_references, *a.mentions_concepts):
            assert text[span.start : span.end].strip()
            assert not text[span.start : span.end].endswith(("’s", "'s"))
