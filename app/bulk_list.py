"""Scryfall's list of bulk files (https://scryfall.com/docs/api/bulk-data): which to download, and a look at them."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

import msgspec

from rulings.app.errors import FetchError
from rulings.ingest import IngestError, Report, read_sources
from rulings.ingest.addresses import shown

API = "https://api.scryfall.com"


class _Entry(msgspec.Struct):
    type: str
    download_uri: str
    updated_at: str = ""
    size: int = 0


class _List(msgspec.Struct):
    data: list[_Entry]


@dataclass(frozen=True, slots=True)
class BulkFile:
    """A bulk file: its kind, where it is, the version its publisher names, and its size in bytes (0 where untold)."""

    kind: str
    url: str
    version: str
    size: int


def bulk_files(listed: str, base: str, wanted: tuple[str, ...]) -> list[BulkFile]:
    """The files of the wanted kinds out of the list's JSON, in their order.

    Raises:
        FetchError: it is no such list, or a kind is missing.
    """
    try:
        entries = {entry.type: entry for entry in msgspec.json.decode(listed, type=_List).data}
    except msgspec.MsgspecError as error:
        raise FetchError(f"{shown(base)}/bulk-data: not a list of bulk files ({error}); is --from right?") from error
    missing = [kind for kind in wanted if kind not in entries]
    if missing:
        raise FetchError(f"{shown(base)}/bulk-data: lists no {', '.join(missing)}; is --from right?")
    try:
        found = (entries[kind] for kind in wanted)
        return [BulkFile(e.type, urljoin(f"{base}/", e.download_uri), e.updated_at, e.size) for e in found]
    except ValueError as error:
        raise FetchError(
            f"{shown(base)}/bulk-data: names a place that can't be read ({error}); is --from right?"
        ) from error


def check_bulk(path: Path) -> None:
    """See that a file can be read to its end and holds records.

    Raises:
        FetchError: it can't, or holds none.
    """
    report = Report()
    try:
        count = sum(1 for _ in read_sources([path], report))
    except IngestError as error:
        raise FetchError(f"what came is no whole list of records ({error}); what was there stays") from error
    if count <= len(report.problems):
        raise FetchError(f"{path.name}: what came is no whole list of records; what was there stays")
