"""``rulings check``: the graph against its shapes, the files against their hashes, vectors on a server."""

import argparse
import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from rulings.app.errors import FaultyError
from rulings.app.home import home_of
from rulings.app.output import note, printable, say
from rulings.graph.shapes import Violation, violations
from rulings.search.engines.address import LOCAL
from rulings.search.engines.keep import open_vectors
from rulings.search.generation import Generation, current
from rulings.search.whole import sha256, stamp

_EXAMPLES = 5


def run(args: argparse.Namespace) -> None:
    """Print what is wrong, a line a kind.

    Raises:
        FaultyError: anything is.
        EngineError: vectors on a server can't be reached, or are not those of the generation.
    """
    made = current(home_of(args), check=False)
    files = damage(made)
    # A damaged store can't be trusted to answer.
    faults = () if files else violations(made.graph.store)
    if args.json:
        say(msgspec.json.encode(_facts(made, files, faults)).decode())
    else:
        for line in (*_lines(files), *map(str, faults)):
            say(printable(" ".join(line.split())))
    if files:
        raise FaultyError(f"{made.path}: damaged, so its graph was not checked; run `rulings build` again")
    if faults:
        raise FaultyError(f"{made.path}: the graph is not valid ({len(faults)} kinds of violation); report them")
    if made.manifest.vectors not in LOCAL:
        open_vectors(made.index).engine.of(np.zeros(min(1, made.manifest.counts["statements"]), np.intp))
    _mend_times(made)
    quads = made.manifest.counts.get("quads", 0)
    note(f"{made.manifest.name}: {len(made.manifest.files)} files whole, {quads:,} quads valid")


def damage(made: Generation) -> dict[str, tuple[str, ...]]:
    """Compare the files of a generation with its manifest.

    Returns:
        The paths, within the generation, that are "changed", "missing" or "extra"; nothing where all is whole.
    """
    known = made.manifest.files
    there = {p.relative_to(made.path).as_posix(): p for p in made.path.rglob("*") if not p.is_dir()}
    there.pop("manifest.json", None)
    found = {
        "changed": tuple(p for p in known if p in there and _hash(there[p]) != known[p]),
        "missing": tuple(p for p in known if p not in there),
        "extra": tuple(sorted(p for p in there if p not in known)),
    }
    return {kind: paths for kind, paths in found.items() if paths}


def _mend_times(made: Generation) -> None:
    """Give whole files the times that the manifest tells, so that a copy is not hashed at every opening."""
    for name, recorded in made.manifest.stamps.items():
        file = made.path / name
        with contextlib.suppress(OSError):
            if stamp(file) != recorded:
                os.utime(file, ns=(recorded[1], recorded[1]))


def _hash(file: Path) -> str:
    """The file's hash; "" where it can't be read."""
    try:
        return sha256(file)
    except OSError:
        return ""


def _lines(files: dict[str, tuple[str, ...]]) -> Iterator[str]:
    for kind, paths in files.items():
        more = ", ..." if len(paths) > _EXAMPLES else ""
        yield f"files {kind} since the build: {len(paths)}: {', '.join(paths[:_EXAMPLES])}{more}"


def _facts(made: Generation, files: dict[str, tuple[str, ...]], faults: tuple[Violation, ...]) -> dict[str, Any]:
    return {
        "generation": made.manifest.name,
        "ok": not files and not faults,
        "files": len(made.manifest.files),
        "damage": files,
        "graph_checked": not files,
        "violations": [msgspec.to_builtins(fault) for fault in faults],
    }
