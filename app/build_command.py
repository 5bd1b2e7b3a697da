"""``rulings build``."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from rulings.app.build import build
from rulings.app.errors import UsageError
from rulings.app.fetched import fetched_paths, folder_of, read_fetched
from rulings.app.home import home_of
from rulings.app.output import note, printable
from rulings.app.runners import open_runner
from rulings.app.stopping import stopped_by_signals
from rulings.graph.vocabulary import DATA, Iris
from rulings.search.engines.address import LOCAL, given_address
from rulings.search.errors import SearchError
from rulings.search.generation import current
from rulings.search.model_folder import PACKAGED


def run(args: argparse.Namespace) -> None:
    """Build from the sources named, else from what was fetched, else from the sample."""
    iris = Iris(_base(args.base)) if args.base else None
    home = home_of(args)
    vectors = given_address(args.vectors) if args.vectors is not None else None
    for line in _given_up(args, home):
        note(line)
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


def _given_up(args: argparse.Namespace, home: Path) -> Iterator[str]:
    """What the generation in use was made with and the new one will not be, since it isn't named again."""
    try:
        manifest = current(home, check=False).manifest
    except SearchError:
        return
    for what, option, had, usual, given in (
        ("base of IRIs", "--base", manifest.base, DATA, args.base),
        ("engine of vectors", "--vectors", manifest.vectors, LOCAL[0], args.vectors),
        ("model", "--model", manifest.encoder.get("name", PACKAGED), PACKAGED, args.model),
    ):
        if had != usual and not given:
            yield f"the {what}, {printable(had)}, is not kept; `{option} {printable(had)}` keeps it"


def _base(written: str) -> str:
    """A base IRI, ending in ``/`` or ``#``."""
    if not written.startswith(("http://", "https://", "urn:")) or any(c in written for c in ' <>"{}|\\^`'):
        raise UsageError(f"--base {written}: not an absolute IRI such as https://example.org/rulings/")
    return written if written.endswith(("/", "#", ":")) else written + "/"
