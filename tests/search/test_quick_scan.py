"""The int8 scan against exact products."""

from pathlib import Path

import numpy as np
import pytest

from rulings.search.candidates import scored_candidates
from rulings.search.errors import IndexFormatError
from rulings.search.index import Index
from rulings.search.question import QuestionReader
from rulings.search.quick_scan import QuickScan, quick_graph, write_quick_scan


def unit(rows: int, seed: int) -> np.ndarray:
    drawn = np.random.default_rng(seed).standard_normal((rows, 384)).astype(np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def test_cosines_are_near_the_exact_ones(tmp_path: Path) -> None:
    vectors = unit(500, 1)
    write_quick_scan(tmp_path, vectors)
    for question in (*unit(20, 2), vectors[7]):
        found = QuickScan.open(tmp_path).cosines(question)
        assert found.dtype == np.float32
        assert np.abs(found - vectors @ question).max() < 0.004


def test_greatest_products_do_not_overflow_16_bits() -> None:
    # two products of a question and a row are added in 16 bits by processors without VNNI
    corner = np.full((1, 384), 1 / np.sqrt(384), np.float32)
    assert QuickScan.of(corner).cosines(corner[0])[0] == pytest.approx(1, abs=0.01)
    assert 2 * 127 * 127 < 2**15


def test_the_same_vectors_give_the_same_bytes() -> None:
    assert quick_graph(unit(9, 3))[0] == quick_graph(unit(9, 3))[0]


def test_a_row_of_zeros_and_a_question_of_zeros() -> None:
    vectors = np.vstack([np.zeros((1, 8), np.float32), np.eye(8, dtype=np.float32)])
    assert QuickScan.of(vectors).cosines(vectors[1])[:2] == pytest.approx([0, 1], abs=0.01)
    assert not QuickScan.of(vectors).cosines(vectors[0]).any()


def test_a_damaged_scan_is_told(tmp_path: Path) -> None:
    write_quick_scan(tmp_path, unit(3, 4))
    (tmp_path / "quick.onnx").write_bytes(b"no graph")
    with pytest.raises(IndexFormatError, match="rulings build"):
        QuickScan.open(tmp_path)


def test_candidates_have_exact_cosines(small_index: Index, word_encoder) -> None:
    read = QuestionReader(small_index).read("Does Mimic take X?")
    vector = word_encoder.encode_question(read.english)
    rows, scores = scored_candidates(small_index, read, vector)
    assert len(rows)
    assert scores.cosine[rows] == pytest.approx(small_index.statements[rows] @ vector, abs=1e-6)
    quick = small_index.quick.cosines(vector)
    assert scores.standard(rows)[0] == pytest.approx((scores.cosine[rows] - quick.mean()) / quick.std(), abs=1e-5)


def test_several_questions_have_the_cosines_of_each_to_the_bit() -> None:
    rows, questions = unit(50, 16), unit(7, 16)
    scan = QuickScan.of(rows)
    for question, cosines in zip(questions, scan.all_cosines(questions), strict=True):
        assert (scan.cosines(question) == cosines).all()
