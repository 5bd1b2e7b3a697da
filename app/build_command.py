"""``rulings build``."""

import argparse

from rulings.app.build import build
from rulings.app.errors import UsageError
from rulings.app.home import home_of
from rulings.app.output import note
from rulings.graph.vocabulary import Iris


def run(args: argparse.Namespace) -> None:
    """Build from the sources named, or from the sample."""
    iris = Iris(_base(args.base)) if args.base else None
    if not args.sources:
        note("no source named: building from the built-in sample (not official text)")
    made = build(args.sources, home_of(args), tell=note, card=args.card, model=args.model, iris=iris)
    counts = ", ".join(f"{count:,} {kind}" for kind, count in made.manifest.counts.items())
    note(f"built {made.manifest.name} in {home_of(args)}: {counts}")


def _base(written: str) -> str:
    """A base IRI, ending in ``/`` or ``#``."""
    if not written.startswith(("http://", "https://", "urn:")) or any(c in written for c in ' <>"{}|\\^`'):
        raise UsageError(f"--base {written}: not an absolute IRI such as https://example.org/rulings/")
    return written if written.endswith(("/", "#", ":")) else written + "/"
