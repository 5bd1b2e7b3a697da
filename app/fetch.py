"""``rulings fetch``: the newest cards, rulings and rules, downloaded only where they changed."""

import argparse
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock

from rulings.app.bulk_list import API, bulk_files, check_bulk
from rulings.app.download import Downloader, Known, check_address
from rulings.app.errors import BusyError, FetchError, UsageError
from rulings.app.fetched import Fetched, folder_of, read_fetched, write_fetched
from rulings.app.home import home_of
from rulings.app.output import Progress, note
from rulings.app.rules_page import PAGE, REMEDY, check_rules, rules_links
from rulings.ingest import RulingsError
from rulings.ingest.addresses import shown

_RULES = "rules.txt"
_KINDS = ("oracle_cards", "rulings")


def run(args: argparse.Namespace) -> None:
    """Bring what was fetched up to date; each file that came stays, even where another can't be had."""
    home = home_of(args)
    _check(args)
    bar = _Bar()
    downloader = Downloader.make(bar, backoff=args.backoff)
    with _locked(home):
        fetched = read_fetched(home)
        languages = fetched.languages if args.languages is None else _languages(args.languages)
        write_fetched(home, Fetched(fetched.files, languages))
        failures = list(_fetch(home, downloader, args, bar.close))
    for failure in failures:
        note(f"fetch: {failure}")
    if failures:
        there = ", ".join(sorted(read_fetched(home).files)) or "nothing"
        raise FetchError(f"{len(failures)} of the files could not be had; {folder_of(home)} has {there}")


def _check(args: argparse.Namespace) -> None:
    """See that what was named can be used, before anything is downloaded.

    Raises:
        UsageError: it can't.
    """
    if args.source is not None:
        try:
            check_address(args.source)
        except FetchError as error:
            raise UsageError(f"--from {error}") from error
        if "@" in args.source:
            raise UsageError(f"--from {shown(args.source)}: user and password can't be in the address; leave them out")
    if args.languages is not None:
        _languages(args.languages)
    if args.rules is not None:
        if not args.rules.is_file():
            raise UsageError(f"--rules {args.rules}: no such file")
        try:
            check_rules(args.rules)
        except FetchError as error:
            raise UsageError(f"--rules {args.rules}: {error}") from error


def _languages(written: str) -> tuple[str, ...]:
    """The languages of a list with commas.

    Raises:
        UsageError: one is no code of a language.
    """
    codes = tuple(dict.fromkeys(code for each in written.split(",") if (code := each.strip().lower())))
    strange = [code for code in codes if not re.fullmatch(r"[a-z]{2,3}", code)]
    if strange:
        raise UsageError(f"--languages: {strange[0]!r} is no code of a language; write them like de,fr")
    return codes


def _fetch(
    home: Path, downloader: Downloader, args: argparse.Namespace, done: Callable[[], None]
) -> Iterator[FetchError]:
    """Fetch each file, and yield what went wrong."""
    api, page = (f"{args.source.rstrip('/')}", f"{args.source.rstrip('/')}/en/rules") if args.source else (API, PAGE)
    kinds = (*_KINDS, "all_cards") if read_fetched(home).languages else _KINDS
    if kinds == _KINDS:
        _drop(home, "all-cards.json")
    try:
        wanted = bulk_files(downloader.text(f"{api}/bulk-data"), api, kinds)
    except FetchError as error:
        yield error
        wanted = []
    for bulk in wanted:
        try:
            name = f"{bulk.kind.replace('_', '-')}.json"
            _one(home, name, downloader, bulk.url, check_bulk, bulk.version)
        except FetchError as error:
            yield error
        finally:
            done()
    try:
        _rules(home, downloader, page, args.rules)
    except FetchError as error:
        yield error
    finally:
        done()


def _one(
    home: Path, name: str, downloader: Downloader, url: str, check: Callable[[Path], None], version: str = ""
) -> None:
    known, target = read_fetched(home).files.get(name), folder_of(home) / name
    if known and version and known.version == version and target.is_file() and target.stat().st_size == known.size:
        note(f"{name}: unchanged since {version}")
        return
    now = downloader.file(url, target, known, check)
    same = known is not None and now.sha256 == known.sha256
    _note(home, name, Known(now.url, now.sha256, now.size, now.etag, now.modified, version))
    note(f"{name}: {'unchanged' if same else f'{now.size:,} bytes'}")


def _drop(home: Path, name: str) -> None:
    """Take away a fetched file that isn't wanted any more."""
    fetched = read_fetched(home)
    if name in fetched.files:
        (folder_of(home) / name).unlink(missing_ok=True)
        write_fetched(home, Fetched({n: k for n, k in fetched.files.items() if n != name}, fetched.languages))
        note(f"{name}: taken away, as no language but English is wanted")


def _note(home: Path, name: str, known: Known) -> None:
    fetched = read_fetched(home)
    write_fetched(home, Fetched({**fetched.files, name: known}, fetched.languages))


def _rules(home: Path, downloader: Downloader, page: str, given: Path | None) -> None:
    """The rules text: the file that was given, else the newest that the rules page links to and that is one."""
    if given is not None:
        _take(home, given)
        return
    links = rules_links(downloader.text(page), page)
    if not links:
        raise FetchError(f"{shown(page)}: links to no rules text; {REMEDY}")
    failures: list[str] = []
    for link in links:
        try:
            _one(home, _RULES, downloader, link, check_rules)
        except FetchError as error:
            failures.append(str(error))
            continue
        return
    raise FetchError(
        f"{shown(page)}: none of its {len(links)} links leads to a rules text; {REMEDY} ({'; '.join(failures)})"
    )


def _take(home: Path, given: Path) -> None:
    """Put a file that the user has in the place of the fetched rules."""
    part = folder_of(home) / f".{_RULES}.given"
    shutil.copyfile(given, part)
    part.replace(folder_of(home) / _RULES)
    size = (folder_of(home) / _RULES).stat().st_size
    _note(home, _RULES, Known(given.absolute().as_uri(), "", size))
    note(f"{_RULES}: taken from {given}")


@contextmanager
def _locked(home: Path) -> Iterator[None]:
    """One fetch at a time in a home."""
    try:
        folder_of(home).mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(folder_of(home) / ".lock", timeout=0):
            yield
    except filelock.Timeout:
        raise BusyError(f"{folder_of(home)}: another fetch is running here; wait for it") from None
    except OSError as error:
        if isinstance(error, RulingsError):
            raise
        raise FetchError(f"{folder_of(home)}: can't be written ({error.strerror}); choose another --home") from error


class _Bar:
    """A progress bar for one file after the other."""

    def __init__(self) -> None:
        self._name, self._bar, self._seen = "", Progress("", 0), 0

    def __call__(self, name: str, have: int, size: int) -> None:
        if name != self._name:
            self._name, self._bar, self._seen = name, Progress(name, size), 0
        self._bar(have - self._seen)
        self._seen = have

    def close(self) -> None:
        self._bar.close()
        self._name = ""
