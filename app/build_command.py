"""``rulings build``."""

import argparse

from rulings.app.build import build
from rulings.app.errors import UsageError
from rulings.app.fetched import fetched_paths, folder_of, read_fetched
from rulings.app.home import home_of
from rulings.app.output import note
from rulings.app.runners import open_runner
from rulings.app.stopping import stopped_by_signals
from rulings.graph.vocabulary import Iris
from rulings.search.engines.address import given_address


def run(args: argparse.Namespace) -> None:
    """Build from the sources named, else from what was fetched, else from the sample."""
    iris = Iris(_base(args.base)) if args.base else None
    home = home_of(args)
    vectors = given_address(args.vectors) if args.vectors else None
    sources = args.sources
    if not sources:
        sources = fetched_paths(home)
        what = (
            f"what was fetched ({', '.join(path.name for path in sources)})"
            if sources
            else "the built-in sample (not official text)"
        )
        note(f"no source named: building from {what}")
    # of fetched files the languages that were asked for; of others all
    fetched = folder_of(home).absolute() in {path.absolute().parent for path in sources}
    languages = read_fetched(home).languages if fetched else ()
    with stopped_by_signals(), open_runner(args.processes, args.cluster, note) as runner:
        made = build(
            sources,
            home,
            tell=note,
            card=args.card,
            model=args.model,
            iris=iris,
            languages=languages or None,
            anew=args.anew,
            runner=runner,
            vectors=vectors,
        )
    counts = ", ".join(f"{count:,} {kind}" for kind, count in made.manifest.counts.items())
    note(f"built {made.manifest.name} in {home}: {counts}")


def _base(written: str) -> str:
    """A base IRI, ending in ``/`` or ``#``."""
    if not written.startswith(("http://", "https://", "urn:")) or any(c in written for c in ' <>"{}|\\^`'):
        raise UsageError(f"--base {written}: not an absolute IRI such as https://example.org/rulings/")
    return written if written.endswith(("/", "#", ":")) else written + "/"
