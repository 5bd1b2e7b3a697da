"""Homes and generations: what is in use, and clear words where nothing or something damaged is there."""

import json

import pytest

from rulings.search.errors import GenerationError, NoGenerationError
from rulings.search.generation import FORMAT, Generation, current, default_home


def test_the_home_comes_from_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("RULINGS_HOME", str(tmp_path / "mine"))
    assert default_home() == tmp_path / "mine"
    monkeypatch.delenv("RULINGS_HOME")
    assert default_home().name == "rulings"


def test_an_empty_home_has_no_generation(tmp_path):
    with pytest.raises(NoGenerationError, match="rulings build"):
        current(tmp_path)


@pytest.mark.parametrize("pointer", ["", "../elsewhere", "/etc", "gone"])
def test_a_pointer_to_nothing_is_told(tmp_path, pointer):
    (tmp_path / "current").write_text(pointer)
    with pytest.raises(GenerationError, match="rulings build"):
        current(tmp_path)


def test_a_newer_format_is_refused_with_the_remedy(tmp_path):
    manifest = {"name": "x", "created": "2026-01-01T00:00:00+00:00", "format": FORMAT + 1}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(GenerationError, match=f"format {FORMAT + 1}, this version reads format {FORMAT}"):
        Generation(tmp_path)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"name": 7}'])
def test_a_damaged_manifest_is_told(tmp_path, content):
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(GenerationError, match="not a whole generation"):
        Generation(tmp_path)


def test_a_generation_opens_its_parts(sample_home):
    made = current(sample_home)
    assert made.archive.editions
    assert made.analyses.concept("copy") is not None
    assert made.graph.sparql("ASK { ?c a rul:Card }")
    assert made.iris.card("x").startswith("https://w3id.org/rulings/id/card/")
