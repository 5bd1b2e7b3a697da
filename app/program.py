"""Which program this is: a hash of all that shapes what a build writes, but for the libraries."""

import hashlib
from functools import cache
from importlib.resources import files
from pathlib import Path

_LARGE = 1 << 20
_PACKAGES = ("ingest", "graph", "search", "app")


@cache
def program() -> str:
    """A hash of the modules and data files of the program; of large ones, weights of models, only the sizes."""
    found = hashlib.sha256()
    for package in _PACKAGES:
        root = Path(str(files(f"rulings.{package}")))
        for file in sorted([*root.glob("*.py"), *root.glob("data/*"), *root.glob("sample/*")]):
            if file.is_file():
                size = file.stat().st_size
                found.update(f"{package}/{file.relative_to(root).as_posix()} {size}\n".encode())
                found.update(file.read_bytes() if size < _LARGE else b"")
    return found.hexdigest()[:32]
