"""What results show, read back from the index."""

from pathlib import Path

import pytest

from rulings.graph.records import Derived
from rulings.ingest import Corpus
from rulings.search.generation import current
from rulings.search.index import Index
from rulings.search.showing import RULES


@pytest.fixture(scope="module")
def built(sample_home: Path) -> tuple[Index, Corpus, Derived]:
    generation = current(sample_home)
    return Index.open(generation.index), generation.archive.corpus(), generation.analyses.derived()


def test_texts_come_back_as_published(built) -> None:
    index, corpus, _ = built
    showing = index.showing
    assert [showing.texts[n] for n in range(len(corpus.statements))] == [
        statement.text for statement in corpus.statements.values()
    ]
    rules = corpus.newest.rules.values()
    assert [showing.rule_texts[n] for n in range(len(rules))] == [rule.text for rule in rules]


def test_cards_stand_in_the_order_of_rulings_with_their_newest_day(built) -> None:
    index, corpus, _ = built
    showing = index.showing
    place = {oracle_id: n for n, oracle_id in enumerate(corpus.cards)}
    several = 0
    for n, statement in enumerate(corpus.statements.values()):
        assert showing.cards[n].tolist() == [place[oracle_id] for oracle_id in statement.oracle_ids]
        for oracle_id, day in zip(statement.oracle_ids, showing.days[n].tolist(), strict=True):
            assert day == max(r.published.toordinal() for r in statement.rulings if r.oracle_id == oracle_id)
        several += len(statement.oracle_ids) > 1
    assert several


def test_concepts_and_rules_stand_in_the_order_of_the_analysis(built) -> None:
    index, corpus, derived = built
    showing, slugs = index.showing, index.concept_places
    numbers = list(corpus.newest.rules)
    for n, key in enumerate(corpus.statements):
        analysis = derived.analyses[key]
        assert showing.clarified[n].tolist() == [slugs[about.concept] for about in analysis.clarifies]
        mentioned = dict.fromkeys(slugs[mention.concept] for mention in analysis.mentions_concepts)
        assert showing.mentioned[n].tolist() == list(mentioned)
        assert [numbers[place] for place in showing.rules[n]] == [link.number for link in analysis.rules][:RULES]
    assert sum(len(showing.rules[n]) for n in range(len(corpus.statements))) > 50
