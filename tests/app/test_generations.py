"""Generations of a home: going back, taking old ones away, and updating only where something changed."""

import json

import pytest

import rulings.app.build
from rulings.app import fetch
from rulings.app.build import build
from rulings.app.command import main
from rulings.app.download import Known
from rulings.app.errors import FetchError
from rulings.app.fetched import Fetched, folder_of, read_fetched, write_fetched
from rulings.app.generations import locked, past, remove_past
from rulings.search.generation import current

CARD = {"kind": "card", "name": "Clone", "oracle_id": "c", "faces": [{"name": "Clone", "text": "Copies."}]}


def source(path, *texts):
    rulings = [
        {"kind": "ruling", "card": "Clone", "published": "2024-05-01", "text": text, "source": "house"}
        for text in texts
    ]
    path.write_text("\n".join(map(json.dumps, [CARD, *rulings])) + "\n", encoding="utf-8")
    return path


def quiet(_):
    pass


@pytest.fixture
def home(new_home, tmp_path):
    home = new_home
    for n in range(3):
        build([source(tmp_path / "own.jsonl", f"It stays number {n}.")], home, tell=quiet)
    return home


def text(home):
    return next(iter(current(home).archive.corpus().statements.values())).text


def run(capsys, *words):
    capsys.readouterr()
    status = main([*map(str, words)])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_use_lists_and_goes_back_and_forward(home, capsys):
    first, second = (path.name for path in past(home))
    third = current(home).manifest.name
    status, out, _ = run(capsys, "use", "--home", home)
    assert status == 0
    assert [line.split()[0] for line in out.splitlines() if line[:2] == "20"] == [first, second, third]
    assert "in use" in next(line for line in out.splitlines() if line.startswith(third))
    assert run(capsys, "use", first, "--home", home)[0] == 0
    assert text(home) == "It stays number 0."
    assert run(capsys, "use", third, "--home", home)[0] == 0
    assert text(home) == "It stays number 2."


@pytest.mark.parametrize("name", ["nothing", "../home", ".part-x", ""])
def test_use_tells_what_there_is(home, capsys, name):
    status, _, err = run(capsys, "use", name, "--home", home)
    assert status == 2
    assert past(home)[0].name in err
    assert text(home) == "It stays number 2."


def test_a_damaged_generation_is_not_used_and_hides_no_other(home, capsys):
    broken = past(home)[0]
    (broken / "manifest.json").write_text("{", encoding="utf-8")
    assert run(capsys, "use", broken.name, "--home", home)[0] == 1
    status, out, _ = run(capsys, "use", "--home", home)
    assert status == 0
    assert "damaged" in out
    assert current(home).manifest.name in out
    assert text(home) == "It stays number 2."


def test_a_generation_of_another_format_is_told_as_that(home, capsys):
    old = past(home)[0]
    (old / "manifest.json").write_text('{"name": "x", "format": 1}', encoding="utf-8")
    status, _, err = run(capsys, "use", old.name, "--home", home)
    assert status == 1
    assert "written in format 1" in err
    out = run(capsys, "use", "--home", home)[1]
    assert "of another format" in out
    assert "damaged" not in out


def test_gc_keeps_the_one_in_use_wherever_it_stands(home, capsys):
    first = past(home)[0].name
    (home / "generations" / ".part-broken").mkdir()
    main(["use", first, "--home", str(home)])
    status, _, err = run(capsys, "gc", "--keep", 1, "--home", home)
    assert status == 0
    assert ".part-broken" in err
    assert [path.name for path in (home / "generations").iterdir() if path.name == first] == [first]
    assert len(past(home)) == 1
    assert run(capsys, "gc", "--keep", 0, "--home", home)[0] == 0
    assert past(home) == []
    assert text(home) == "It stays number 0."
    assert "nothing to take away" in run(capsys, "gc", "--home", home)[2]


def test_nothing_is_taken_away_while_none_is_in_use(home, capsys):
    (home / "current").write_text("", encoding="utf-8")
    status, _, err = run(capsys, "gc", "--keep", 0, "--home", home)
    assert status == 1
    assert "rulings use" in err
    name = past(home)[-1].name
    assert len(past(home)) == 3
    assert run(capsys, "use", name, "--home", home)[0] == 0
    assert text(home) == "It stays number 2."


