"""The home of a command, and the generation in use there."""

import argparse
from pathlib import Path

from rulings.search.generation import Generation, current, default_home


def home_of(args: argparse.Namespace) -> Path:
    """The data home that was named, or the default one."""
    named: Path | None = args.home
    return named.expanduser() if named else default_home()


def generation_of(args: argparse.Namespace) -> Generation:
    """The generation in use; see `rulings.search.generation.current` for the errors."""
    return current(home_of(args))
