"""A generation of which one file is missing, cut, flipped or of a newer format is refused, never half read."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from rulings.app.check import damage
from rulings.app.command import main
from rulings.app.generations import every
from rulings.search import Rulings
from rulings.search.errors import GenerationError, IndexFormatError
from rulings.search.generation import Generation, current
from rulings.search.whole import seal_holds

QUESTION = "If I copy a creature, does the copy have the counters that were on it?"
COMMANDS = (["ask", QUESTION, "--json"], ["show", "Clone"], ["sparql", "ASK { ?s a rul:Card }"], ["info", "--json"])


@pytest.fixture(scope="module")
def home(sample_home, tmp_path_factory):
    home = tmp_path_factory.mktemp("damage") / "home"
    shutil.copytree(sample_home / "generations", home / "generations")
    shutil.copy2(sample_home / "current", home)
    (home / "cache").symlink_to(sample_home / "cache")
    return home


@pytest.fixture
def tell(home, capsys):
    def told(*words):
        capsys.readouterr()
        status = main([*words, "--home", str(home)])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return told


def files(home):
    return sorted(path for path in current(home, check=False).path.rglob("*") if path.is_file())


class Harmed:
    """A file that is taken away, cut or flipped while the block runs, then as it was, its time too."""

    def __init__(self, file, how, *, keep_time=False):
        self.file, self.how, self.keep_time = file, how, keep_time

    def __enter__(self):
        self.content, self.stat = self.file.read_bytes(), self.file.stat()
        times = (self.stat.st_atime_ns, self.stat.st_mtime_ns)
        middle = len(self.content) // 2
        match self.how:
            case "missing":
                self.file.unlink()
            case "cut":
                self.file.write_bytes(self.content[:middle])
            case "empty":
                self.file.write_bytes(b"")
            case "flipped":
                flipped = bytearray(self.content)
                flipped[middle] ^= 1
                self.file.write_bytes(flipped)
        # a test is quicker than the clock of some file systems
        if self.keep_time:
            os.utime(self.file, ns=times)
        elif self.file.exists():
            os.utime(self.file, ns=(times[0], times[1] + 1_000_000))

    def __exit__(self, *_):
        self.file.write_bytes(self.content)
        os.utime(self.file, ns=(self.stat.st_atime_ns, self.stat.st_mtime_ns))


def harms(home):
    for file in files(home):
        size = file.stat().st_size
        for how in ("missing", *(("cut",) if size > 1 else ()), *(("flipped",) if size else ())):
            yield file, how


def test_every_file_of_it_missing_cut_or_flipped_is_refused_in_one_line(home, tell):
    right = {words[0]: tell(*words) for words in COMMANDS[1:]}
    assert all(status == 0 for status, _, _ in right.values())
    count = 0
    for n, (file, how) in enumerate(harms(home)):
        # one command a harm, for all of them open a generation the same way
        words = COMMANDS[n % len(COMMANDS)]
        with Harmed(file, how):
            status, out, err = tell(*words)
        where = f"{file.name} {how}: {words[0]}: {out[:200]} {err}"
        assert (status, out) == (1, ""), where
        assert err.count("\n") == 1, where
        assert "rulings build" in err, where
        assert "fault in the program" not in err, where
        count += 1
    assert count > 200
    assert {words[0]: tell(*words) for words in COMMANDS[1:]} == right


def test_check_finds_one_flipped_byte_in_every_file_even_where_its_time_tells_nothing(home, tell):
    assert tell("check")[0] == 0
    for file in files(home):
        if not file.stat().st_size:
            continue
        with Harmed(file, "flipped", keep_time=True):
            name = file.relative_to(current(home, check=False).path).as_posix() if file.name != "manifest.json" else ""
            if name:
                assert damage(current(home, check=False)) == {"changed": (name,)}
            else:
                status, _, err = tell("check")
                assert status == 1
                assert "manifest" in err
    assert tell("check")[0] == 0


def test_a_flip_anywhere_in_the_manifest_is_found(home):
    raw = (current(home).path / "manifest.json").read_bytes()
    assert seal_holds(raw)
    for place in range(len(raw)):
        flipped = bytearray(raw)
        flipped[place] ^= 1
        assert not seal_holds(bytes(flipped)) or flipped.strip() == raw.strip(), place


def test_a_copy_that_lost_its_times_answers_and_check_mends_them(home, tell, tmp_path):
    for file in files(home):
        os.utime(file, ns=(1, 1))
    assert tell("show", "Clone")[0] == 0
    assert tell("check")[0] == 0
    made = current(home)
    assert all((made.path / name).stat().st_mtime_ns == time for name, (_, time) in made.manifest.stamps.items())


def test_a_newer_format_is_refused_with_the_remedy(home, tell):
    file = current(home).path / "manifest.json"
    with Harmed(file, "as it is"):
        newer = json.loads(file.read_bytes()) | {"format": 99, "files": "something else"}
        file.write_text(json.dumps(newer), encoding="utf-8")
        for words in (*COMMANDS, ["check"], ["diff", "current", "current"], ["history", "Clone"]):
            status, out, err = tell(*words)
            assert (status, out) == (1, "")
            assert "format 99" in err
            assert "use the version that wrote it" in err
            assert err.count("\n") == 1


def test_an_index_of_a_newer_format_is_refused(home):
    """Below the generation, as for one written before it had stamps."""
    made = Generation(current(home).path)
    made.manifest.stamps.clear()
    with Harmed(made.index / "format.txt", "as it is"):
        (made.index / "format.txt").write_text("99")
        with pytest.raises(IndexFormatError, match="run `rulings build`"):
            Rulings(made).ask(QUESTION)


def test_without_a_pointer_nothing_is_built_in_its_stead(home, tell):
    for content in (None, b"", b"\xff", b"../other\n", b".part-x\n"):
        with Harmed(home / "current", "as it is"):
            (home / "current").unlink() if content is None else (home / "current").write_bytes(content)
            status, out, err = tell("ask", QUESTION)
            assert (status, out) == (1, "")
            assert "rulings use" in err
    assert len(every(home)) == 1


def test_a_past_generation_that_is_damaged_is_not_used(home, tell):
    name = current(home).manifest.name
    with Harmed(current(home).index / "keys.txt", "cut"):
        status, _, err = tell("use", name)
        assert status == 1
        assert "keys.txt has" in err
        assert "damaged" in tell("use")[1]
        with pytest.raises(GenerationError, match=r"keys\.txt"):
            Generation(current(home, check=False).path)


def test_a_fresh_process_says_it_too(home):
    with Harmed(current(home).path / "links.sqlite", "flipped"):
        words = [sys.executable, "-m", "rulings.app.command", "ask", QUESTION, "--home", str(home)]
        ended = subprocess.run(words, check=False, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.startswith("rulings: ")
    assert ended.stderr.count("\n") == 1


def test_a_manifest_that_is_no_json_is_named(home, tell):
    with Harmed(current(home).path / "manifest.json", "cut"):
        status, _, err = tell("check")
    assert status == 1
    assert "manifest.json: " in err
