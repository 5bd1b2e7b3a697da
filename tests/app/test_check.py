"""`rulings check` on the sample: whole, with damaged files, and with a graph that isn't valid."""

import json
import shutil

import pyoxigraph as ox
import pytest

from rulings.app.check import damage
from rulings.app.command import main
from rulings.search.generation import current


@pytest.fixture
def home(sample_home, tmp_path):
    shutil.copytree(sample_home, tmp_path / "home")
    return tmp_path / "home"


def check(home, capsys, *words):
    capsys.readouterr()
    status = main(["check", "--home", str(home), *words])
    return status, *capsys.readouterr()


def test_the_sample_is_whole_and_valid(sample_home, capsys):
    status, out, err = check(sample_home, capsys)
    assert (status, out) == (0, "")
    assert "quads valid" in err
    told = json.loads(check(sample_home, capsys, "--json")[1])
    assert told["ok"] is True
    assert (told["damage"], told["violations"]) == ({}, [])


def test_a_flipped_byte_a_missing_and_an_extra_file_are_told(home, capsys):
    folder = current(home).path
    store = next((folder / "graph").glob("*.sst"))
    content = bytearray(store.read_bytes())
    content[len(content) // 2] ^= 1
    store.write_bytes(content)
    (folder / "index" / "keys.txt").unlink()
    (folder / "index" / "notes.txt").write_text("mine")
    assert damage(current(home, check=False)) == {
        "changed": (f"graph/{store.name}",),
        "missing": ("index/keys.txt",),
        "extra": ("index/notes.txt",),
    }
    status, out, err = check(home, capsys)
    assert status == 1
    assert [line.split(":")[0] for line in out.splitlines()] == [
        f"files {kind} since the build" for kind in ("changed", "missing", "extra")
    ]
    assert "run `rulings build` again" in err
    assert err.count("\n") == 1


def test_a_violation_is_a_line(home, capsys, monkeypatch):
    made = current(home)
    store = ox.Store()
    store.extend(made.graph.store)
    ruling = next(iter(store.quads_for_pattern(None, ox.NamedNode("https://w3id.org/rulings/vocab#states"), None)))
    store.remove(ruling)
    monkeypatch.setattr("rulings.graph.knowledge.open_store", lambda _: store)
    status, out, err = check(home, capsys)
    assert status == 1
    assert out.count("\n") == 1
    assert out.startswith("rul:RulingShape, rul:states: 1 against sh:minCount 1: https://w3id.org/rulings/id/ruling/")
    assert "1 kinds of violation" in err
    told = json.loads(check(home, capsys, "--json")[1])
    assert told["ok"] is False
    assert told["violations"][0]["constraint"] == "sh:minCount 1"
