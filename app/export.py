"""``rulings export``: the graph, or the statements with all that was worked out, as a file."""

import argparse
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox

from rulings.app.errors import UsageError
from rulings.app.home import generation_of
from rulings.app.output import note
from rulings.graph.statement_lines import statement_lines
from rulings.graph.vocabulary import PREFIXES
from rulings.search.generation import Generation

GRAPH_SUFFIXES = {
    ".nq": ox.RdfFormat.N_QUADS,
    ".trig": ox.RdfFormat.TRIG,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".ttl": ox.RdfFormat.TURTLE,
}


def run(args: argparse.Namespace) -> None:
    """Write the file beside its place, then move it there, so that no half file is left."""
    target: Path = args.file
    write = _writer(target)
    made = generation_of(args)
    part = target.with_name(f".{target.name}.part")
    try:
        write(made, part)
        part.replace(target)
    except OSError as error:
        raise UsageError(f"{target}: can't be written ({error.strerror}); choose another place") from error
    finally:
        part.unlink(missing_ok=True)
    note(f"wrote {target} ({target.stat().st_size:,} bytes)")


def _writer(target: Path) -> Callable[[Generation, Path], None]:
    if target.name.endswith(".jsonl"):
        return _statements
    form = GRAPH_SUFFIXES.get(target.suffix)
    if form is None:
        known = ", ".join([*GRAPH_SUFFIXES, "statements.jsonl"])
        raise UsageError(f"{target}: unknown suffix {target.suffix!r}; take one of {known}")

    def graph(made: Generation, part: Path) -> None:
        store = made.graph.store
        if form.supports_datasets:
            store.dump(output=str(part), format=form, prefixes=PREFIXES)
            return
        triples = dict.fromkeys(quad.triple for quad in store.quads_for_pattern(None, None, None))
        ox.serialize(triples, output=str(part), format=form, prefixes=PREFIXES)

    return graph


def _statements(made: Generation, part: Path) -> None:
    with part.open("wb") as file:
        file.writelines(statement_lines(made.archive.corpus(), made.analyses.derived()))
