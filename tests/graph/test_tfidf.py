"""Sparse weights and neighbours against the plain definitions."""

import numpy as np

from rulings.graph.tfidf import Bm25, Tfidf, nearest, shingled


def test_rows_have_unit_length_and_equal_texts_cosine_one():
    weights = Tfidf([["a", "b", "b"], ["a", "c"], ["a", "b", "b"]])
    lengths = np.sqrt((weights.rows.multiply(weights.rows)).sum(axis=1)).A1
    assert np.allclose(lengths, 1)
    assert (
        list(nearest(weights.rows[:1], weights.rows, 2, 0.9)) == [(0, 0, 1.0), (0, 2, 1.0)]
        or np.isclose([c for _, _, c in nearest(weights.rows[:1], weights.rows, 2, 0.9)], 1, atol=1e-5).all()
    )


def test_rare_and_common_tokens_can_be_left_out():
    weights = Tfidf([["a", "b"], ["a", "c"], ["a", "c"]], rarest=2, commonest=0.7)
    assert list(weights.columns) == ["c"]
    assert weights.transform([["unknown"]]).nnz == 0


def test_nearest_keeps_the_best_and_bounds_memory_by_blocks():
    weights = Tfidf([[str(i), "x"] for i in range(20)])
    pairs = list(nearest(weights.rows, weights.rows, 1, 0.0, block=3))
    assert [(a, b) for a, b, _ in pairs] == [(i, i) for i in range(20)]


def test_bm25_prefers_the_rare_word_and_the_shorter_text():
    scores = Bm25([["the", "cat"], ["the", "dog", "ran"], ["the", "cat", "ran", "and", "ran"]]).scores(
        [["cat", "the"], ["nothing"]]
    )
    assert scores.shape == (2, 3)
    assert scores[0, 0] > scores[0, 2] > scores[0, 1]
    assert not scores[1].any()


def test_shingles():
    assert shingled(["a", "b", "c"]) == ["a", "b", "c", "a b", "b c"]
