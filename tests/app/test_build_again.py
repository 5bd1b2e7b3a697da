"""A build that takes over what didn't change gives what a build from nothing gives, and says why it takes nothing."""

import hashlib
import json
import os
import random
import sqlite3
from datetime import date, timedelta

import pytest

import rulings.app.former
from rulings.app.build import build
from rulings.app.check import damage
from rulings.app.command import main
from rulings.graph.vocabulary import Iris
from rulings.ingest.read import sample_paths
from rulings.search import Rulings
from rulings.search.engines.address import read_address
from rulings.search.generation import current
from rulings.search.model_folder import packaged_folder

SIZES = (1, 1, 2, 4)


@pytest.fixture
def folder(tmp_path):
    """The sample as files that can be changed."""
    made = tmp_path / "sources"
    made.mkdir()
    for path in sample_paths():
        (made / path.name).write_bytes(path.read_bytes())
    return made


def _build(folder, home, said=None, **options):
    return build([folder], home, tell=(said if said is not None else []).append, **options)


def _lines(folder, name):
    return (folder / name).read_text("utf-8").splitlines()


def _graph(made):
    return sorted(f"{quad}" for quad in made.graph.store)


def _same(made, anew):
    for name in ("records.sqlite", "records-cards.sqlite", "links.sqlite", "links-cards.sqlite"):
        assert (made.path / name).read_bytes() == (anew.path / name).read_bytes(), name
    names = {path.relative_to(anew.index) for path in anew.index.rglob("*") if path.is_file()}
    assert names == {path.relative_to(made.index) for path in made.index.rglob("*") if path.is_file()}
    for name in names:
        assert (made.index / name).read_bytes() == (anew.index / name).read_bytes(), name
    assert _graph(made) == _graph(anew)
    assert made.manifest.counts == anew.manifest.counts


def _hashed(folder):
    return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.rglob("*") if path.is_file()}


def _ruling_files(folder):
    return [path for path in sorted(folder.glob("*.jsonl")) if path.name not in ("rules.jsonl", "glossary.jsonl")]


def _change(folder, kind, chance):
    """One change of a kind to the files."""
    path = chance.choice(_ruling_files(folder))
    records = [json.loads(line) for line in _lines(folder, path.name)]
    of = {name: [n for n, record in enumerate(records) if record["kind"] == name] for name in ("ruling", "card")}
    n = chance.choice(of["ruling"])
    if kind == "add":
        text = f"{records[n]['text']} You may do this {chance.randint(2, 99)} times."
        records.append(records[n] | {"text": text, "published": "2026-05-05"})
    elif kind == "remove":
        del records[n]
    elif kind == "reword":
        records[n]["text"] = f"If a Clone is copied, {records[n]['text'][0].lower()}{records[n]['text'][1:]}"
    elif kind == "date":
        records[n]["published"] = (date.fromisoformat(records[n]["published"]) + timedelta(days=900)).isoformat()
    elif kind == "card":
        records[chance.choice(of["card"])]["text"] += "\nFlying"
    elif kind == "edition":
        rules = [json.loads(line) for line in _lines(folder, "rules.jsonl")]
        newest = max(rule["edition"] for rule in rules)
        later = (date.fromisoformat(newest) + timedelta(days=60)).isoformat()
        more = [rule | {"edition": later} for rule in rules if rule["edition"] == newest]
        more[-1]["text"] += " This is new."
        (folder / "rules.jsonl").write_text("\n".join(map(json.dumps, rules + more)), "utf-8")
    elif kind == "file":
        path.unlink()
        return
    path.write_text("\n".join(map(json.dumps, records)), "utf-8")


RULINGS = ("add", "remove", "reword", "date")


