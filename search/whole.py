"""Whether a generation is whole: its manifest by a seal of its own, its files by size and time, else by their hashes.

To hash two gigabytes whenever a question is asked would take longer than the answer. A file of the size and the time
of change that the manifest tells was written by nobody since; one with another time is hashed. What no program wrote,
as a byte that the disk lost, is found by `rulings check`, which hashes all.
"""

import hashlib
import os
import re
from collections.abc import Mapping
from pathlib import Path

_SEAL = re.compile(rb'^(.*),\n "seal": "([0-9a-f]{64})"\n\}\s*$', re.DOTALL)

Stamp = tuple[int, int]
"""A file's size in bytes and its time of change in nanoseconds."""


_PIECE = 8 << 20
"""Bytes hashed at once: small pieces would wait, each, for the lock of the interpreter where a thread hashes."""


def sha256(file: Path) -> str:
    """The hash of a file, read in pieces."""
    found = hashlib.sha256()
    with file.open("rb", buffering=0) as stream:
        piece = memoryview(bytearray(min(_PIECE, os.fstat(stream.fileno()).st_size + 1)))
        while size := stream.readinto(piece):
            found.update(piece[:size])
    return found.hexdigest()


def stamp(file: Path) -> Stamp:
    """The size and time of a file."""
    found = file.stat()
    return found.st_size, found.st_mtime_ns


def sealed(manifest: bytes) -> bytes:
    """A manifest, JSON of several lines, with the hash of all that stands before it as its last field."""
    body = manifest.rstrip().removesuffix(b"\n}")
    return b'%s,\n "seal": "%s"\n}' % (body, hashlib.sha256(body).hexdigest().encode())


def seal_holds(manifest: bytes) -> bool:
    """Whether a manifest is as it was sealed. One of a version that knew no seals is let pass."""
    found = _SEAL.fullmatch(manifest)
    if not found:
        return b'"stamps"' not in manifest
    return hashlib.sha256(found[1]).hexdigest() == found[2].decode()


def fault(folder: Path, files: Mapping[str, str], stamps: Mapping[str, Stamp]) -> str | None:
    """What is wrong with the first file that isn't as its stamp or, where its time differs, its hash tells."""
    for name, (size, time) in stamps.items():
        file = folder / name
        try:
            found = stamp(file)
            if found[0] != size:
                return f"{name} has {found[0]:,} bytes instead of {size:,}"
            if found[1] != time and sha256(file) != files.get(name):
                return f"{name} was changed"
        except FileNotFoundError:
            return f"{name} is missing"
        except OSError as error:
            return f"{name} can't be read ({error.strerror})"
    return None
