"""``rulings sparql``."""

import argparse
import sys
from pathlib import Path

from rulings.app.errors import UsageError
from rulings.app.home import generation_of
from rulings.app.output import say, table
from rulings.graph.sparql import readable


def run(args: argparse.Namespace) -> None:
    """Run the query and print what it finds."""
    query = _query(args)
    result = generation_of(args).graph.sparql(query)
    form = args.format or ("ttl" if result.kind == "graph" else "table")
    if form != "table":
        sys.stdout.buffer.write(result.serialize(form))
    elif result.kind == "boolean":
        say("yes" if result else "no")
    else:
        say(table(result.variables, [[readable(cell) for cell in row] for row in result.terms]))


def _query(args: argparse.Namespace) -> str:
    if bool(args.query) == bool(args.file):
        raise UsageError("rulings sparql: give a query, or a file with -f")
    if args.query:
        return str(args.query)
    if args.file == "-":
        return sys.stdin.read()
    try:
        return Path(args.file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{args.file}: can't be read ({error}); name a file with a SPARQL query in UTF-8") from error
