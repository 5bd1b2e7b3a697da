"""One file downloaded over HTTP: only where it changed, gone on with after a cut, and put in place in one step."""

import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import msgspec
import urllib3
from urllib3.exceptions import HTTPError, MaxRetryError, ReadTimeoutError
from urllib3.util import Timeout, parse_url

from rulings.app.errors import FetchError
from rulings.app.output import note
from rulings.app.patience import Patience, PatientRetry
from rulings.graph.deadline import Deadline, pool_manager
from rulings.ingest.addresses import shown

LARGEST = 8 << 30
"""Bytes; no file that is wanted here is near it."""
_CHUNK = 1 << 20
PATIENCE, SILENCE = 60.0, 30.0
"""Seconds that failures take in all, and that a server may send nothing."""
SLOWEST, WINDOW = 512.0, 60.0
"""Bytes a second, and seconds: the slowest line that would still bring a rules text in an hour."""
_CUTS = 5
"""How often to go on after a cut."""
HEADERS = {
    "User-Agent": f"rulings/{metadata.version('rulings-graph')} (rulings-graph)",
    "Accept": "application/json;q=0.9,text/plain;q=0.8,*/*;q=0.5",
}
"""Scryfall asks for a name of the program and for what it takes (https://scryfall.com/docs/api)."""


