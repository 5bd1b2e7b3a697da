"""Candidates and their signals."""

import numpy as np

from rulings.search.candidates import scored_candidates
from rulings.search.index import Index
from rulings.search.question import QuestionReader
from rulings.search.signals import NAMES, signals


def _read(index: Index, encoder, question: str):
    read = QuestionReader(index).read(question)
    rows, scores = scored_candidates(index, read, encoder.encode_question(read.english))
    return rows, signals(index, read, scores, rows)


def test_the_rulings_of_a_named_card_are_candidates_and_marked(small_index: Index, word_encoder) -> None:
    rows, table = _read(small_index, word_encoder, "Does Mimic take X?")
    assert table.shape == (len(rows), len(NAMES))
    assert np.isfinite(table).all()
    mimic = small_index.oracle_ids.index("aaaa")
    named = table[:, NAMES.index("named")]
    own = np.array([mimic in small_index.about.columns(row) for row in rows])
    assert own.any()
    assert (named[own] > 0.5).all()
    assert (named[~own] == 0).all()


def test_the_rulings_of_alike_cards_are_marked(small_index: Index, word_encoder) -> None:
    rows, table = _read(small_index, word_encoder, "Does Mimic take X?")
    twin = small_index.oracle_ids.index("bbbb")
    of_twin = np.array([twin in small_index.about.columns(row) for row in rows])
    assert (table[of_twin, NAMES.index("alike")] > 0.2).all()


def test_concepts_of_the_question_count(small_index: Index, word_encoder) -> None:
    rows, table = _read(small_index, word_encoder, "what about the copy of a thing")
    copier = [
        n
        for n, row in enumerate(rows)
        if "copy" in {small_index.concepts.slugs[c] for c in small_index.tags.columns(row)}
    ]
    assert copier
    assert table[copier[0], NAMES.index("concepts")] > 0.5


def test_a_heading_is_no_candidate(small_index: Index, word_encoder, monkeypatch) -> None:
    rows, _ = _read(small_index, word_encoder, "Does Mimic take X?")
    headings = np.zeros(len(small_index.keys), np.bool_)
    headings[rows[0]] = True
    monkeypatch.setattr(small_index, "headings", headings)
    fewer, _ = _read(small_index, word_encoder, "Does Mimic take X?")
    assert fewer.tolist() == rows[1:].tolist()
