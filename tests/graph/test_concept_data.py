"""Tests of the curated words: their number and their form."""

from collections import Counter

from rulings.graph.concept_data import curated


def test_there_are_enough_words_and_names() -> None:
    english = {entry.surface.casefold() for entry in curated() if entry.language == "en" and entry.note != "weak"}
    assert len(english) >= 420
    for language in ("de", "fr"):
        assert len({entry.concept for entry in curated() if entry.language == language}) >= 260


def test_entries_are_well_formed_and_come_once() -> None:
    assert {entry.language for entry in curated()} == {"en", "de", "fr"}
    assert {entry.note for entry in curated()} == {"", "printed", "weak"}
    assert all(entry.surface and entry.concept and entry.surface == entry.surface.strip() for entry in curated())
    times = Counter((entry.surface.casefold(), entry.concept, entry.language) for entry in curated())
    assert [entry for entry, count in times.items() if count > 1] == []
