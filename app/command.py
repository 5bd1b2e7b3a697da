"""The ``rulings`` command: reads the words, runs the command, turns errors into one line and an exit status."""

import argparse
import io
import logging
import os
import platform
import sys
from collections.abc import Callable, Sequence
from importlib import import_module, metadata
from pathlib import Path
from typing import NoReturn

from rulings.app.errors import UsageError
from rulings.app.output import note
from rulings.app.verbose import verbose
from rulings.ingest import IngestError, RulingsError

_LOG = logging.getLogger(__name__)
DONE, FAILED, BAD_INPUT = 0, 1, 2


class _Parser(argparse.ArgumentParser):
    """Says what is wrong on one line."""

    def error(self, message: str) -> NoReturn:
        where = self.prog.removeprefix("rulings").strip()
        raise UsageError(f"{where}{': ' if where else ''}{message}; see `{self.prog} --help`")


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = _Parser(
        prog="rulings",
        description="Official Magic rulings as a knowledge graph: ask in plain words, and see which ruling settles it.",
    )
    top.add_argument("--version", action="version", version=f"rulings {metadata.version('rulings-graph')}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=_Parser)

    def command(name: str, words: str, run: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=words, description=words[0].upper() + words[1:] + ".")
        sub.add_argument(
            "--home", type=Path, metavar="DIR", help="data home (else $RULINGS_HOME, else the user data folder)"
        )
        sub.add_argument(
            "-v", "--verbose", action="store_true", help="tell on stderr what is done, and how long it takes"
        )
        sub.set_defaults(run=run)
        return sub

    build = command("build", "read sources, build a generation and switch to it", "build")
    build.add_argument(
        "sources",
        nargs="*",
        type=_source,
        metavar="SOURCE",
        help="files or folders; none: what was fetched, else the sample",
    )
    build.add_argument("--card", metavar="NAME", help="the card that saved pages are about, where they don't tell")
    build.add_argument(
        "--model", metavar="NAME", help="a hub or local sentence-transformers model instead of the default"
    )
    build.add_argument(
        "--anew", action="store_true", help="take nothing over from the generation in use; the outcome is the same"
    )
    build.add_argument(
        "--vectors", metavar="ENGINE", help="keep vectors in: numpy (default), faiss-ivf, faiss-sq8, or a server's URL"
    )
    where = build.add_mutually_exclusive_group()
    where.add_argument(
        "--processes", type=_number(1, 256), metavar="N", help="link and encode in N processes of this machine"
    )
    where.add_argument("--cluster", metavar="ADDRESS", help="link and encode on a Dask cluster, tcp://HOST:PORT")
    build.add_argument("--base", metavar="IRI", help="start of the data IRIs (default https://w3id.org/rulings/id/)")

    ask = command("ask", "answer a question with the rulings that settle it", "ask")
    ask.add_argument("question", nargs="*", metavar="QUESTION", help="the question in plain words")
    ask.add_argument(
        "-k", type=_number(1, 100), metavar="N", help="how many rulings to show (default 5, in a batch 10; at most 100)"
    )
    ask.add_argument("--why", action="store_true", help="show the path from the question to each ruling")
    ask.add_argument("--json", action="store_true", help="the answer as JSON, on one line")
    ask.add_argument(
        "--batch", type=Path, metavar="QUESTIONS.jsonl", help='answer {"id", "question"} lines (-: standard input)'
    )

    show = command("show", "show a card, concept, rule, ruling or IRI with its neighbours", "show")
    show.add_argument("name", nargs="+", metavar="NAME", help="a name in any language, a rule number, a key or an IRI")
    show.add_argument("--json", action="store_true", help="as JSON")
    show.add_argument(
        "-k", type=_number(1, 1000), default=10, metavar="N", help="how many neighbours of a kind (default 10)"
    )

    draw = command("draw", "draw what stands around a node, or an answer's path, as SVG or HTML", "draw")
    draw.add_argument("name", nargs="+", metavar="NAME", help="as for show; with --answer, a question")
    draw.add_argument("--answer", action="store_true", help="NAME is a question: draw how it was answered")
    draw.add_argument(
        "--hops", type=_number(1, 1000), default=1, metavar="N", help="how many steps to go (default 1, at most 4)"
    )
    draw.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="FILE.svg or FILE.html")

    _add_sparql(command)

    export = command(
        "export",
        "write the graph (.ttl .nt .nq .trig .jsonld .graphml .parquet) or statements.jsonl to a file",
        "export",
    )
    export.add_argument("file", type=Path, metavar="FILE", help="its suffix tells the format")

    evaluate = command("evaluate", "measure the answers to a question set with known rulings", "evaluate")
    evaluate.add_argument("questions", type=Path, metavar="QUESTIONS.jsonl")
    evaluate.add_argument("--json", action="store_true", help="as JSON")

    _add_state(command)
    _add_news(command)
    _add_serve(command)

    train = command(
        "train", "train the encoder, the ranker and the confidence on questions with known rulings", "train"
    )
    train.add_argument(
        "questions", type=Path, metavar="QUESTIONS.jsonl", help='{"id", "kind", "lang", "question", "key"}'
    )
    train.add_argument(
        "--only", choices=("encoder", "ranker"), help="the one part; the confidence goes with the ranker"
    )
    train.add_argument(
        "-o", "--output", type=Path, default=Path("trained"), metavar="FOLDER", help="where to (default ./trained)"
    )
    return top