class Known(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of a downloaded file: where from, its validators, and what it held."""

    url: str
    sha256: str
    size: int
    etag: str = ""
    modified: str = ""
    version: str = ""
    """What its publisher calls this version, where it does."""


@dataclass(frozen=True, slots=True)
class Downloader:
    """Downloads with back-off on 429 and 5xx, as far as the server asks for it."""

    pool: urllib3.PoolManager
    progress: Callable[[str, int, int], None]
    """Called with a file's name, the bytes it has, and its size in bytes (0 where unknown)."""
    patience: Patience
    slowest: float = SLOWEST
    window: float = WINDOW
    """Seconds over which ``slowest`` (bytes a second) is measured."""

    @classmethod
    def make(
        cls,
        progress: Callable[[str, int, int], None],
        *,
        backoff: float = 1.0,
        patience: float = PATIENCE,
        slowest: float = SLOWEST,
        window: float = WINDOW,
    ) -> "Downloader":
        """A downloader; ``backoff`` in seconds is doubled after each failure, 5 times at most.

        Failures of all its requests may take ``patience`` seconds together; then the first is the last. What brings
        fewer than ``slowest`` bytes a second during ``window`` seconds is given up.
        """
        lasting = Patience(patience, note)
        retries = PatientRetry(
            lasting, total=8, connect=2, read=3, status=5, redirect=5, backoff_factor=backoff, backoff_max=60,
            status_forcelist=(429, 500, 502, 503, 504), respect_retry_after_header=True, raise_on_status=False,
        )  # fmt: skip
        pool = pool_manager(headers=HEADERS, retries=retries, timeout=Timeout(connect=10, read=min(SILENCE, window)))
        return cls(pool, progress, lasting, slowest, window)

    def text(self, url: str, most: int = 16 << 20) -> str:
        """A small document.

        Raises:
            FetchError: it can't be had, or is larger than ``most`` bytes.
        """
        with self._asked(url, {}) as (response, deadline):
            try:
                content = b""
                for chunk in self._chunks(response, deadline, url, unpacked=True):
                    content += chunk
                    if len(content) > most:
                        break
            except HTTPError as error:
                raise FetchError(f"{shown(url)}: what came can't be read ({_short(error)}); try again") from error
        if response.status != 200:
            raise FetchError(f"{shown(url)}: the server answered {response.status}; try again later")
        if len(content) > most:
            raise FetchError(f"{shown(url)}: longer than {most >> 20} MB; is this the right address?")
        return content.decode("utf-8", "replace")

    def file(self, url: str, target: Path, known: Known | None, check: Callable[[Path], None]) -> Known:
        """Bring a file up to date and say what it is now; an unchanged one isn't downloaded again.

        A part of it is kept beside its place for the next try; ``check`` looks at the whole before it takes its place,
        and raises where it won't do.

        Raises:
            FetchError: it can't be had, or ``check`` said so.
        """
        part = target.with_name(f".{target.name}.part")
        mark = target.with_name(f".{target.name}.part.etag")
        asked = {}
        if known and known.url == url and target.is_file():
            asked = {k: v for k, v in (("If-None-Match", known.etag), ("If-Modified-Since", known.modified)) if v}
        for _ in range(_CUTS + 1):
            done = self._once(url, part, mark, asked)
            if done is None:
                if self.patience.left <= 0:
                    raise FetchError(f"{shown(url)}: the server fell silent; the part that came is kept, try again")
                continue
            if done["status"] == "304":
                if known is None:
                    raise FetchError(
                        f"{shown(url)}: the server says that nothing changed, of what was never there; try again"
                    )
                return known
            break
        else:
            raise FetchError(
                f"{shown(url)}: the connection was cut {_CUTS + 1} times; the part that came is kept, try again"
            )
        try:
            check(part)
        except FetchError:
            part.unlink(missing_ok=True)
            raise
        digest, size = _digest(part), part.stat().st_size
        part.replace(target)
        mark.unlink(missing_ok=True)
        return Known(url, digest, size, done.get("etag", ""), done.get("last-modified", ""))

    def _once(self, url: str, part: Path, mark: Path, asked: dict[str, str]) -> dict[str, str] | None:
        """One request, going on from what is there; None where the connection was cut.

        Else the answer's headers, with ``status``.
        """
        have = part.stat().st_size if part.is_file() else 0
        validator = mark.read_text(encoding="utf-8") if have and mark.is_file() else ""
        headers = {"Range": f"bytes={have}-", "If-Range": validator} if have and validator else dict(asked)
        # the bytes on disk are the bytes sent, so that a range means the same on both sides
        with self._asked(url, headers | {"Accept-Encoding": "identity"}) as (response, deadline):
            status = response.status
            told = {name.lower(): value for name, value in response.headers.items()} | {"status": str(status)}
            if status == 304:
                return told
            if status == 416 or (status == 206 and not _goes_on(told.get("content-range", ""), have)):
                part.unlink(missing_ok=True)
                return None
            if status not in {200, 206}:
                raise FetchError(f"{shown(url)}: the server answered {status}; what is there stays")
            if status == 200:
                have = 0
            if told.get("etag", "").startswith('"'):
                mark.write_text(told["etag"], encoding="utf-8")
            else:
                mark.unlink(missing_ok=True)
            length = told.get("content-length", "")
            expected = have + int(length) if length.isascii() and length.isdecimal() else 0
            came = self._written(response, deadline, url, part, have, expected)
        return told if came is not None and (not expected or came >= expected) else None

    def _written(
        self, response: urllib3.BaseHTTPResponse, deadline: Deadline, url: str, part: Path, have: int, expected: int
    ) -> int | None:
        """Write what comes behind the ``have`` bytes that are there; gives all bytes, None where it was cut."""
        try:
            with part.open("ab" if have else "wb") as file:
                for chunk in self._chunks(response, deadline, url):
                    have += file.write(chunk)
                    if have > LARGEST:
                        break
                    self.progress(part.name.strip(".").removesuffix(".part"), have, expected)
        except ReadTimeoutError:
            self.patience.lose(min(SILENCE, self.window))
            return None
        except HTTPError:
            return None
        except FetchError:  # an OSError too
            raise
        except OSError as error:
            raise FetchError(f"{part}: can't be written ({error.strerror or error}); is there room?") from error
        if have > LARGEST:
            raise FetchError(f"{shown(url)}: over {LARGEST >> 30} GB; is this the right address?")
        return have

    @contextmanager
    def _asked(self, url: str, headers: dict[str, str]) -> Iterator[tuple[urllib3.BaseHTTPResponse, Deadline]]:
        host = check_address(url)
        with Deadline(max(self.patience.left, self.window)) as deadline:
            try:
                with self.patience.begun(host):
                    response = self.pool.request("GET", url, headers=HEADERS | headers, preload_content=False)
            except MaxRetryError as error:
                raise FetchError(f"{host}: can't be reached ({_short(error)}); what is there stays") from error
            except (HTTPError, ValueError) as error:
                raise FetchError(f"{shown(url)}: can't be read ({_short(error)}); what is there stays") from error
            try:
                yield response, deadline
            finally:
                response.close()  # what is left unread must not stand in the next answer's way

    def _chunks(
        self, response: urllib3.BaseHTTPResponse, deadline: Deadline, url: str, *, unpacked: bool = False
    ) -> Iterator[bytes]:
        """What comes, as soon as it is there.

        Raises:
            FetchError: it comes too slowly.
        """
        since, came, least = time.monotonic(), 0, self.slowest * self.window
        slow = FetchError(
            f"{shown(url)}: fewer than {least:,.0f} bytes in {self.window:.0f} s; what came is kept, try again later"
        )
        deadline.put_off(2 * self.window)
        try:
            while chunk := response.read1(_CHUNK, decode_content=unpacked):
                came += len(chunk)
                yield chunk
                if (now := time.monotonic()) - since > self.window:
                    if came < least:
                        raise slow
                    since, came = now, 0
                    deadline.put_off(2 * self.window)
        except HTTPError as error:
            if deadline.passed:
                raise slow from error
            raise
        if deadline.passed:  # a cut of what has no length looks like its end
            raise slow


def check_address(url: str) -> str:
    """Give the host of an http or https address.

    Raises:
        FetchError: it is none.
    """
    try:
        parts = parse_url(url)
    except (HTTPError, ValueError):  # their words hold a part of the address, which may be one of the password
        raise FetchError(f"{shown(url)}: not an address; write http://HOST:PORT/PATH") from None
    if parts.scheme not in {"http", "https"} or not parts.host or not 0 < (parts.port or 80) < 1 << 16:
        raise FetchError(f"{shown(url)}: not an http or https address")
    return parts.host


def _goes_on(written: str, have: int) -> bool:
    """Whether a Content-Range begins where the part that is there ends."""
    return written.replace(" ", "").startswith(f"bytes{have}-")


def _short(error: Exception) -> str:
    cause = getattr(error, "reason", None) or error
    return str(cause).rsplit(": ", 1)[-1][:120] or type(cause).__name__


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
