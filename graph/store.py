"""The RDF store: written once from N-Quads, then opened read-only through pyoxigraph and rdflib."""

from collections.abc import Iterable, Iterator
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from rulings.graph.errors import StoreError
from rulings.graph.nquads import iri, quads, term, text
from rulings.graph.store_input import as_stream
from rulings.graph.vocabulary import ASSERTED, DERIVED, PREFIXES

if TYPE_CHECKING:
    import rdflib

_CHUNK = 96 << 20
"""Characters of N-Quads in a file at most."""


def write_store(folder: Path, lines: Iterable[str]) -> int:
    """Write N-Quads lines into a new store in ``folder``, with what the two graphs are, and give the number of quads.

    Raises:
        StoreError: the folder is there already, or the disk is full or not writable.
    """
    dump = folder.with_name(f"{folder.name}.nq")
    write_dump(dump, chain(lines, [graph_lines()]))
    try:
        return load_store(folder, [dump])
    finally:
        dump.unlink(missing_ok=True)


def write_dump(dump: Path, lines: Iterable[str]) -> None:
    """Write N-Quads lines to a file for `load_store`.

    Once it is written, what the lines were made from can be let go, or the store be loaded by another process.

    Raises:
        StoreError: the disk is full or not writable.
    """
    try:
        with dump.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(lines)
    except OSError as error:
        dump.unlink(missing_ok=True)
        raise StoreError(f"{dump}: the graph could not be written ({error}); is there room on the disk?") from error


def write_dumps(folder: Path, name: str, lines: Iterable[str]) -> Iterator[Path]:
    """Write N-Quads lines to files of a bounded size in ``folder``, and give each when it is whole.

    So the first can be loaded while the others are written.

    Raises:
        StoreError: the disk is full or not writable.
    """
    rest = iter(lines)
    for n in count():
        some = _up_to(_CHUNK, rest)
        first = next(some, None)
        if first is None:
            return
        dump = folder / f"{name}.{n}.nq"
        write_dump(dump, chain([first], some))
        yield dump


def _up_to(size: int, lines: Iterator[str]) -> Iterator[str]:
    """The next lines, until they have a size in characters."""
    taken = 0
    while taken < size and (line := next(lines, None)) is not None:
        taken += len(line)
        yield line


def load_store(folder: Path, dumps: Iterable[Path]) -> int:
    """Load files of `write_dump` into a new store in ``folder``, delete them and give the number of quads.

    It is one load, however many files there are: each would leave files of its own for the store to merge. A file is
    asked for when those before it are loaded, so ``dumps`` may wait for the next one to be written. At the end
    the store is put in order for reading, which makes queries that touch much of it some times faster.

    Raises:
        StoreError: the folder is there already, or the disk is full or not writable.
    """
    try:
        if folder.exists():
            raise StoreError(f"{folder}: a store is there already; write to a new folder")
        store = ox.Store(str(folder))
        # Lenient: the lines are our own, and checking every IRI again takes a third of the time.
        store.bulk_load(input=as_stream(dumps), format=ox.RdfFormat.N_QUADS, lenient=True)
        store.optimize()
        return len(store)
    except (OSError, SyntaxError) as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"{folder}: the graph could not be written ({error}); is there room on the disk?") from error


def graph_lines() -> str:
    """Lines that say what the two named graphs are, and that one was derived from the other."""
    about = {
        ASSERTED: [(term("rdfs:label"), text("What the sources say", "en"))],
        DERIVED: [
            (term("rdfs:label"), text("What the program worked out from the sources", "en")),
            (term("prov:wasDerivedFrom"), iri(ASSERTED)),
        ],
    }
    entity = (term("rdf:type"), term("prov:Entity"))
    return "".join(quads(iri(graph), iri(DERIVED), [entity, *pairs]) for graph, pairs in about.items())


def open_store(folder: Path) -> ox.Store:
    """Open a written store for reading only.

    Raises:
        StoreError: there is none, or it is damaged.
    """
    if not folder.is_dir():
        raise StoreError(f"{folder}: no graph there; run `rulings build`")
    try:
        return ox.Store.read_only(str(folder))
    except (OSError, RuntimeError) as error:
        raise StoreError(f"{folder}: the graph can't be opened ({error}); run `rulings build` again") from error


def as_dataset(store: ox.Store) -> "rdflib.Dataset":
    """The store as an rdflib Dataset whose default graph is the union of the named ones; the prefixes are bound."""
    import rdflib
    from oxrdflib import OxigraphStore

    dataset = rdflib.Dataset(store=OxigraphStore(store=store), default_union=True)
    for prefix, start in PREFIXES.items():
        dataset.bind(prefix, start)
    return dataset