def _add_sparql(command: Callable[[str, str, str], argparse.ArgumentParser]) -> None:
    sparql = command("sparql", "query the graph; prefixes are declared for you", "sparql")
    sparql.add_argument("query", nargs="?", metavar="QUERY", help="a SPARQL query, or @NAME of a named one")
    sparql.add_argument("values", nargs="*", metavar="KEY=VALUE", help="values for a named query's parameters")
    sparql.add_argument("--list", action="store_true", help="list the named queries, their questions and parameters")
    sparql.add_argument("-f", "--file", metavar="FILE", help="read the query from a file (- for standard input)")
    sparql.add_argument(
        "--format",
        choices=FORMATS,
        help="table (default on rows), json, xml, csv, tsv; ttl (default on graphs), nt, jsonld",
    )
    sparql.add_argument(
        "--graph", action="append", metavar="URL", help="ask this SPARQL server; again: one more that holds a part"
    )
    sparql.add_argument(
        "--seconds",
        type=_number(1, 86_400),
        default=60,
        metavar="N",
        help="with --graph, how long to wait (default 60)",
    )
    sparql.add_argument("--service", action="store_true", help="let the query call other servers by SERVICE")

    upload = command("upload", "load the graph into a SPARQL server, or replace it there", "upload")
    upload.add_argument("--graph-store", metavar="URL", help="its address for the Graph Store Protocol")
    upload.add_argument("--update", metavar="URL", help="its address for SPARQL updates, where it has no graph store")
    upload.add_argument("--only", choices=("asserted", "derived"), help="this one of the two named graphs")


def _add_state(command: Callable[[str, str, str], argparse.ArgumentParser]) -> None:
    check = command("check", "check the graph against its shapes, and the generation's files for damage", "check")
    check.add_argument("--json", action="store_true", help="as JSON")

    info = command("info", "counts, sources, model and versions of the generation in use", "info")
    info.add_argument("--json", action="store_true", help="as JSON")
    info.add_argument("--problems", action="store_true", help="list the records that were passed over")


def _add_news(command: Callable[[str, str, str], argparse.ArgumentParser]) -> None:
    fetch = command("fetch", "download the newest cards, rulings and rules, where they changed", "fetch")
    update = command("update", "fetch, then build where something changed", "update")
    for each in (fetch, update):
        each.add_argument("--from", dest="source", metavar="URL", help="another server that answers like Scryfall's")
        each.add_argument(
            "--languages", metavar="de,fr", help="printed names and texts in these languages too: all cards, over 2 GB"
        )
        each.add_argument("--rules", type=Path, metavar="FILE", help="take this text of the Comprehensive Rules")
        each.add_argument("--backoff", type=float, default=1.0, help=argparse.SUPPRESS)
    update.add_argument("--model", metavar="NAME", help="as for build")
    update.set_defaults(sources=[], card=None, base=None, anew=False, processes=None, cluster=None, vectors=None)

    use = command("use", "go back to another generation, or list them", "use")
    use.add_argument("generation", nargs="?", metavar="GENERATION", help="its name; none: list them")

    gc = command("gc", "take away old generations and what a broken build left", "gc")
    gc.add_argument("--keep", type=_number(0, 1000), default=3, metavar="N", help="past ones to keep (default 3)")

    diff = command("diff", "tell what changed between two generations, files or days", "diff")
    for side in ("old", "new"):
        diff.add_argument(side, metavar=side.upper(), help="a generation, current, a file or folder, or YYYY-MM-DD")
    diff.add_argument("--json", action="store_true", help="everything, as JSON")
    diff.add_argument("-k", type=_number(1, 100_000), default=20, metavar="N", help="changes of a kind (default 20)")
    diff.add_argument("-o", "--output", type=Path, metavar="FILE.html", help="everything, as a page")

    history = command("history", "tell a card's, rule's or concept's life over the generations and editions", "history")
    history.add_argument("name", nargs="+", metavar="NAME", help="as for show; in an old edition or generation too")
    history.add_argument("--json", action="store_true", help="as JSON")