@pytest.mark.parametrize("seed", [2])
def test_builds_after_random_changes_give_what_builds_from_nothing_give(folder, new_home, tmp_path, seed):
    chance = random.Random(seed)
    other = tmp_path / "other"
    other.mkdir()
    (other / "cache").symlink_to(new_home / "cache")
    _build(folder, new_home)
    wider = ["card", "edition", "file"]
    chance.shuffle(wider)
    for step in range(5):
        kinds = [chance.choice(RULINGS) for _ in range(chance.choice(SIZES))]
        if step in (2, 4):
            kinds.append(wider.pop())
        for kind in kinds:
            _change(folder, kind, chance)
        said = []
        before = current(new_home)
        had = _hashed(before.path)
        made = _build(folder, new_home, said)
        assert _hashed(before.path) == had, kinds
        assert bool(made.manifest.updates) == (not any("anew" in line for line in said)), (kinds, said)
        assert bool(made.manifest.updates) == (step not in (2, 4)) or "file" in kinds, (kinds, said)
        anew = _build(folder, other, anew=True)
        assert anew.manifest.updates == 0
        _same(made, anew)


def test_only_what_is_new_is_embedded_and_examined(folder, new_home, monkeypatch):
    encoded, examined = [], []
    made = _build(folder, new_home)
    keys = set(made.archive.records("statement", "key"))
    path = next(path for path in _ruling_files(folder) if path.name == "copying.jsonl")
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    ruling = next(record for record in records if record["kind"] == "ruling")
    path.write_text("\n".join(map(json.dumps, [*records, ruling | {"text": "A wholly new wording of it."}])), "utf-8")
    from rulings.graph.examine import Examiner
    from rulings.search.onnx_encoder import OnnxEncoder

    encode, examine = OnnxEncoder.encode, Examiner.examine
    monkeypatch.setattr(OnnxEncoder, "encode", lambda self, texts, *a: encoded.extend(texts) or encode(self, texts, *a))
    monkeypatch.setattr(
        Examiner, "examine", lambda self, batch, lower: examined.extend(batch) or examine(self, batch, lower)
    )
    made = _build(folder, new_home)
    (new,) = set(made.archive.records("statement", "key")) - keys
    assert [text.partition(": ")[2] for text in encoded] == ["A wholly new wording of it."]
    assert new in {statement.key for statement in examined}
    assert len(examined) < 20
    _change(folder, "edition", random.Random(0))
    encoded.clear()
    _build(folder, new_home)
    assert len(encoded) == 1, "the one rule with another text"
    assert encoded[0].endswith("This is new.")


def _reason(folder, home, **options):
    said = []
    made = _build(folder, home, said, **options)
    return made, [line.partition(": ")[2] for line in said if "anew: " in line]


def test_the_reason_for_building_anew_is_said(folder, new_home, monkeypatch, tmp_path):
    _build(folder, new_home)
    made, reasons = _reason(folder, new_home)
    assert (made.manifest.updates, reasons) == (1, [])
    _, reasons = _reason(folder, new_home, iris=Iris("https://example.org/"))
    assert reasons == ["another base of IRIs, https://example.org/"]
    _, reasons = _reason(folder, new_home)
    assert reasons == ["another base of IRIs, https://w3id.org/rulings/id/"]
    _change(folder, "card", random.Random(1))
    made, reasons = _reason(folder, new_home)
    assert (made.manifest.updates, reasons) == (0, ["cards, printed names or rules changed"])
    made, reasons = _reason(folder, new_home, anew=True)
    assert (made.manifest.updates, reasons) == (0, [])
    monkeypatch.setattr(rulings.app.former, "MOST_UPDATES", 1)
    made, reasons = _reason(folder, new_home)
    assert (made.manifest.updates, reasons) == (1, [])
    made, reasons = _reason(folder, new_home)
    assert (made.manifest.updates, reasons) == (0, ["updated 1 times"])
    monkeypatch.setattr(rulings.app.former, "program", lambda: "another")
    _, reasons = _reason(folder, new_home)
    assert reasons == ["made by another version of the program or its libraries"]
    (current(new_home).path / "manifest.json").write_text('{"name": "x", "format": 1}')
    _, reasons = _reason(folder, new_home)
    assert reasons == ["the generation in use is of another version's format"]


