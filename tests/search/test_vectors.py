"""Tests of the vector cache: only new texts are encoded."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from rulings.search.encoder import Progress, Vectors
from rulings.search.vectors import VectorCache, embed


class Counting:
    """An encoder that notes what it was asked."""

    name, dimensions = "counting", 4

    def __init__(self, fingerprint: str = "f" * 64) -> None:
        self.fingerprint, self.asked = fingerprint, list[str]()

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        self.asked += texts
        if progress:
            progress(len(texts))
        return np.array([[len(t), t.count("a"), 1, 0] for t in texts], np.float32).reshape(-1, 4)

    def encode_question(self, text: str) -> Vectors:
        return self.encode([text])[0]

    def encode_questions(self, texts):
        return self.encode(texts)


def test_only_new_texts_are_encoded_and_repeats_once(tmp_path: Path) -> None:
    cache, encoder, done = VectorCache(tmp_path / "home" / "vectors"), Counting(), list[int]()
    first = embed(encoder, ["a", "bb", "a"], cache, done.append)
    assert encoder.asked == ["a", "bb"]
    assert first[:, 0].tolist() == [1, 2, 1]
    encoder.asked.clear()
    second = embed(encoder, ["cca", "a", "bb"], cache, done.append)
    assert encoder.asked == ["cca"]
    assert second[:, 0].tolist() == [3, 1, 2]
    assert second[:, 1].tolist() == [1, 1, 0]
    encoder.asked.clear()
    assert np.array_equal(embed(encoder, ["a", "bb", "a"], cache), first)
    assert encoder.asked == []


def test_another_encoder_has_vectors_of_its_own(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path)
    embed(Counting(), ["a"], cache)
    other = Counting("e" * 64)
    embed(other, ["a"], cache)
    assert other.asked == ["a"]


def test_a_damaged_or_unwritable_cache_is_done_without(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path)
    embed(Counting(), ["a", "bb"], cache)
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(kept.read_bytes()[:-3])
    encoder = Counting()
    assert embed(encoder, ["bb"], cache)[0, 0] == 2
    assert encoder.asked == ["bb"]
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert embed(Counting(), ["bb"], VectorCache(blocked))[0, 0] == 2


def test_no_texts_and_no_cache(tmp_path: Path) -> None:
    assert embed(Counting(), []).shape == (0, 4)
    assert embed(Counting(), [], VectorCache(tmp_path)).shape == (0, 4)
    assert embed(Counting(), ["x"])[0, 0] == 1


def test_every_flipped_byte_of_the_cache_is_found(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path)
    embed(Counting(), ["a", "bb"], cache)
    (kept,) = tmp_path.iterdir()
    whole = kept.read_bytes()
    for place in range(len(whole)):
        kept.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert len(cache.read(Counting())) == 0, place
    encoder = Counting()
    assert embed(encoder, ["bb"], cache)[0, 0] == 2
    assert encoder.asked == ["bb"]
    assert len(cache.read(Counting())) == 1


class Unit(Counting):
    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:  # noqa: ARG002
        self.asked += texts
        return np.eye(4, dtype=np.float32)[[len(text) % 4 for text in texts]]


@pytest.mark.parametrize(("harm", "taken"), [(None, True), (2.0, False), (np.nan, False)])
def test_a_cache_without_a_hash_is_taken_and_given_one_if_its_rows_are_unit_vectors(
    tmp_path: Path, harm: float | None, taken: bool
) -> None:
    cache = VectorCache(tmp_path)
    embed(Unit(), ["a", "bb"], cache)
    (kept,) = tmp_path.iterdir()
    hashed = kept.read_bytes()
    records = np.load(kept)
    if harm is not None:
        records["vector"][1, 3] = harm
    with kept.open("wb") as file:
        np.save(file, records)
    encoder = Unit()
    assert np.array_equal(embed(encoder, ["a", "bb"], cache), Unit().encode(["a", "bb"]))
    assert encoder.asked == ([] if taken else ["a", "bb"])
    assert kept.read_bytes() == hashed
