"""A build that is killed, finds the disk full or memory short, or comes second: nothing is lost, nothing is left.

`RULINGS_KILLS=30 pytest tests/app/test_never_lost.py` kills thirty builds and tries a whole one after each; without it
there are a few, and one whole build at the end.
"""

import contextlib
import json
import multiprocessing
import os
import random
import shutil
import subprocess
import time

import pytest

from rulings.app.build import build
from rulings.app.check import damage
from rulings.app.command import main
from rulings.app.generations import every
from rulings.search import Rulings
from rulings.search.generation import current

KILLS = int(os.environ.get("RULINGS_KILLS", "4"))
QUESTION = "If I copy a creature, does the copy have the counters that were on it?"


@pytest.fixture(scope="module")
def processes():
    """Processes that need not import anything when they start."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["rulings.app.build_command", "rulings.search.onnx_encoder", "onnxruntime"])
    return context


@pytest.fixture(scope="module")
def running(processes):
    """Start a command in a process of its own, after some lines of code there."""
    started = []

    def start(*words, first=""):
        code = (
            f"{first}\nimport os, sys\nfrom rulings.app.command import main\nos._exit(main({list(map(str, words))!r}))"
        )
        process = processes.Process(target=exec, args=(code, {}))
        process.start()
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.join()


def own(folder, n):
    """A source with a wording that was never encoded, so that the cache is written too."""
    file = folder / "own.jsonl"
    record = {"kind": "ruling", "card": "Clone", "published": "2024-05-01", "source": "house", "text": f"New is {n}."}
    file.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return file


@pytest.fixture
def home(sample_home, tmp_path):
    """A home of its own with the sample in it; only the encoder's graph is shared."""
    home = tmp_path / "home"
    shutil.copytree(sample_home / "generations", home / "generations")
    shutil.copy2(sample_home / "current", home)
    shutil.copytree(sample_home / "cache", home / "cache", ignore=shutil.ignore_patterns("*.onnx"))
    for file in (sample_home / "cache").glob("*.onnx"):
        os.link(file, home / "cache" / file.name)
    return home


@pytest.fixture
def sources(tmp_path):
    from rulings.ingest.read import sample_paths

    return [*map(str, sample_paths()), str(own(tmp_path, 0))]


@pytest.fixture(scope="module")
def encoder(sample_home):
    return Rulings.open(sample_home).encoder


def answers(home, name, encoder):
    """The generation of this name is in use, whole, and answers."""
    made = current(home)
    assert made.manifest.name == name
    assert damage(made) == {}
    assert Rulings(made, encoder).ask(QUESTION).answered


def left(home):
    """What a build didn't take away."""
    found = [*home.iterdir(), *(home / "generations").iterdir(), *(home / "cache").resolve().rglob("*")]
    return [path.name for path in found if path.name.startswith(".")]


def whole_build(sources, home, encoder):
    built = build([], home, tell=lambda _: None)
    answers(home, built.manifest.name, encoder)
    assert left(home) == []
    return built.manifest.name


def test_killed_at_any_moment(home, sources, running, encoder, tmp_path):
    chance = random.Random(7)
    begun = time.monotonic()
    process = running("build", *sources, "--home", home)
    process.join()
    assert process.exitcode == 0
    length, name = time.monotonic() - begun, current(home).manifest.name
    killed = []
    for n in range(KILLS):
        own(tmp_path, n + 1)
        moment = length * (n + chance.random()) / KILLS
        while True:
            process = running("build", *sources, "--home", home)
            process.join(moment)
            process.kill()
            process.join()
            if process.exitcode != 0:
                break
            # quicker than the first one
            name, moment = current(home).manifest.name, moment * 0.8
        killed.append(moment / length)
        in_use = current(home).manifest.name
        if in_use != name:  # the moment between the switch and the end
            assert in_use > name
            name = in_use
        answers(home, name, encoder)
        if KILLS >= 30:
            name = whole_build(sources, home, encoder)
    whole_build(sources, home, encoder)
    assert len(every(home)) <= 4
    print(f"killed at {', '.join(f'{part:.2f}' for part in killed)} of {length:.1f} s")


def test_killed_while_old_generations_are_taken_away(home, sources, encoder, monkeypatch):
    """The removal is cut in its middle: what is left of a generation is none."""
    name = build([], home, tell=lambda _: None).manifest.name

    def cut(folder, **_):
        if folder.exists():
            next(folder.rglob("keys.txt")).unlink()
            raise KeyboardInterrupt

    monkeypatch.setattr("rulings.app.generations.shutil.rmtree", cut)
    with pytest.raises(KeyboardInterrupt):
        main_gc(home)
    monkeypatch.undo()
    assert [path.name for path in every(home)] == [name]
    assert left(home)
    assert main(["gc", "--home", str(home)]) == 0
    assert left(home) == []
    answers(home, name, encoder)