def test_a_build_keeps_three_past_ones(home, tmp_path):
    for n in range(3):
        build([source(tmp_path / "own.jsonl", f"Later number {n}.")], home, tell=quiet)
    assert len(past(home)) == 3


def test_only_one_changes_a_home_at_a_time(home, capsys):
    with locked(home):
        for words in (("use", past(home)[0].name), ("gc",), ("build",)):
            status, _, err = run(capsys, *words, "--home", home)
            assert status == 1
            assert "another build is running" in err
    assert remove_past(home) == []


@pytest.fixture
def fetched(new_home, monkeypatch):
    """A home with one fetched file, and a fetch that does nothing."""
    home = new_home
    folder_of(home).mkdir(parents=True)
    source(folder_of(home) / "own.jsonl", "It stays.")
    write_fetched(home, Fetched({"own.jsonl": Known("http://127.0.0.1/own", "", 0)}))
    monkeypatch.setattr(fetch, "run", lambda _: None)
    return home


def test_update_builds_only_where_something_changed(fetched, capsys):
    status, _, err = run(capsys, "update", "--home", fetched)
    assert status == 0
    assert "there is no generation yet" in err
    first = current(fetched).manifest.name
    assert f"nothing changed since {first}" in run(capsys, "update", "--home", fetched)[2]
    source(folder_of(fetched) / "own.jsonl", "It changed.")
    assert "changed: own.jsonl" in run(capsys, "update", "--home", fetched)[2]
    assert text(fetched) == "It changed."


def test_update_keeps_how_the_generation_was_made(fetched, capsys, tmp_path):
    more = source(tmp_path / "more.jsonl", "More of my own.")
    words = (folder_of(fetched) / "own.jsonl", more, "--base", "https://example.org/r/")
    assert run(capsys, "build", *words, "--home", fetched)[0] == 0
    assert "nothing changed" in run(capsys, "update", "--home", fetched)[2]
    source(folder_of(fetched) / "own.jsonl", "It changed.")
    assert run(capsys, "update", "--home", fetched)[0] == 0
    made = current(fetched)
    assert made.manifest.base == "https://example.org/r/"
    assert {s.text for s in made.archive.corpus().statements.values()} == {"More of my own.", "It changed."}
    more.unlink()
    status, _, err = run(capsys, "update", "--home", fetched)
    assert status == 2
    assert "more.jsonl" in err


def test_update_sees_other_languages(fetched, capsys):
    run(capsys, "update", "--home", fetched)
    write_fetched(fetched, Fetched(read_fetched(fetched).files, ("de",)))
    assert "other languages" in run(capsys, "update", "--home", fetched)[2]
    assert current(fetched).manifest.languages == ("de",)
    assert "nothing changed" in run(capsys, "update", "--home", fetched)[2]


def test_what_changes_while_it_is_built_is_seen_by_the_next_update(fetched, capsys, monkeypatch):
    real = rulings.app.build.build_corpus

    def meanwhile(*words, **named):
        corpus = real(*words, **named)
        source(folder_of(fetched) / "own.jsonl", "It changed meanwhile.")
        return corpus

    monkeypatch.setattr(rulings.app.build, "build_corpus", meanwhile)
    run(capsys, "update", "--home", fetched)
    monkeypatch.setattr(rulings.app.build, "build_corpus", real)
    assert "changed: own.jsonl" in run(capsys, "update", "--home", fetched)[2]
    assert text(fetched) == "It changed meanwhile."


def test_update_builds_what_came_and_then_tells_what_did_not(fetched, capsys, monkeypatch):
    def fail(_):
        raise FetchError("one of the files could not be had")

    monkeypatch.setattr(fetch, "run", fail)
    status, _, err = run(capsys, "update", "--home", fetched)
    assert status == 1
    assert "could not be had" in err
    assert text(fetched) == "It stays."


def test_update_with_nothing_fetched_builds_nothing(tmp_path, capsys, monkeypatch):
    def fail(_):
        raise FetchError("offline")

    monkeypatch.setattr(fetch, "run", fail)
    assert run(capsys, "update", "--home", tmp_path)[0] == 1
    assert not (tmp_path / "current").exists()
