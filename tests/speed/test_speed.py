"""No part takes much longer than it did: the CPU time of each beside that of like work by the bare libraries.

Both take turns in the same process and the least of many rounds counts, so that neither a slow machine nor a busy one
changes the ratio much. It may be `LIMIT` times the one in ``ratios.json``, which RULINGS_WRITE_RATIOS=1 writes anew.
"""

import json
import os
import re
import time
from collections import Counter
from pathlib import Path

import pytest

from rulings.graph.concepts import ConceptScheme
from rulings.graph.examine import Context, Examiner
from rulings.graph.rule_editions import RuleHistory, align
from rulings.graph.sparql import run
from rulings.graph.vocabulary import PREFIXES
from rulings.ingest.read import build_corpus, sample_paths
from rulings.search import Rulings

RATIOS = Path(__file__).with_name("ratios.json")
LIMIT = 1.2
ROUNDS, TRIES = 40, 3
_WORD = re.compile(r"[a-z']+")
_QUERY = "SELECT ?s ?t ?n { ?r rul:states ?s ; rul:about ?c . ?s rul:text ?t . ?c rul:name ?n }"
pytestmark = pytest.mark.benchmark(timer=time.process_time, warmup=False)


class Reading:
    """Reading the sample's sources, beside a plain look at every word of theirs."""

    def __init__(self, _):
        self.texts = [path.read_text("utf-8") for path in sample_paths()]

    def work(self):
        build_corpus(sample_paths())

    def yardstick(self):
        for text in self.texts:
            for line in text.splitlines():
                Counter(_WORD.findall(line.lower()))


class Linking:
    """Telling of all statements what they name, cite and say, beside a plain look at every word of theirs."""

    def __init__(self, _):
        corpus = build_corpus(sample_paths())
        context = Context(corpus, ConceptScheme.from_corpus(corpus), RuleHistory(corpus.editions, align(corpus)))
        self.examiner, self.batch = Examiner(context), list(corpus.statements.values())[::100]

    def work(self, times=10):
        for _ in range(times):
            self.examiner.examine(self.batch, {})

    def yardstick(self):
        for _ in range(400):
            for statement in self.batch:
                Counter(_WORD.findall(statement.text.lower()))


class Asking:
    """Answering a question, beside its encoding."""

    def __init__(self, home):
        self.kb, self.n = Rulings.open(home), 0

    def work(self):
        for _ in range(3):
            self.n += 1
            self.kb.ask(f"Does a copy of a kicked spell count as kicked? {self.n}")

    def yardstick(self):
        for _ in range(3):
            self.kb.encoder.encode_question("Does a copy of a kicked spell count as kicked? 1234")


class Querying:
    """A query through our guard and rows, beside the bare store."""

    def __init__(self, home):
        self.store = Rulings.open(home).graph.store

    def work(self):
        list(run(self.store, _QUERY))

    def yardstick(self):
        found = self.store.query(_QUERY, prefixes=PREFIXES, use_default_graph_as_union=True)
        assert len([tuple(row) for row in found]) > 100


KINDS = {kind.__name__: kind for kind in (Reading, Linking, Asking, Querying)}


def _ratio(work, yardstick, benchmark=None):
    """The least CPU time of some rounds of work by that of the yardstick, in turn."""
    took, least = [], float("inf")

    def before():
        start = time.process_time()
        yardstick()
        took.append(time.process_time() - start)

    if benchmark:
        benchmark.pedantic(work, setup=before, rounds=ROUNDS)
        return benchmark.stats.stats.min / min(took)
    for _ in range(ROUNDS):
        before()
        start = time.process_time()
        work()
        least = min(least, time.process_time() - start)
    return least / min(took)


def _too_slow(known, first, again):
    """The ratio by the one that is known, if it is over the limit each time that it is measured."""
    for n in range(TRIES):
        found = (first if n == 0 else again()) / known
        if found <= LIMIT:
            return None
    return found


@pytest.mark.parametrize("name", KINDS)
def test_takes_no_longer_than_it_did(name, sample_home, benchmark):
    one = KINDS[name](sample_home)
    one.work()
    ratio = _ratio(one.work, one.yardstick, benchmark)
    benchmark.extra_info["ratio"] = ratio
    if os.environ.get("RULINGS_WRITE_RATIOS"):
        known = json.loads(RATIOS.read_text()) if RATIOS.is_file() else {}
        RATIOS.write_text(json.dumps(known | {name: round(ratio, 3)}, indent=1) + "\n")
    slow = _too_slow(json.loads(RATIOS.read_text())[name], ratio, lambda: _ratio(one.work, one.yardstick))
    assert slow is None, f"{name} takes {slow:.2f} times what it took; find out why, or write the ratios anew"


def test_a_slowdown_of_1_3_times_is_caught(sample_home):
    one = KINDS["Linking"](sample_home)

    def slowed():
        one.work(times=13)

    def caught():
        known = _ratio(one.work, one.yardstick)
        return _too_slow(known, _ratio(slowed, one.yardstick), lambda: _ratio(slowed, one.yardstick))

    one.work()
    # a busy machine may hide it once, in the known ratio or in the other
    assert any(caught() is not None for _ in range(TRIES))
