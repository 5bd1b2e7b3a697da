"""Moving the vectors of a new generation to an engine, opening them, and dropping them with the generation."""

from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from rulings.search.arrays import mapped
from rulings.search.engines.address import LOCAL, Address, address_of
from rulings.search.engines.engine import RECORD, Engine, Floats, Kept, read_record
from rulings.search.engines.exact import ExactEngine
from rulings.search.engines.extras import faiss
from rulings.search.engines.faiss_index import FaissEngine, write_faiss
from rulings.search.engines.moments import Moments
from rulings.search.engines.near_scan import NearScan
from rulings.search.engines.recent import Recent
from rulings.search.quick_scan import QuickScan, write_quick_scan

_VECTORS = "statements.npy"


def reach(to: Address) -> None:
    """Look whether vectors can be kept there, before much work is done for them.

    Raises:
        EngineError: the server can't be reached, or doesn't let us.
        MissingExtraError: the engine's library isn't installed.
    """
    match to.engine:
        case "postgresql":
            from rulings.search.engines.postgres import reach_postgres

            reach_postgres(to)
        case "qdrant":
            from rulings.search.engines.qdrant import reach_qdrant

            reach_qdrant(to)
        case kind if kind != LOCAL[0]:
            faiss()


def move_vectors(index: Path, to: Address, name: str) -> None:
    """Move the statements' vectors of a new index to another engine than the default.

    A record of where they are is written first, so that what a broken build leaves on a server can be dropped.

    Args:
        index: The folder of the index, as `rulings.search.index.write_index` wrote it.
        to: The engine; for the default nothing is done.
        name: The generation's name, which the table or collection is named after.

    Raises:
        EngineError: the server can't be reached, or doesn't take them.
        MissingExtraError: the engine's library isn't installed.
    """
    if to.engine == LOCAL[0]:
        return
    rows = np.load(index / _VECTORS)
    kept = Kept(to.told, table_name(name), *rows.shape)
    (index / RECORD).write_bytes(msgspec.json.encode(kept))
    Moments.of(rows).write(index)
    match to.engine:
        case "postgresql":
            from rulings.search.engines.postgres import write_postgres

            write_postgres(to, kept.name, rows)
        case "qdrant":
            from rulings.search.engines.qdrant import write_qdrant

            write_qdrant(to, kept.name, rows)
        case kind:
            write_faiss(index, rows, kind)
    for file in ("quick.onnx", "quick.npy"):
        (index / file).unlink()
    write_quick_scan(index, np.load(index / "rules.npy"))
    if to.engine not in LOCAL:
        (index / _VECTORS).unlink()


@dataclass(frozen=True, slots=True)
class Opened:
    """The vectors of an index.

    ``scan`` gives the cosines of all; ``moments`` are there where it knows those of the nearest only. ``here`` are the
    vectors themselves, mapped, where they are not on a server.
    """

    engine: Engine
    scan: QuickScan | NearScan
    moments: Moments | None = None
    here: Floats | None = None


def open_vectors(index: Path) -> Opened:
    """Open the vectors of an index; a server is connected to when first asked.

    Raises:
        IndexFormatError, EngineError: they are not there, or damaged.
        MissingExtraError: the engine's library isn't installed.
    """
    kept = read_record(index)
    scan = QuickScan.open(index)
    if kept is None:
        vectors = mapped(index / _VECTORS)
        return Opened(ExactEngine(vectors, scan), scan, here=vectors)
    here = mapped(index / _VECTORS) if kept.address in LOCAL else None
    moments = Moments.read(index)
    engine = FaissEngine.open(index, here) if here is not None else _served(kept)
    return Opened(engine, NearScan(engine, scan, moments, kept.rows), moments, here)


def _served(kept: Kept) -> Engine:
    address = address_of(kept.address)
    if address.engine == "postgresql":
        from rulings.search.engines.postgres import PostgresEngine

        return Recent(PostgresEngine(address, kept))
    from rulings.search.engines.qdrant import QdrantEngine

    return Recent(QdrantEngine(address, kept))


def drop_vectors(index: Path, given: Address | None = None) -> None:
    """Drop what an index has on a server; nothing where it has nothing there.

    ``given`` is the address with credentials, where it is known.

    Raises:
        EngineError: the server can't be reached.
        IndexFormatError: the record can't be read.
        MissingExtraError: the engine's library isn't installed.
    """
    kept = read_record(index)
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
