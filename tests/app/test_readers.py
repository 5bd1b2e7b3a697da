"""Readers of generations that are replaced and taken away: 32 of them during ten builds see no error and no mix."""

import json
import os
import subprocess
import sys
import time

import pytest

from rulings.app.build import build
from rulings.app.command import main
from rulings.app.generations import every, remove_past
from rulings.search import Rulings
from rulings.search.generation import current

BUILDS, PROCESSES, THREADS = 10, 2, 16
READER = """
import threading, time
from pathlib import Path
from rulings.search import Rulings

home, out = Path({home!r}), Path({out!r})
stop, lock = home / "stop", threading.Lock()
counts = {{"reads": 0, "generations": set(), "errors": []}}
first = Rulings.open(home)
encoder, opened = first.encoder, threading.Barrier({threads} + 1)

def numbers(kb):
    '''The number that each part of a generation has in it.'''
    key = kb.generation.archive.key_at(0)
    yield kb.generation.archive.statement(key).text.split()[-1]
    yield kb.ask("What does the number stay?").results[0].text.split()[-1]
    yield next(iter(kb.graph.sparql("SELECT ?t {{ ?s rul:text ?t . ?s rul:key ?k }}")))["t"].split()[-1]
    yield kb.generation.analyses.analysis(key).key == key and kb.generation.manifest.name

def read(kb, held):
    text, answer, graph, name = numbers(kb)
    assert text == answer == graph, (text, answer, graph)
    with lock:
        counts["reads"] += 1
        counts["generations"].add(name)

def reader(n):
    # every second one keeps what it opened at first, the others open what is in use
    kept = Rulings(Rulings.open(home).generation, encoder) if n % 2 else None
    opened.wait()
    try:
        while not stop.exists():
            read(kept or Rulings(Rulings.open(home).generation, encoder), kept)
            time.sleep(1)
        if kept:
            read(kept, kept)
    except BaseException as error:
        with lock:
            counts["errors"].append(f"{{type(error).__name__}}: {{error}}")

threads = [threading.Thread(target=reader, args=(n,)) for n in range({threads})]
for each in threads: each.start()
opened.wait()
(out.with_suffix(".ready")).touch()
for each in threads: each.join()
out.write_text(__import__("json").dumps(counts | {{"generations": sorted(counts["generations"])}}))
"""


def source(folder, n):
    card = {"kind": "card", "name": "Clone", "oracle_id": "c", "faces": [{"name": "Clone", "text": "Copies."}]}
    ruling = {"kind": "ruling", "card": "Clone", "published": "2024-05-01", "source": "house"}
    file = folder / "own.jsonl"
    file.write_text("\n".join(map(json.dumps, (card, ruling | {"text": f"The number stays at {n}"}))) + "\n")
    return file


def test_32_readers_during_ten_builds_see_no_error_and_no_mix(new_home, tmp_path):
    home = new_home
    build([source(tmp_path, 0)], home, tell=lambda _: None)
    oldest = current(home).manifest.name
    outs = [tmp_path / f"reader-{n}.json" for n in range(PROCESSES)]
    codes = [READER.format(home=str(home), out=str(out), threads=THREADS) for out in outs]
    readers = [subprocess.Popen([sys.executable, "-c", code]) for code in codes]
    try:
        while not all(out.with_suffix(".ready").exists() for out in outs):
            assert all(reader.poll() is None for reader in readers)
            time.sleep(0.05)
        for n in range(1, BUILDS + 1):
            build([source(tmp_path, n)], home, tell=lambda _: None)
            if n % 3 == 0:
                remove_past(home, keep=0)
        # read by every second reader of each process since the start
        assert oldest in [path.name for path in every(home)]
    finally:
        (home / "stop").touch()
        for reader in readers:
            reader.wait(60)
    found = [json.loads(out.read_text()) for out in outs]
    assert [each["errors"] for each in found] == [[]] * PROCESSES
    assert sum(each["reads"] for each in found) >= BUILDS * PROCESSES
    assert len({name for each in found for name in each["generations"]}) >= 5
    remove_past(home, keep=0)
    assert [path.name for path in every(home)] == [current(home).manifest.name]


@pytest.mark.skipif(os.name == "nt", reason="there an open file can't be taken away at all")
def test_what_is_read_stays_until_it_is_read_no_more(new_home, tmp_path, capsys):
    first = build([source(tmp_path, 1)], new_home, tell=lambda _: None)
    kb = Rulings(first)
    build([source(tmp_path, 2)], new_home, tell=lambda _: None)
    assert main(["gc", "--keep", "0", "--home", str(new_home)]) == 0
    assert f"being read, so they stay until a later time: {first.manifest.name}" in capsys.readouterr().err
    assert len(kb.graph.sparql("SELECT ?s { ?s a rul:Statement }")) == 1
    name = first.manifest.name
    del first, kb
    assert remove_past(new_home, 0) == [name]


def test_a_pointer_that_moves_on_while_it_is_read_is_followed(new_home, tmp_path, monkeypatch):
    import rulings.search.generation as module

    build([source(tmp_path, 1)], new_home, tell=lambda _: None)
    second = build([source(tmp_path, 2)], new_home, tell=lambda _: None).manifest.name
    pointed = module._pointed
    names = iter(["20200101T000000-gone"])
    monkeypatch.setattr(module, "_pointed", lambda home: next(names, None) or pointed(home))
    assert current(new_home).manifest.name == second
