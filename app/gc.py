"""``rulings gc``: take away old generations, and what a broken build left."""

import argparse

from rulings.app.generations import locked, past, remove_past
from rulings.app.home import home_of
from rulings.app.output import note


def run(args: argparse.Namespace) -> None:
    """Keep the generation in use and some before it."""
    home = home_of(args)
    with locked(home):
        gone = remove_past(home, args.keep)
        read = past(home)[: -args.keep or None]
    if read:
        note(f"being read, so they stay until a later time: {', '.join(path.name for path in read)}")
    note(f"taken away: {', '.join(gone)}" if gone else "nothing to take away")
