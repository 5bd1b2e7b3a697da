"""Writing the vectors of a new generation to an engine, opening them, and dropping them with the generation."""

from pathlib import Path

import msgspec
import numpy as np

from rulings.search.arrays import mapped
from rulings.search.engines.address import LOCAL, Address, address_of
from rulings.search.engines.engine import RECORD, Engine, Floats, Kept, read_record
from rulings.search.engines.exact import ExactEngine
from rulings.search.engines.moments import Moments
from rulings.search.engines.recent import Recent
from rulings.search.quick_scan import QuickScan, write_quick_scan

_DEFAULT = LOCAL[0]


def write_vectors(folder: Path, vectors: Floats, to: Address | None = None, name: str = "") -> None:
    """Write the statements' unit rows into the index folder, or to a server with a record of that in the folder.

    The record is written first, so that what a broken build leaves on a server can be told and dropped.

    Args:
        folder: The folder of the index.
        vectors: Unit rows (n x d).
        to: The engine; None: the default.
        name: The generation's name, which the table or collection is named after.

    Raises:
        EngineError: the server can't be reached, or doesn't take them.
        MissingExtraError: the engine's library isn't installed.
    """
    rows = np.ascontiguousarray(vectors, np.float32)
    if to is None or to.engine == _DEFAULT:
        np.save(folder / "statements.npy", rows)
        write_quick_scan(folder, rows)
        return
    kept = Kept(to.told, table_name(name), *rows.shape)
    (folder / RECORD).write_bytes(msgspec.json.encode(kept))
    Moments.of(rows).write(folder)
    match to.engine:
        case "postgresql":
            from rulings.search.engines.postgres import write_postgres

            write_postgres(to, kept.name, rows)
        case "qdrant":
            from rulings.search.engines.qdrant import write_qdrant

            write_qdrant(to, kept.name, rows)
        case kind:
            from rulings.search.engines.faiss_index import write_faiss

            np.save(folder / "statements.npy", rows)
            write_faiss(folder, rows, kind)


def open_engine(folder: Path) -> Engine:
    """Open the vectors of an index; a server is connected to when first asked.

    Raises:
        IndexFormatError, EngineError: they are not there, or damaged.
        MissingExtraError: the engine's library isn't installed.
    """
    kept = read_record(folder)
    if kept is None:
        return ExactEngine(mapped(folder / "statements.npy"), QuickScan.open(folder))
    address = address_of(kept.address)
    match address.engine:
        case "postgresql":
            from rulings.search.engines.postgres import PostgresEngine

            return Recent(PostgresEngine(address, kept))
        case "qdrant":
            from rulings.search.engines.qdrant import QdrantEngine

            return Recent(QdrantEngine(address, kept))
        case _:
            from rulings.search.engines.faiss_index import FaissEngine

            return FaissEngine.open(folder, mapped(folder / "statements.npy"))


def drop_vectors(folder: Path, given: Address | None = None) -> None:
    """Drop what the index in ``folder`` has on a server; nothing where it has nothing there.

    ``given`` is the address with credentials, where it is known.

    Raises:
        EngineError: the server can't be reached.
        IndexFormatError: the record can't be read.
        MissingExtraError: the engine's library isn't installed.
    """
    kept = read_record(folder)
    if kept is None or kept.address in LOCAL:
        return
    address = given if given and given.told == kept.address else address_of(kept.address)
    if address.engine == "postgresql":
        from rulings.search.engines.postgres import drop_postgres

        drop_postgres(address, kept.name)
    else:
        from rulings.search.engines.qdrant import drop_qdrant

        drop_qdrant(address, kept.name)


def table_name(generation: str) -> str:
    """The name of a generation's table or collection: letters, digits and ``_`` only."""
    return "rulings_" + "".join(sign if sign.isalnum() else "_" for sign in generation).lower()
