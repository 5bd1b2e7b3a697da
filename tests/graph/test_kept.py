"""What was told of statements before is taken as long as all that it depends on is the same."""

from datetime import date

import pytest

from rulings.graph.derive import derive
from rulings.graph.examine import Asked
from rulings.graph.kept import Kept

OWL = ("Owl", "If an owl blocks, Owl can't be copied.")
FOX = ("Red Fox", "Red Fox gains flying if you control Owl.")


@pytest.fixture
def rules(made):
    return (
        made.rule("702", "Keyword Abilities"),
        made.rule("702.9", "Flying"),
        made.rule("707", "Copying Objects"),
        made.rule("707.2", "A copy takes the copiable values of what it copies."),
        made.entry("Copy", "To make another of an object.", rules=("707",)),
    )


def _derive(corpus, path, program="one", **options):
    kept = Kept(path, program, **options)
    derived = derive(corpus, kept=kept)
    kept.save()
    assert derived == derive(corpus), "the same as from nothing"
    return kept.examined_count


def test_only_new_statements_are_examined(made, rules, tmp_path):
    path = tmp_path / "kept"
    corpus = made.corpus_of([OWL, FOX], *rules)
    assert _derive(corpus, path) == 2
    assert _derive(corpus, path) == 0
    more = made.corpus_of([OWL, FOX, ("Owl", "It flies.")], *rules)
    assert _derive(more, path) == 1
    assert _derive(corpus, path) == 0, "one is gone"


def test_what_asked_how_a_word_is_used_is_examined_again_when_that_changes(made, rules, tmp_path):
    path = tmp_path / "kept"
    _derive(made.corpus_of([OWL, FOX], *rules), path)
    more = made.corpus_of([OWL, FOX, ("Red Fox", "Any other owl is an owl.")], *rules)
    assert _derive(more, path) == 3, "how often an owl is no card counts for those that name Owl"


@pytest.mark.parametrize("what", ["program", "card", "rule", "anew"])
def test_another_basis_is_no_basis(made, rules, tmp_path, what):
    path = tmp_path / "kept"
    corpus = made.corpus_of([OWL, FOX], *rules)
    _derive(corpus, path)
    if what == "card":
        corpus = made.corpus_of([OWL, FOX], *rules, types="Artifact")
    if what == "rule":
        corpus = made.corpus_of([OWL, FOX], *rules, made.rule("707.3", "A copy of a copy.", date(2020, 1, 1)))
    assert _derive(corpus, path, "two" if what == "program" else "one", anew=what == "anew") == 2


def test_with_no_rules_the_statements_are_the_basis(made, tmp_path):
    path = tmp_path / "kept"
    assert _derive(made.corpus_of([OWL, FOX]), path) == 2
    assert _derive(made.corpus_of([OWL, FOX]), path) == 0
    assert _derive(made.corpus_of([OWL, FOX, ("Owl", "Copying is done by copiers.")]), path) == 3


@pytest.mark.parametrize("place", [0, 40, 500, -1])
def test_a_file_with_one_wrong_byte_counts_as_empty(made, rules, tmp_path, place):
    path = tmp_path / "kept"
    corpus = made.corpus_of([OWL, FOX], *rules)
    _derive(corpus, path)
    raw = bytearray(path.read_bytes())
    raw[place] ^= 1
    path.write_bytes(raw)
    assert _derive(corpus, path) == 2
    path.write_bytes(raw[: len(raw) // 2])
    assert _derive(corpus, path) == 2


def test_counts_remember_what_they_were_asked_for():
    asked = Asked({"owl": 3})
    assert (asked.get("owl"), asked.get("fox", 0)) == (3, 0)
    assert asked == {"owl": 3, "fox": 0}
