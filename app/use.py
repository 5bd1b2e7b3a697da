"""``rulings use``: go back, or forward, to another generation."""

import argparse

from rulings.app.errors import UsageError
from rulings.app.generations import locked, past, point_to
from rulings.app.home import home_of
from rulings.app.output import note, say, table
from rulings.search.generation import Generation, current


def run(args: argparse.Namespace) -> None:
    """Switch to a generation; without a name, list them all."""
    home = home_of(args)
    if args.generation is None:
        used = current(home)
        rows = [_row(Generation(path), "") for path in past(home)] + [_row(used, "in use")]
        say(table(["generation", "created", "statements", "editions", ""], sorted(rows)))
        return
    with locked(home):
        names = [path.name for path in past(home)]
        if args.generation not in names and args.generation != current(home).manifest.name:
            raise UsageError(
                f"use: {home} has no generation {args.generation!r}; it has {', '.join(names) or 'no other one'}"
            )
        made = Generation(home / "generations" / args.generation)
        made.archive.close()
        point_to(home, made.manifest.name)
    note(f"now in use: {made.manifest.name} of {made.manifest.created}")


def _row(made: Generation, mark: str) -> list[str]:
    counts = made.manifest.counts
    return [made.manifest.name, made.manifest.created, f"{counts['statements']:,}", f"{counts['editions']}", mark]
