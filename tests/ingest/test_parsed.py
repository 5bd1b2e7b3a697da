"""Records read before come as they were read, with all that was reported; what changed or is damaged is read anew."""

import hashlib
import json

import pytest

from rulings.ingest import Report, build_corpus
from rulings.ingest import parsed as module
from rulings.ingest.errors import SourceError
from rulings.ingest.own import OwnReader
from rulings.ingest.parsed import Parsed
from rulings.ingest.read import sample_paths


def _sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _kept(tmp_path, paths, program="one", **options):
    return Parsed(tmp_path / "kept", program, {str(path): _sha256(path) for path in paths}, _sha256, **options)


@pytest.fixture
def paths(tmp_path):
    made = []
    for path in sample_paths():
        copy = tmp_path / path.name
        copy.write_bytes(path.read_bytes())
        made.append(copy)
    lines = made[0].read_text("utf-8").splitlines()
    lines[5:5] = ["{not json", json.dumps({"kind": "ruling", "text": ""})]
    made[0].write_text("\n".join(lines), "utf-8")
    return made


@pytest.fixture
def reads(monkeypatch):
    """The files that the reader of our own kinds had to read."""
    seen = []
    read = OwnReader.read
    monkeypatch.setattr(
        OwnReader,
        "read",
        lambda self, stream, place, report: seen.append(place.file) or read(self, stream, place, report),
    )
    return seen


@pytest.mark.parametrize("piece", [1, 7, 2000])
def test_the_corpus_and_the_report_are_the_same(tmp_path, paths, reads, monkeypatch, piece):
    monkeypatch.setattr(module, "PIECE", piece)
    plain = build_corpus(paths, Report())
    assert plain.report.problems
    for _ in range(2):
        again = build_corpus(paths, Report(), parsed=_kept(tmp_path, paths))
        assert again == plain
        assert list(again.report.counts) == list(plain.report.counts)
    assert reads == [str(path) for path in paths] * 2, "the third time nothing is read"


def test_a_changed_file_is_read_and_another_program_reads_all(tmp_path, paths, reads):
    build_corpus(paths, parsed=_kept(tmp_path, paths))
    paths[1].write_text(paths[1].read_text("utf-8") + "\n\n", "utf-8")
    reads.clear()
    build_corpus(paths, parsed=_kept(tmp_path, paths))
    assert reads == [str(paths[1])]
    reads.clear()
    build_corpus(paths, parsed=_kept(tmp_path, paths, "two"))
    build_corpus(paths, parsed=_kept(tmp_path, paths, "two", anew=True))
    assert len(reads) == 2 * len(paths)


def test_a_damaged_file_is_read_anew(tmp_path, paths, reads):
    build_corpus(paths, parsed=_kept(tmp_path, paths))
    for file in (tmp_path / "kept").iterdir():
        raw = bytearray(file.read_bytes())
        raw[len(raw) // 2] ^= 1
        file.write_bytes(raw)
    reads.clear()
    assert build_corpus(paths, parsed=_kept(tmp_path, paths)) == build_corpus(paths)
    assert len(reads) == 2 * len(paths)


def test_what_changed_while_it_was_read_and_what_could_not_be_read_is_not_kept(tmp_path, paths):
    kept = _kept(tmp_path, paths)
    kept.hashes[str(paths[0])] = "of another content"
    build_corpus(paths, parsed=kept)
    assert len(list((tmp_path / "kept").iterdir())) == len(paths) - 1
    cut = tmp_path / "cut.json.gz"
    cut.write_bytes(b"\x1f\x8b\x08\x00\x00")
    with pytest.raises(SourceError):
        build_corpus([cut], parsed=_kept(tmp_path, [cut]))
    assert len(list((tmp_path / "kept").iterdir())) == len(paths) - 1


def test_only_what_was_asked_for_stays(tmp_path, paths):
    build_corpus(paths, parsed=_kept(tmp_path, paths))
    kept = _kept(tmp_path, paths)
    build_corpus(paths[:3], parsed=kept)
    kept.tidy()
    assert len(list((tmp_path / "kept").iterdir())) == 3


def test_a_file_too_large_or_a_folder_that_cannot_be_written_is_let_pass(tmp_path, paths, monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 1000)
    plain = build_corpus(paths)
    assert build_corpus(paths, parsed=_kept(tmp_path, paths)) == plain
    assert not list((tmp_path / "kept").glob("*"))
    (tmp_path / "file").write_text("")
    nowhere = Parsed(tmp_path / "file" / "x", "", {str(path): _sha256(path) for path in paths}, _sha256)
    assert build_corpus(paths, parsed=nowhere) == plain