def _add_serve(command: Callable[[str, str, str], argparse.ArgumentParser]) -> None:
    serve = command("serve", "answer over HTTP: JSON at /api, SPARQL at /sparql", "serve")
    serve.add_argument(
        "--host", default="127.0.0.1", help="address to listen at (default 127.0.0.1: this machine only)"
    )
    serve.add_argument(
        "--port", type=_number(0, 65535), default=8000, metavar="N", help="port (default 8000; 0: any free one)"
    )
    serve.add_argument(
        "--query-seconds",
        type=_number(1, 3600),
        default=30,
        metavar="N",
        help="end a SPARQL query after this time (default 30)",
    )
    serve.add_argument(
        "--query-size", type=_number(1, 4096), default=100, metavar="MB", help="longest answer of one (default 100)"
    )
    serve.add_argument(
        "--query-memory", type=_number(64, 65536), default=2048, metavar="MB", help="memory for one (default 2048)"
    )
    serve.add_argument(
        "--query-workers", type=_number(1, 256), metavar="N", help="how many run at once (default: 2 + 2 a core)"
    )
    serve.add_argument("--allow-service", action="store_true", help="let queries call other servers by SERVICE")
    serve.add_argument(
        "--rate",
        type=_number(0, 100_000),
        default=100,
        metavar="N",
        help="requests a second and client (default 100; 0: any)",
    )
    serve.add_argument(
        "--cors", default="*", metavar="ORIGIN", help="whose pages may read answers in a browser (default *; none)"
    )
    serve.add_argument(
        "--log",
        choices=("text", "json"),
        default="text",
        help="text: warnings, with -v requests; json: both, as JSON lines",
    )
    serve.add_argument("--log-queries", action="store_true", help="what is asked stands in the log too")
    command("mcp", "answer an assistant over standard input and output (Model Context Protocol)", "mcp")


FORMATS = ("table", "json", "xml", "csv", "tsv", "ttl", "nt", "jsonld")


def _source(written: str) -> Path:
    if not written:
        raise argparse.ArgumentTypeError("an empty name is no source; name a file or a folder")
    return Path(written)


def _number(least: int, most: int) -> Callable[[str], int]:
    def read(written: str) -> int:
        if not (written.isascii() and written.isdecimal() and len(written) < 10 and least <= int(written) <= most):
            raise argparse.ArgumentTypeError(f"{written!r} is not a number from {least} to {most}")
        return int(written)

    return read


def _runner(name: str) -> Callable[[argparse.Namespace], None]:
    """Import a command's module only when it runs: `ask` must not wait for what `build` needs."""
    module = {"build": "build_command", "sparql": "query"}.get(name, name)
    run: Callable[[argparse.Namespace], None] = import_module(f"rulings.app.{module}").run
    return run


def main(words: Sequence[str] | None = None) -> int:
    """Run the command and give its exit status: 0 done, 2 bad usage or input, 1 any other failure."""
    if sys.stdout is None:
        note("rulings: the output is closed; run it with one")
        return FAILED
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Names hold signs that a terminal's encoding may lack; a replaced sign is better than no answer.
        sys.stdout.reconfigure(errors="replace")
    try:
        args = parser().parse_args(words)
        with verbose(on=args.verbose and args.run != "serve"):  # a server has a log of its own
            _LOG.info("rulings %s, Python %s", metadata.version("rulings-graph"), platform.python_version())
            _runner(args.run)(args)
            sys.stdout.flush()
            _LOG.info("%s is done", args.run)
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): no error, and nothing more to flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (Exception, KeyboardInterrupt) as error:
        if os.environ.get("RULINGS_DEBUG"):
            raise
        note(f"rulings: {_explained(error)}")
        bad = isinstance(error, RulingsError) and isinstance(error, (IngestError, ValueError, LookupError))
        return BAD_INPUT if bad else FAILED
    return DONE


def _explained(error: BaseException) -> str:
    """What went wrong, in one line."""
    match error:
        case RulingsError():
            return str(error)
        case KeyboardInterrupt():
            return "stopped"
        case MemoryError():
            return "out of memory; build from fewer sources, or on a machine with more"
        case OSError():
            return f"{error.filename or 'output'}: {error.strerror or error}; check permissions and room on the disk"
        case _:
            return f"{type(error).__name__}: {error} (a fault in the program; -v shows where)"


if __name__ == "__main__":
    sys.exit(main())
