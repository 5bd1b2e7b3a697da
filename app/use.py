"""``rulings use``: go back, or forward, to another generation."""

import argparse
from pathlib import Path

from rulings.app.errors import UsageError
from rulings.app.generations import every, in_use, locked, point_to
from rulings.app.home import home_of
from rulings.app.output import note, say, table
from rulings.search.errors import GenerationError, NoGenerationError, OtherFormatError
from rulings.search.generation import Generation


def run(args: argparse.Namespace) -> None:
    """Switch to a generation; without a name, list them all."""
    home = home_of(args)
    if args.generation is None:
        used = in_use(home)
        rows = [_row(path, "in use" if path.name == used else "") for path in every(home)]
        if not rows:
            raise NoGenerationError(f"{home}: nothing was built here yet; run `rulings build`")
        say(table(["generation", "created", "statements", "editions", ""], rows))
        return
    with locked(home):
        names = [path.name for path in every(home)]
        if args.generation not in names:
            raise UsageError(f"use: {home} has no generation {args.generation!r}; it has {', '.join(names) or 'none'}")
        made = Generation(home / "generations" / args.generation)
        made.archive.close()
        point_to(home, made.manifest.name)
    note(f"now in use: {made.manifest.name} of {made.manifest.created}")


def _row(path: Path, mark: str) -> list[str]:
    try:
        manifest = Generation(path).manifest
    except OtherFormatError:
        return [path.name, "of another format", "", "", mark]
    except GenerationError:
        return [path.name, "damaged", "", "", mark]
    counts = manifest.counts
    return [path.name, manifest.created, f"{counts['statements']:,}", f"{counts['editions']}", mark]
