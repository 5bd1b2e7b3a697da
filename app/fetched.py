"""What was fetched into a home: HOME/sources/ and the list of its files."""

from pathlib import Path

import msgspec

from rulings.app.download import Known
from rulings.app.errors import FetchError

LIST = "fetched.json"


def folder_of(home: Path) -> Path:
    """Where fetched files lie."""
    return home / "sources"


class Fetched(msgspec.Struct, frozen=True):
    """The fetched files by name, and the languages wanted beside English."""

    files: dict[str, Known] = {}
    languages: tuple[str, ...] = ()


def read_fetched(home: Path) -> Fetched:
    """What was fetched; nothing where nothing was.

    Raises:
        FetchError: the list is damaged.
    """
    path = folder_of(home) / LIST
    try:
        return msgspec.json.decode(path.read_bytes(), type=Fetched)
    except FileNotFoundError:
        return Fetched()
    except (OSError, msgspec.MsgspecError) as error:
        raise FetchError(f"{path}: can't be read ({error}); delete it and fetch again") from error


def write_fetched(home: Path, fetched: Fetched) -> None:
    """Write the list in one step."""
    path = folder_of(home) / LIST
    part = path.with_name(f".{LIST}.part")
    part.write_bytes(msgspec.json.format(msgspec.json.encode(fetched, order="sorted"), indent=1))
    part.replace(path)


def fetched_paths(home: Path) -> list[Path]:
    """The fetched files that are there, in a fixed order."""
    return [path for name in sorted(read_fetched(home).files) if (path := folder_of(home) / name).is_file()]
