"""``rulings export``: the graph, or the statements with all that was worked out, as files."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pyoxigraph as ox

from rulings.app.errors import UsageError
from rulings.app.home import generation_of
from rulings.app.output import note
from rulings.graph.graphml import graphml_lines
from rulings.graph.statement_lines import statement_lines
from rulings.graph.tables import pyarrow, write_tables
from rulings.graph.vocabulary import PREFIXES
from rulings.search.generation import Generation

GRAPH_SUFFIXES = {
    ".nq": ox.RdfFormat.N_QUADS,
    ".trig": ox.RdfFormat.TRIG,
    ".jsonld": ox.RdfFormat.JSON_LD,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".ttl": ox.RdfFormat.TURTLE,
}
Write = Callable[[Generation, Sequence[Path]], None]


def run(args: argparse.Namespace) -> None:
    """Write each file beside its place, then move it there, so that no half file is left."""
    targets, write = _writer(args.file)
    made = generation_of(args)
    parts = [target.with_name(f".{target.name}.part") for target in targets]
    try:
        write(made, parts)
        for part, target in zip(parts, targets, strict=True):
            part.replace(target)
    except OSError as error:
        raise UsageError(f"{args.file}: can't be written ({error.strerror or error}); choose another place") from error
    finally:
        for part in parts:
            part.unlink(missing_ok=True)
    for target in targets:
        note(f"wrote {target} ({target.stat().st_size:,} bytes)")


def _writer(file: Path) -> tuple[list[Path], Write]:
    """The files that a target stands for, and what writes them."""
    suffix = file.suffix.lower()
    if suffix == ".jsonl":
        return [file], _statements
    if suffix == ".graphml":
        return [file], _graphml
    if suffix == ".parquet":
        pyarrow()
        return [file.with_suffix(f".{table}.parquet") for table in ("nodes", "edges")], _tables
    form = GRAPH_SUFFIXES.get(suffix)
    if form is None:
        known = ", ".join([*GRAPH_SUFFIXES, ".graphml", ".parquet", "statements.jsonl"])
        raise UsageError(f"{file}: unknown suffix {file.suffix!r}; take one of {known}")

    def graph(made: Generation, parts: Sequence[Path]) -> None:
        quads = _triples(made.graph.store) if not form.supports_datasets else made.graph.store
        ox.serialize(quads, output=str(parts[0]), format=form, prefixes=PREFIXES)

    return [file], graph


def _triples(store: ox.Store) -> Iterator[ox.Triple]:
    """The union of the named graphs, each triple once, graph by graph."""
    earlier: dict[ox.NamedNode | ox.BlankNode, set[ox.NamedNode]] = {}
    for graph in sorted(store.named_graphs(), key=str):
        predicates = earlier[graph] = set()
        for quad in store.quads_for_pattern(None, None, None, graph):
            predicates.add(quad.predicate)
            # Only what an earlier graph may hold too is looked up there.
            before = (other for other, known in earlier.items() if other != graph and quad.predicate in known)
            if not any(ox.Quad(quad.subject, quad.predicate, quad.object, other) in store for other in before):
                yield quad.triple


def _statements(made: Generation, parts: Sequence[Path]) -> None:
    with parts[0].open("wb") as file:
        file.writelines(statement_lines(made.archive.corpus(), made.analyses.derived()))


def _graphml(made: Generation, parts: Sequence[Path]) -> None:
    with parts[0].open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(graphml_lines(made.graph.networkx()))


def _tables(made: Generation, parts: Sequence[Path]) -> None:
    write_tables(made.graph.networkx(), *parts)
