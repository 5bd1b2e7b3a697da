"""``rulings build``."""

import argparse

from rulings.app.build import build
from rulings.app.errors import UsageError
from rulings.app.fetched import fetched_paths, read_fetched
from rulings.app.home import home_of
from rulings.app.output import note
from rulings.graph.vocabulary import Iris


def run(args: argparse.Namespace) -> None:
    """Build from the sources named, else from what was fetched, else from the sample."""
    iris = Iris(_base(args.base)) if args.base else None
    sources, languages = args.sources, None
    if not sources:
        sources, languages = fetched_paths(home_of(args)), read_fetched(home_of(args)).languages
        what = (
            f"what was fetched ({', '.join(path.name for path in sources)})"
            if sources
            else "the built-in sample (not official text)"
        )
        note(f"no source named: building from {what}")
    made = build(
        sources, home_of(args), tell=note, card=args.card, model=args.model, iris=iris, languages=languages or None
    )
    counts = ", ".join(f"{count:,} {kind}" for kind, count in made.manifest.counts.items())
    note(f"built {made.manifest.name} in {home_of(args)}: {counts}")


def _base(written: str) -> str:
    """A base IRI, ending in ``/`` or ``#``."""
    if not written.startswith(("http://", "https://", "urn:")) or any(c in written for c in ' <>"{}|\\^`'):
        raise UsageError(f"--base {written}: not an absolute IRI such as https://example.org/rulings/")
    return written if written.endswith(("/", "#", ":")) else written + "/"
