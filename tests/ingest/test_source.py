"""Opening of files, folders and archives, and every fault that they can have."""

import gzip
import io
import os
import stat
import zipfile
from pathlib import Path

import pytest

from rulings.ingest import limits, source
from rulings.ingest.errors import LimitError, SourceError
from rulings.ingest.records import Report
from rulings.ingest.source import open_sources


def opened(*paths: Path, report: Report | None = None) -> dict[str, bytes]:
    found = open_sources(paths, report or Report())
    return {s.place.file.rsplit("/", 1)[-1]: s.stream.read() for s in found}


def zipped(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def test_every_packing_gives_the_same_bytes(tmp_path: Path) -> None:
    data = os.urandom(200_000)
    (tmp_path / "a").write_bytes(data)
    (tmp_path / "b").write_bytes(gzip.compress(data))
    zipped(tmp_path / "c", one=data, two=gzip.compress(data))
    assert opened(tmp_path) == {"a": data, "b": data, "c!one": data, "c!two": data}


def test_a_head_is_given_and_read_again(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(bytes(range(256)) * 1000)
    (found,) = [(s.head.data, s.head.is_whole, s.named) for s in open_sources([tmp_path / "a"], Report())]
    assert found == ((bytes(range(256)) * 256), False, True)


def test_folders_come_in_order_without_hidden_files(tmp_path: Path) -> None:
    for name in ("b/2", "b/10", "a/1", "c", ".hidden", "__MACOSX/x"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    os.mkfifo(tmp_path / "pipe")
    report = Report()
    assert [d.decode() for d in opened(tmp_path, report=report).values()] == ["c", "a/1", "b/10", "b/2"]
    assert ["regular" in note.reason for note in report.notes] == [True]


def test_progress_ends_at_the_size(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(os.urandom(500_000)))
    calls: list[tuple[str, int, int]] = []
    for one in open_sources([path], Report(), lambda *call: calls.append(call)):
        one.stream.read()
    assert calls[-1] == (str(path), path.stat().st_size, path.stat().st_size)
    assert [c[1] for c in calls] == sorted(c[1] for c in calls)


def test_missing_path_is_told_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    with pytest.raises(SourceError, match=r"b: no such file or folder"):
        next(open_sources([tmp_path / "a", tmp_path / "b"], Report()))
    with pytest.raises(SourceError, match="no such file"):
        next(open_sources([Path("a\0b\n")], Report()))


@pytest.mark.parametrize("content", [b"", b"\n", b"\xef\xbb\xbf\n", gzip.compress(b" \n")])
def test_an_empty_file_is_an_error_when_named_and_a_problem_in_a_folder(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(SourceError, match=r"a\.json: the file is empty; fetch it again"):
        opened(tmp_path / "a.json")
    report = Report()
    assert opened(tmp_path, report=report) == {}
    assert [p.place.file for p in report.problems] == [str(tmp_path / "a.json")]


@pytest.mark.parametrize("kept", [1, 12, 300, 100_000, 150_019])
def test_cut_short_gzip_is_told(tmp_path: Path, kept: int) -> None:
    packed = gzip.compress(os.urandom(150_000))
    (tmp_path / "a.gz").write_bytes(packed[: min(kept, len(packed) - 1)])
    if kept == 1:
        assert opened(tmp_path / "a.gz") == {"a.gz": packed[:1]}
        return
    with pytest.raises(SourceError, match=r"a\.gz: packed data is cut short or corrupt"):
        opened(tmp_path / "a.gz")


def test_corrupt_archives_are_told(tmp_path: Path) -> None:
    data = os.urandom(100_000)
    packed = bytearray(gzip.compress(data))
    packed[50_000] ^= 255
    (tmp_path / "a.gz").write_bytes(packed)
    archive = bytearray(zipped(tmp_path / "b.zip", one=data).read_bytes())
    (tmp_path / "short.zip").write_bytes(archive[:-30])
    archive[50_000] ^= 255
    (tmp_path / "b.zip").write_bytes(archive)
    for name in ("a.gz", "b.zip", "short.zip"):
        with pytest.raises(SourceError, match=rf"{name}.*cut short or corrupt"):
            opened(tmp_path / name)


def test_archives_that_can_not_be_read_say_so(tmp_path: Path) -> None:
    zipped(tmp_path / "none.zip")
    with pytest.raises(SourceError, match="holds no files"):
        opened(tmp_path / "none.zip")
    (tmp_path / "a.7z").write_bytes(b"7z\xbc\xaf\x27\x1c" + bytes(100))
    with pytest.raises(SourceError, match=r"7z archive.*unpack it first"):
        opened(tmp_path / "a.7z")
    inner = zipped(tmp_path / "inner", x=b"1").read_bytes()
    zipped(tmp_path / "outer.zip", inner=inner, ok=b"fine")
    report = Report()
    assert opened(tmp_path / "outer.zip", report=report) == {"outer.zip!ok": b"fine"}
    assert "nested archive" in report.problems[0].reason


def test_encrypted_member_is_told(tmp_path: Path) -> None:
    data = bytearray(zipped(tmp_path / "a.zip", one=b"x" * 50).read_bytes())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "a.zip").write_bytes(data)
    with pytest.raises(SourceError, match=r"a\.zip!one: can't be unpacked \(.*encrypted"):
        opened(tmp_path / "a.zip")


def test_zip_bombs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "RATIO_FROM", 2**20)
    flat = bytes(4 * 2**20).replace(b"\0", b"a")
    (tmp_path / "a.gz").write_bytes(gzip.compress(flat, 9))
    zipped(tmp_path / "b.zip", one=flat)
    zipped(tmp_path / "c.zip", one=gzip.compress(flat))
    for name in ("a.gz", "b.zip", "c.zip"):
        with pytest.raises(LimitError, match=f"{name}.*times its size"):
            opened(tmp_path / name)
    monkeypatch.setattr(source, "UNPACKED_BYTES", 2**20)
    monkeypatch.setattr(source, "RATIO", 10**9)
    for name in ("a.gz", "b.zip", "c.zip"):
        with pytest.raises(LimitError, match=f"{name}.*unpacks to over"):
            opened(tmp_path / name)
    assert limits.RATIO < 1032, "deflate reaches 1,032: a higher limit would stop nothing"


def test_names_that_lead_out_of_the_archive_are_harmless(tmp_path: Path) -> None:
    inside = tmp_path / "in"
    inside.mkdir()
    zipped(inside / "a.zip", **{"../../evil\n.txt": b"x", "/etc/evil": b"y"})
    assert list(opened(inside).values()) == [b"x", b"y"]
    assert [p.name for p in tmp_path.iterdir()] == ["in"]
    assert all(s.place.file.isprintable() for s in open_sources([inside], Report()))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_told(tmp_path: Path) -> None:
    shut = tmp_path / "shut"
    shut.mkdir()
    (shut / "a").write_text("x")
    shut.chmod(0)
    try:
        with pytest.raises(SourceError, match=r"shut: the folder can't be read.*permissions"):
            opened(shut)
        report = Report()
        opened(tmp_path, report=report)
        assert "permissions" in report.problems[0].reason
    finally:
        shut.chmod(stat.S_IRWXU)


def test_refused_folder_is_told_whoever_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(SourceError, match=r"can't be read \(Permission denied\); check its permissions"):
        opened(tmp_path)


def test_reading_faults_of_the_disk_are_told() -> None:
    class Failing(io.BytesIO):
        def read(self, _: int | None = -1) -> bytes:
            raise OSError(5, "Input/output error")

    guarded = source._Guarded(Failing(), "a.json", lambda: 1, lambda: None)
    with pytest.raises(SourceError, match=r"a\.json: can't be read \(Input/output error\)"):
        io.BufferedReader(guarded).read(10)