def main_gc(home):
    from rulings.app.generations import remove_past

    remove_past(home, keep=0)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM to catch")
def test_told_to_end_it_leaves_nothing(home, sources, running, encoder):
    name = current(home).manifest.name
    process = running("build", *sources, "--home", home)
    wait_for(lambda: any((home / "generations").glob(".part-*")), process)
    process.terminate()
    process.join()
    assert process.exitcode == 1
    assert left(home) == []
    answers(home, name, encoder)


def wait_for(condition, process, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert process.is_alive(), "it ended too early"
        assert time.monotonic() < end
        time.sleep(0.01)


@contextlib.contextmanager
def mounted(folder, *words):
    """A mount while the block runs; the test is skipped where there can be none."""
    folder.mkdir(exist_ok=True)
    try:
        subprocess.run(["mount", *words, str(folder)], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("nothing can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True, capture_output=True)


@pytest.mark.parametrize("share", [0.1, 0.8])
def test_a_full_disk(home, sources, running, encoder, tmp_path, share):
    """A small tmpfs that has room for the old generation and a share of the new one."""
    size = sum(path.stat().st_size for path in current(home).path.rglob("*"))
    disk = tmp_path / "disk"
    room = (int(size * (1 + share)) >> 10) + 1000
    with mounted(disk, "-t", "tmpfs", "-o", f"size={room}k", "tmpfs"):
        small = disk / "home"
        small.mkdir()
        shutil.copytree(home / "generations", small / "generations")
        shutil.copy2(home / "current", small)
        (small / "cache").symlink_to(home / "cache")
        name = current(small).manifest.name
        process = running("build", "--anew", *sources, "--home", small)
        process.join()
        assert process.exitcode == 1
        answers(small, name, encoder)
        assert left(small) == []
        if share > 0.5:
            subprocess.run(["mount", "-o", "remount,size=200m", str(disk)], check=True, capture_output=True)
            whole_build(sources, small, encoder)


@pytest.mark.parametrize("size", [1 << 12, 1 << 18])
def test_files_that_cannot_grow(home, sources, running, encoder, size):
    """The same without a mount: every write past a size fails."""
    name = current(home).manifest.name
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))"
    process = running("build", *sources, "--home", home, first=limit)
    process.join()
    assert process.exitcode == 1
    answers(home, name, encoder)
    assert left(home) == []


@pytest.mark.parametrize("more", [40, 160])
def test_out_of_memory(home, sources, running, encoder, more):
    name = current(home).manifest.name
    limit = (
        "import resource, pathlib\n"
        "used = int(pathlib.Path('/proc/self/statm').read_text().split()[0]) * resource.getpagesize()\n"
        f"resource.setrlimit(resource.RLIMIT_AS, (used + ({more} << 20), used + ({more} << 20)))"
    )
    process = running("build", *sources, "--home", home, first=limit)
    process.join(120)
    assert process.exitcode not in (0, None)
    answers(home, name, encoder)
    whole_build(sources, home, encoder)


def test_a_second_build_waits_for_nothing_and_the_lock_falls_with_a_crash(home, sources, running, encoder, capsys):
    process = running("build", *sources, "--home", home)
    wait_for(lambda: any((home / "generations").glob(".part-*")), process)
    capsys.readouterr()
    assert main(["build", "--home", str(home)]) == 1
    assert "another build is running" in capsys.readouterr().err
    process.kill()
    process.join()
    whole_build(sources, home, encoder)


def test_a_read_only_home_answers_and_says_that_it_cannot_be_written(home, tmp_path, encoder, capsys):
    name = current(home).manifest.name
    shutil.rmtree(home / "cache")  # what is kept can't be written either
    fixed = tmp_path / "fixed"
    with mounted(fixed, "--bind", "-o", "ro", str(home)):
        subprocess.run(["mount", "-o", "remount,ro,bind", str(fixed)], check=True, capture_output=True)
        for words in (
            ["ask", QUESTION],
            ["show", "Clone"],
            ["sparql", "ASK {}"],
            ["info"],
            ["check"],
            ["history", "Copy"],
        ):
            assert main([*words, "--home", str(fixed)]) == 0, words
        for words in (["build"], ["use", name], ["gc"]):
            capsys.readouterr()
            assert main([*words, "--home", str(fixed)]) == 1, words
            printed = capsys.readouterr().err.splitlines()
            assert f"{fixed}: can't be written" in printed[-1]
            assert "--home" in printed[-1]
    answers(home, name, encoder)
