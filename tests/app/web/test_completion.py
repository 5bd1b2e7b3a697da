"""Completing names of cards in every language, concepts and rule numbers."""

import time

import pytest

from rulings.app.web.completion import Completer
from rulings.graph.archive import Analyses, write_links
from rulings.graph.vocabulary import Iris
from rulings.ingest import Archive, write_archive
from rulings.search.generation import current


@pytest.fixture
def completer(small, small_links, tmp_path):
    write_archive(small, tmp_path / "records.sqlite")
    write_links(small_links, {}, tmp_path / "links.sqlite")
    return Completer(Archive(tmp_path / "records.sqlite"), Analyses(tmp_path / "links.sqlite"), Iris())


def found(completer, typed, most=10):
    return [(entry.name, entry.kind, entry.label) for entry in completer.complete(typed, most)]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("mi", ("Mimic", "card", "Mimic")),
        ("NACH", ("Nachahmer", "card", "Mimic")),
        ("left", ("Left", "card", "Left // Right")),
        ("right", ("Right", "card", "Left // Right")),
        ("lim-dul", ("Lim-Dûl, the “Old”", "card", "Lim-Dûl, the “Old”")),
        ("old", None),
        ('"old', ("Lim-Dûl, the “Old”", "card", "Lim-Dûl, the “Old”")),
        ("the", ("Lim-Dûl, the “Old”", "card", "Lim-Dûl, the “Old”")),
        ("kop", ("Kopie", "concept", "Copy")),
        ("effect", ("clone effect", "concept", "Copy")),
        ("value", ("Mana Value", "concept", "Mana Value")),
        ("707.", ("707.2", "rule", "A copy takes the copiable values; see rule 707.3.")),
        ("706", None),
        ("", None),
        ("   ", None),
        ("zzz", None),
        ("i" * 5000, None),
    ],
)
def test_beginnings_of_names_and_of_words(completer, typed, first):
    assert found(completer, typed)[:1] == ([first] if first else [])


def test_each_node_comes_once_and_the_nearest_first(completer):
    assert [label for _, _, label in found(completer, "c")] == ["Copy", "Mana Value", "Creature"]
    assert len(found(completer, "c", 1)) == 1
    ids = [entry.id for entry in completer.complete("m", 50)]
    assert len(ids) == len(set(ids))


def test_an_empty_corpus_completes_nothing(small, small_links, tmp_path):
    from rulings.graph.records import Derived
    from rulings.ingest import CorpusBuilder

    write_archive(CorpusBuilder().finish(), tmp_path / "records.sqlite")
    write_links(Derived(), {}, tmp_path / "links.sqlite")
    empty = Completer(Archive(tmp_path / "records.sqlite"), Analyses(tmp_path / "links.sqlite"), Iris())
    assert empty.complete("a") == []


def test_the_sample_is_completed_fast(sample_home):
    made = current(sample_home)
    completer = Completer(made.archive, made.analyses, made.iris)
    start = time.perf_counter()
    for letter in "abcdefghijklmnopqrstuvwxyz":
        completer.complete(letter)
    assert time.perf_counter() - start < 0.26
    assert ("Clone", "card") in [(entry.name, entry.kind) for entry in completer.complete("clo")]
