"""The RDF store: written once from N-Quads, then opened read-only through pyoxigraph and rdflib."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from rulings.graph.errors import StoreError
from rulings.graph.nquads import iri, quads, term, text
from rulings.graph.vocabulary import ASSERTED, DERIVED

if TYPE_CHECKING:
    import rdflib

_CHUNK = 1 << 22


def write_store(folder: Path, lines: Iterable[str], progress: Callable[[int], None] | None = None) -> int:
    """Write N-Quads lines into a new store in ``folder`` and give the number of quads.

    The lines go through a file beside the store, which the store's parallel loader reads faster than Python objects.

    Raises:
        StoreError: the folder is there already, or the disk is full or not writable.
    """
    if folder.exists():
        raise StoreError(f"{folder}: a store is there already; write to a new folder")
    dump = folder.with_suffix(".nq.part")
    try:
        with dump.open("w", encoding="utf-8", newline="\n") as file:
            for block in lines:
                file.write(block)
                if progress:
                    progress(block.count("\n"))
            file.write(_provenance())
        store = ox.Store(str(folder))
        # Lenient: the lines are our own, and checking every IRI again takes a third of the time.
        store.bulk_load(path=str(dump), format=ox.RdfFormat.N_QUADS, lenient=True)
        store.flush()
        return len(store)
    except (OSError, SyntaxError) as error:
        raise StoreError(f"{folder}: the graph could not be written ({error}); is there room on the disk?") from error
    finally:
        dump.unlink(missing_ok=True)


def _provenance() -> str:
    """Say what the two named graphs are, and that one was derived from the other."""
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
    except OSError as error:
        raise StoreError(f"{folder}: the graph can't be opened ({error}); run `rulings build` again") from error


def as_dataset(store: ox.Store) -> "rdflib.Dataset":
    """The store as an rdflib Dataset whose default graph is the union of the named ones."""
    import rdflib
    from oxrdflib import OxigraphStore

    return rdflib.Dataset(store=OxigraphStore(store=store), default_union=True)
