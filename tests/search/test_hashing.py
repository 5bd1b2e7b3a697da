"""Hashes of spans."""

from hypothesis import given
from hypothesis import strategies as st

from rulings.search.hashing import name_hash, span_hashes


@given(st.lists(st.text(max_size=6), max_size=8), st.integers(1, 5))
def test_span_hashes_are_the_name_hashes_of_the_spans(words: list[str], longest: int) -> None:
    spans, values = span_hashes(words, longest)
    assert [name_hash(words[a:b]) for a, b in spans] == values.tolist()
    assert spans == sorted(spans, key=lambda s: (s[0] - s[1], s[0]))


def test_name_hash_depends_on_the_order() -> None:
    assert name_hash(("left", "right")) != name_hash(("right", "left"))