def test_the_graph_shares_the_files_that_did_not_change(folder, new_home):
    before = _build(folder, new_home)
    _change(folder, "add", random.Random(3))
    made = _build(folder, new_home)
    shared = [path for path in (before.path / "graph").glob("*.sst") if (made.path / "graph" / path.name).exists()]
    assert shared
    assert all(path.samefile(made.path / "graph" / path.name) for path in shared)
    assert all(
        made.manifest.files[f"graph/{path.name}"] == before.manifest.files[f"graph/{path.name}"] for path in shared
    )
    assert made.manifest.files == {
        path.relative_to(made.path).as_posix(): digest
        for path, digest in _hashed(made.path).items()
        if path.name != "manifest.json"
    }
    assert len(made.graph.store) == made.manifest.counts["quads"]


def test_a_damaged_former_generation_is_told_and_not_taken_over(folder, new_home):
    made = _build(folder, new_home)
    with sqlite3.connect(made.path / "records-cards.sqlite") as db:
        db.execute("DROP TABLE printing")
    made, reasons = _reason(folder, new_home)
    assert made.manifest.updates == 0
    assert len(reasons) == 1
    assert "damaged" in reasons[0]
    assert "printing" in reasons[0] or "changed" in reasons[0]


def _flip(file):
    """Flip a byte in the middle; the file's size and time stay."""
    times = file.stat()
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


@pytest.mark.parametrize(
    "names", [("graph/*.sst",), ("index/cards/*", "links*.sqlite", "records*.sqlite", "index/*.npz")]
)
def test_a_byte_that_the_disk_lost_is_not_taken_over(folder, new_home, names):
    made = _build(folder, new_home)
    for name in names:
        _flip(max(made.path.glob(name), key=lambda file: file.stat().st_size))
    made, reasons = _reason(folder, new_home)
    assert made.manifest.updates == 0
    assert len(reasons) == 1
    assert "damaged" in reasons[0]
    assert "was changed" in reasons[0]
    assert damage(made) == {}
    made, reasons = _reason(folder, new_home)
    assert (made.manifest.updates, reasons) == (1, [])


def test_a_stray_file_in_the_former_generation_is_not_carried_over(folder, new_home):
    made = _build(folder, new_home)
    strays = "graph/x.sst", "graph/notes", "index/cards/x", "index/learned.xx.tsv"
    for name in strays:
        (made.path / name).write_text("mine")
    made = _build(folder, new_home)
    assert made.manifest.updates == 1
    assert not [name for name in strays if (made.path / name).exists() or name in made.manifest.files]
    assert damage(made) == {}


def test_the_engine_of_vectors_may_change_between_builds(folder, new_home, tmp_path):
    pytest.importorskip("faiss")
    question = "If I copy a creature, does the copy have the counters that were on it?"
    found = []
    for n, engine in enumerate(("faiss-sq8", "numpy", "faiss-sq8")):
        made = _build(folder, new_home, vectors=read_address(engine))
        assert (made.manifest.updates, made.manifest.vectors) == (n, engine)
        assert damage(made) == {}
        found.append([result.key for result in Rulings(made).ask(question).results][:1])
    assert found[0]
    assert found[0] == found[1] == found[2]
    other = tmp_path / "other"
    other.mkdir()
    (other / "cache").symlink_to(new_home / "cache")
    anew = _build(folder, other, anew=True, vectors=read_address("faiss-sq8"))
    for built in (made, anew):  # it names the generation
        (built.index / "engine.json").unlink()
    _same(made, anew)


def test_what_a_plain_build_gives_up_is_said(folder, new_home, capsys):
    pytest.importorskip("faiss")
    had = {"--base": "https://example.org/", "--vectors": "faiss-sq8", "--model": str(packaged_folder())}
    again = [word for pair in had.items() for word in pair]

    def told(*words):
        capsys.readouterr()
        assert main(["build", "--home", str(new_home), str(folder), *words]) == 0
        return [line for line in capsys.readouterr().err.splitlines() if "not kept" in line]

    assert told(*again) == []
    assert told(*again) == []
    given_up = told()
    assert len(given_up) == 3
    for option, value in had.items():
        assert [line for line in given_up if f"`{option} {value}` keeps it" in line], option
    assert told() == []
