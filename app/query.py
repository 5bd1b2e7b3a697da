"""``rulings sparql``."""

import argparse
import shlex
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulings.app.errors import UsageError
from rulings.app.home import generation_of
from rulings.app.output import note, say, table
from rulings.graph.query_library import library, named
from rulings.graph.sparql import ROW_FORMATS, Result, readable, stream
from rulings.graph.sparql import run as query_store
from rulings.search.errors import NoGenerationError
from rulings.search.generation import Generation

MOST_ROWS = 1000
"""Rows of a table on the terminal."""


def run(args: argparse.Namespace) -> None:
    """Run the query and print what it finds; or list the named ones."""
    if args.list:
        say("\n".join(_listed()))
        return
    if args.graph:
        from rulings.graph.endpoint import Endpoint
        from rulings.graph.sparql_http import Limits

        limits = Limits(seconds=args.seconds)
        _print(Endpoint(args.graph, limits).sparql(_query(args, _maybe(args)), service=args.service), args.format)
        return
    made = generation_of(args)
    query = _query(args, made)
    # The engine can't be interrupted: with Python's own handler, Ctrl-C would wait for the end of the query.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        store = made.graph.store
        if args.format in ROW_FORMATS and stream(store, query, args.format, sys.stdout.buffer, service=args.service):
            return
        most = MOST_ROWS + 1 if args.format in {None, "table"} else None
        result = query_store(store, query, most, service=args.service)
    finally:
        signal.signal(signal.SIGINT, before)
    _print(result, args.format)


def _maybe(args: argparse.Namespace) -> Generation | None:
    """The generation in use, which finds names in any spelling; a graph elsewhere can do without."""
    try:
        return generation_of(args)
    except NoGenerationError:
        return None


def _print(result: Result, asked: str | None) -> None:
    form = asked or ("ttl" if result.kind == "graph" else "table")
    if form != "table":
        sys.stdout.buffer.write(result.serialize(form))
    elif result.kind == "boolean":
        say("yes" if result else "no")
    else:
        say(table(result.variables, [[readable(cell) for cell in row] for row in result.terms[:MOST_ROWS]]))
        if len(result) > MOST_ROWS:
            note(f"only the first {MOST_ROWS:,} rows are shown; add a LIMIT, or write all with --format csv")
        elif not result.terms:
            note("no rows: nothing in the graph is so; names are written as `rulings show` shows them")


def _listed() -> Iterator[str]:
    for query in library().values():
        yield f"@{query.name}  {query.question}"
        if query.parameters:
            yield "    " + " ".join(shlex.quote(f"{name}={default}") for name, default in query.parameters.items())


def _values(words: Sequence[str]) -> dict[str, str]:
    for word in words:
        if "=" not in word:
            raise UsageError(f"rulings sparql: {word!r} is no KEY=VALUE; see `rulings sparql --list`")
    values = dict(word.split("=", 1) for word in words)
    if len(values) < len(words):
        names = [word.split("=", 1)[0] for word in words]
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"rulings sparql: {twice} has two values; give one")
    return values


def _query(args: argparse.Namespace, made: Generation | None) -> str:
    if bool(args.query) == bool(args.file):
        raise UsageError("rulings sparql: give a query, or a file with -f")
    if args.query and args.query.startswith("@"):
        values = _values(args.values)
        return made.graph.named_text(args.query, values) if made else named(args.query).filled(values)
    if args.values:
        raise UsageError(
            f"rulings sparql: {args.values[0]!r} is too much; values go with a named query (@NAME KEY=VALUE)"
        )
    if args.query:
        return str(args.query)
    if args.file == "-":
        return sys.stdin.read()
    try:
        return Path(args.file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{args.file}: can't be read ({error}); name a file with a SPARQL query in UTF-8") from error
