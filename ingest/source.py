"""Files, folders and archives opened one after another as streams of unpacked bytes."""

import gzip
import io
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from rulings.ingest.errors import LimitError, SourceError
from rulings.ingest.limits import MEMBERS, RATIO, RATIO_FROM, UNPACKED_BYTES
from rulings.ingest.reader import HEAD_BYTES, Head
from rulings.ingest.records import Place, Report

Progress = Callable[[str, int, int], None]
"""Called with a file's name, the bytes of it read so far and its size (0 where unknown)."""

_GZIP, _ZIP, _EMPTY_ZIP = b"\x1f\x8b", b"PK\x03\x04", b"PK\x05\x06"
_OTHER_ARCHIVES = {
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!": "rar",
}
_BOMB = "it is no source of cards or rulings, leave it out"
_SKIPPED_FOLDERS = ("__MACOSX", ".git")


@dataclass(frozen=True)
class Source:
    """One file, or one member of an archive, open for reading.

    ``named`` says that the user named it (not a folder or archive around it).
    """

    place: Place
    head: Head
    stream: BinaryIO
    named: bool


class _Guarded(io.RawIOBase):
    """Unpacked bytes under the limits, with the faults of packed files told as `SourceError`."""

    def __init__(self, inner: BinaryIO, file: str, packed: Callable[[], int], report: Callable[[], None]) -> None:
        self._inner, self._file, self._packed, self._tell_progress = inner, file, packed, report
        self._unpacked = 0
        self.prefix = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self.prefix[: len(buffer)] or self.take(len(buffer))
        self.prefix = self.prefix[len(data) :]
        buffer[: len(data)] = data
        return len(data)

    def take(self, size: int) -> bytes:
        try:
            data = self._inner.read(size)
        except (EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile) as error:
            raise SourceError(f"{self._file}: packed data is cut short or corrupt ({error}); fetch it again") from None
        except (OSError, RuntimeError, NotImplementedError) as error:
            raise SourceError(f"{self._file}: can't be read ({_reason(error)})") from None
        self._unpacked += len(data)
        if self._unpacked > UNPACKED_BYTES:
            raise LimitError(f"{self._file}: unpacks to over {UNPACKED_BYTES // 2**30} GiB; name a smaller file")
        if self._unpacked > RATIO_FROM and self._unpacked > RATIO * max(self._packed(), 1):
            raise LimitError(f"{self._file}: unpacks to over {RATIO} times its size; {_BOMB}")
        self._tell_progress()
        return data


def open_sources(paths: Sequence[Path], report: Report, progress: Progress | None = None) -> Iterator[Source]:
    """Open each file of the paths in turn: files as named, folders in sorted order, the members of archives.

    A source is closed when the next one is asked for. Hidden files and what is no regular file are left out of
    folders, the latter with a note.

    Raises:
        SourceError: a path is missing, empty or can't be read, or an archive is corrupt.
        LimitError: an archive unpacks to too much or holds too many members.
    """
    check_paths(paths)
    for path in paths:
        if path.is_dir():
            for file in _walk(path, report):
                yield from _open(file, report, progress, named=False)
        else:
            yield from _open(path, report, progress, named=True)


def check_paths(paths: Sequence[Path]) -> None:
    """Raise `SourceError` for the first path that isn't there."""
    for path in paths:
        try:
            there = os.path.lexists(path)
        except ValueError:
            there = False
        if not there:
            raise SourceError(f"{shown(path)}: no such file or folder; check the name")
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise SourceError(f"{shown(path)}: neither a file nor a folder (a pipe or device); save it to a file first")


