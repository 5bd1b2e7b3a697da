"""``rulings upload``: the graph of the generation in use, into a SPARQL server."""

import argparse

from rulings.app.errors import UsageError
from rulings.app.home import generation_of
from rulings.app.output import Progress, note
from rulings.graph.graph_store import GraphStore, UpdateEndpoint, Writer, load_graph
from rulings.graph.sparql_http import checked
from rulings.graph.vocabulary import ASSERTED, DERIVED

GRAPHS = {"asserted": ASSERTED, "derived": DERIVED}


def run(args: argparse.Namespace) -> None:
    """Replace the server's named graphs by ours, one after the other."""
    to = _writer(args)
    store = generation_of(args).graph.store
    for name in [args.only] if args.only else GRAPHS:
        progress = Progress(f"uploading {name}", 0)
        count = load_graph(store, GRAPHS[name], to, progress)
        progress.close()
        note(f"loaded {count:,} triples into <{GRAPHS[name]}>")


def _writer(args: argparse.Namespace) -> Writer:
    if bool(args.graph_store) == bool(args.update):
        raise UsageError("upload: give the server's address by --graph-store URL, or else by --update URL")
    return GraphStore(checked(args.graph_store)) if args.graph_store else UpdateEndpoint(checked(args.update))
