"""Which program this is: a hash of all that shapes what a build writes, but for the libraries."""

import hashlib
from functools import cache
from importlib.resources import files
from pathlib import Path

_PACKAGES = ("ingest", "graph", "search", "app")


@cache
def program() -> str:
    """A hash of the modules and data files of the program."""
    found = hashlib.sha256()
    for package in _PACKAGES:
        root = Path(str(files(f"rulings.{package}")))
        for file in sorted([*root.glob("*.py"), *root.glob("data/*"), *root.glob("sample/*")]):
            if file.is_file():
                raw = file.read_bytes()
                found.update(f"{package}/{file.relative_to(root).as_posix()} {len(raw)}\n".encode())
                found.update(raw)
    return found.hexdigest()[:32]