def shown(path: Path | str) -> str:
    """A name fit for a one-line message: signs that don't print are written as escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode() for c in str(path))


def _walk(root: Path, report: Report) -> Iterator[Path]:
    def refused(error: OSError) -> None:
        where = error.filename or root
        if Path(where) == root:
            raise SourceError(f"{shown(root)}: the folder can't be read ({_reason(error)}); check its permissions")
        report.problem(Place(shown(where)), f"the folder can't be read ({_reason(error)}); check its permissions")

    for folder, subfolders, files in os.walk(root, onerror=refused):
        subfolders[:] = sorted(name for name in subfolders if not _hidden(name))
        for name in sorted(files):
            path = Path(folder, name)
            if _hidden(name):
                continue
            if path.is_file():
                yield path
            else:
                report.note(Place(shown(path)), "passed over: not a regular file")


def _hidden(name: str) -> bool:
    return name.startswith(".") or name in _SKIPPED_FOLDERS


def _open(path: Path, report: Report, progress: Progress | None, *, named: bool) -> Iterator[Source]:
    file = shown(path)
    try:
        raw = path.open("rb")
        status = os.fstat(raw.fileno())
    except OSError as error:
        if not named:
            report.problem(Place(file), f"can't be read ({_reason(error)}); check its permissions")
            return
        raise SourceError(f"{file}: can't be read ({_reason(error)}); check the name and its permissions") from None
    with raw:
        regular = stat.S_ISREG(status.st_mode)

        def tell() -> None:
            if progress:
                progress(file, raw.tell() if regular else 0, status.st_size)

        if regular and _is_zip(raw):
            yield from _members(raw, file, report, tell)
        else:
            # Where there is nothing to tell (a pipe), the size limit alone holds.
            packed = raw.tell if regular else (lambda: UNPACKED_BYTES)
            yield from _unpacked(raw, file, packed, report, tell, named=named)
        tell()


def _is_zip(raw: BinaryIO) -> bool:
    start = raw.read(4)
    raw.seek(0)
    return start in (_ZIP, _EMPTY_ZIP)


def _members(raw: BinaryIO, file: str, report: Report, tell: Callable[[], None]) -> Iterator[Source]:
    try:
        archive = zipfile.ZipFile(raw)
        members = sorted((m for m in archive.infolist() if not m.is_dir()), key=lambda m: m.filename)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise SourceError(
            f"{file}: the zip archive is cut short or corrupt ({_reason(error)}); fetch it again"
        ) from None
    with archive:
        if not members:
            raise SourceError(f"{file}: the zip archive holds no files; name another")
        if len(members) > MEMBERS:
            raise LimitError(f"{file}: the zip archive holds over {MEMBERS:,} files; name a smaller one")
        total = sum(member.file_size for member in members)
        if total > UNPACKED_BYTES:
            raise LimitError(f"{file}: unpacks to over {UNPACKED_BYTES // 2**30} GiB; name a smaller archive")
        if total > RATIO_FROM and total > RATIO * os.fstat(raw.fileno()).st_size:
            raise LimitError(f"{file}: unpacks to over {RATIO} times its size; {_BOMB}")
        for member in members:
            if any(_hidden(part) for part in member.filename.split("/") if part not in (".", "..")):
                continue
            name = f"{file}!{shown(member.filename)}"
            try:
                stream = archive.open(member)
            except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError) as error:
                raise SourceError(f"{name}: can't be unpacked ({_reason(error)}); unpack it yourself") from None
            size = member.compress_size
            with stream:
                yield from _unpacked(stream, name, lambda size=size: size, report, tell, named=False)  # type: ignore[misc]


def _unpacked(
    inner: object, file: str, packed: Callable[[], int], report: Report, tell: Callable[[], None], *, named: bool
) -> Iterator[Source]:
    guarded = _Guarded(inner, file, packed, tell)  # type: ignore[arg-type]
    head = _head(guarded)
    if head.startswith(_GZIP):
        guarded.prefix = head
        packed_stream = gzip.GzipFile(fileobj=io.BufferedReader(guarded, 2**16))
        guarded = _Guarded(packed_stream, file, packed, tell)  # type: ignore[arg-type]
        head = _head(guarded)
    if not Head(head).text.strip("\ufeff \t\r\n"):
        if named:
            raise SourceError(f"{file}: the file is empty; fetch it again or name another")
        report.problem(Place(file), "the file is empty; fetch it again or remove it")
        return
    archive = _archive(head)
    if archive:
        reason = f"a {archive} archive can't be read here; unpack it first"
        if named:
            raise SourceError(f"{file}: {reason}")
        report.problem(Place(file), reason)
        return
    guarded.prefix = head
    stream = io.BufferedReader(guarded, 2**17)
    yield Source(Place(file), Head(head, file.rsplit("!", 1)[-1].rsplit("/", 1)[-1]), stream, named)


def _head(guarded: _Guarded) -> bytes:
    head = b""
    while len(head) < HEAD_BYTES:
        data = guarded.take(HEAD_BYTES - len(head))
        if not data:
            break
        head += data
    return head


def _archive(head: bytes) -> str | None:
    if head.startswith((_GZIP, _ZIP, _EMPTY_ZIP)):
        return "nested"
    return next((name for mark, name in _OTHER_ARCHIVES.items() if head.startswith(mark)), None)


def _reason(error: BaseException) -> str:
    return shown(getattr(error, "strerror", None) or str(error) or type(error).__name__)
