"""Vectors in PostgreSQL with the extension pgvector, one table a generation, found through an HNSW index.

https://github.com/pgvector/pgvector. Works with pgvector 0.5 or newer; the index takes 2,000 dimensions at most.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from rulings.search.engines.address import VARIABLE, Address
from rulings.search.engines.cut import cut_after
from rulings.search.engines.engine import Floats, Kept, Rows
from rulings.search.engines.extras import psycopg
from rulings.search.errors import EngineError

SECONDS = 10.0
"""For a query, and for connecting."""
BUILD_SECONDS = 3600.0
"""For writing a table and its index."""
MOST = 1000
"""The most that HNSW finds at once (hnsw.ef_search)."""
_IDLE = 16
"""Connections kept open."""


def reach_postgres(address: Address) -> None:
    """Connect, and have the extension there.

    Raises:
        EngineError: as `write_postgres`.
    """
    with _told(address), _connection(address, SECONDS, extension=True):
        pass


def write_postgres(address: Address, name: str, vectors: Floats, seconds: float = BUILD_SECONDS) -> None:
    """Write unit rows to a new table and index it.

    Raises:
        EngineError: the server can't be reached, doesn't let us, lacks the extension, or ``seconds`` went by.
    """
    sql = psycopg().sql
    table = sql.Identifier(name)
    with _told(address), _connection(address, seconds, extension=True) as connection:
        with connection.transaction():
            connection.execute(
                sql.SQL("CREATE TABLE {} (n integer PRIMARY KEY, vector vector({}) NOT NULL)").format(
                    table, sql.Literal(vectors.shape[1])
                )
            )
            copy = sql.SQL("COPY {} (n, vector) FROM STDIN WITH (FORMAT BINARY)").format(table)
            with connection.cursor().copy(copy) as rows:
                rows.set_types(["int4", "vector"])
                for n, vector in enumerate(np.asarray(vectors, np.float32)):
                    rows.write_row((n, vector))
        # a graph of neighbours is built several times faster where it fits into memory
        connection.execute("SET maintenance_work_mem = '512MB'")
        connection.execute(sql.SQL("CREATE INDEX ON {} USING hnsw (vector vector_ip_ops)").format(table))
        connection.execute(sql.SQL("ANALYZE {}").format(table))


def drop_postgres(address: Address, name: str) -> None:
    """Drop a table; one that is gone already is fine.

    Raises:
        EngineError: as `write_postgres`.
    """
    sql = psycopg().sql
    with _told(address), _connection(address, SECONDS) as connection:
        connection.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(sql.Identifier(name)))


class PostgresEngine:
    """The vectors of one table; connects when first asked, and keeps connections for the next."""

    def __init__(self, address: Address, kept: Kept, seconds: float = SECONDS) -> None:
        self._address, self._kept, self._seconds = address, kept, seconds
        self._idle: deque[Any] = deque(maxlen=_IDLE)
        sql = psycopg().sql
        table = sql.Identifier(kept.name)
        self._nearest = sql.SQL("SELECT n, vector <#> %s AS d FROM {} ORDER BY d LIMIT %s").format(table)
        self._of = sql.SQL("SELECT n, vector FROM {} WHERE n = ANY(%s)").format(table)
        self._shape = sql.SQL("SELECT vector_dims(vector), (SELECT max(n) + 1 FROM {0}) FROM {0} LIMIT 1").format(table)

    def nearest(self, questions: Floats, k: int) -> tuple[Rows, Floats]:
        """As `Engine.nearest`; ``k`` is `MOST` at most."""
        k = min(k, MOST, self._kept.rows)
        rows, cosines = np.full((len(questions), k), -1, np.intp), np.full((len(questions), k), -1, np.float32)
        for n, question in enumerate(np.asarray(questions, np.float32) if k else ()):
            found = self._ask(self._nearest, (question, k))
            found.sort(key=lambda row: (row[1], row[0]))
            rows[n, : len(found)] = [row for row, _ in found]
            cosines[n, : len(found)] = [-distance for _, distance in found]
        return rows, cosines

    def of(self, rows: Rows) -> Floats:
        """As `Engine.of`."""
        wanted = np.asarray(rows)
        found = dict(self._ask(self._of, ([int(row) for row in np.unique(wanted)],)))
        vectors = np.empty((len(wanted), self._kept.dimensions), np.float32)
        for n, row in enumerate(wanted.tolist()):
            if row not in found:
                raise EngineError(f"{self._place}: statement {row} is gone; run `rulings build` again")
            vectors[n] = _array(found[row])
        return vectors

    def close(self) -> None:
        """Close the connections kept."""
        while self._idle:
            self._idle.pop().close()

    @property
    def _place(self) -> str:
        return f"{self._address.told}, table {self._kept.name}"

    def _ask(self, query: Any, values: tuple[Any, ...]) -> list[Any]:  # noqa: ANN401
        with _told(self._address, self._kept.name):
            while True:
                try:
                    connection, fresh = self._idle.pop(), False
                except IndexError:
                    connection, fresh = self._connect(), True
                try:
                    with cut_after(self._seconds, connection):
                        answer: list[Any] = connection.execute(query, values, binary=True, prepare=True).fetchall()
                except psycopg().OperationalError:
                    connection.close()
                    if fresh:
                        raise
                    continue  # the server was started anew since
                except BaseException:
                    connection.close()
                    raise
                if len(self._idle) < _IDLE:
                    self._idle.append(connection)
                else:
                    connection.close()
                return answer

    def _connect(self) -> Any:  # noqa: ANN401
        connection = _connect(self._address, self._seconds)
        try:
            with cut_after(self._seconds, connection):
                connection.execute(f"SET hnsw.ef_search = {MOST}")
                shape = connection.execute(self._shape).fetchone()
        except BaseException:
            connection.close()
            raise
        wanted = (self._kept.dimensions, self._kept.rows)
        if shape != wanted and (shape or self._kept.rows):
            connection.close()
            there = f"{shape[1]:,} vectors of {shape[0]} dimensions" if shape else "no vectors"
            raise EngineError(
                f"{self._place}: {there}, where the generation has {wanted[1]:,} of {wanted[0]}; "
                "run `rulings build` again"
            )
        return connection


def _array(vector: Any) -> Floats:  # noqa: ANN401
    """What the client gives for a vector, an array or an object around one, as an array."""
    return np.asarray(vector.to_numpy() if hasattr(vector, "to_numpy") else vector, np.float32)


@contextmanager
def _connection(address: Address, seconds: float, *, extension: bool = False) -> Iterator[Any]:
    connection = _connect(address, seconds, extension=extension)
    timer_free = cut_after(seconds, connection)
    try:
        with timer_free:
            yield connection
    finally:
        connection.close()


def _connect(address: Address, seconds: float, *, extension: bool = False) -> Any:  # noqa: ANN401
    library = psycopg()
    from pgvector.psycopg import register_vector

    connection = library.connect(
        address.full, autocommit=True, connect_timeout=max(2, round(min(seconds, SECONDS))), application_name="rulings"
    )
    try:
        with cut_after(seconds, connection):
            connection.execute(f"SET statement_timeout = {round(seconds * 1000)}")
            if extension:
                connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
            register_vector(connection)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def _told(address: Address, table: str = "") -> Iterator[None]:
    """Turn the client's errors into ours, in one line that names the place and the remedy."""
    library = psycopg()
    errors = library.errors
    try:
        yield
    except library.Error as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        place = f"{address.told}, table {table}" if table else address.told
        match error:
            case errors.UndefinedTable():
                text = "the table is gone; run `rulings build` again, or `rulings use` another generation"
            case errors.UndefinedFile() | errors.FeatureNotSupported() | errors.UndefinedObject():
                text = f"the extension pgvector is missing ({reason}); install it in the server"
            case errors.InsufficientPrivilege():
                text = f"the user may not do that ({reason}); have it granted, or let the owner of the database do it"
            case errors.QueryCanceled():
                text = "no answer in time; ask again, or look at the server's load"
            case errors.DiskFull():
                text = f"the server's disk is full ({reason})"
            case library.OperationalError():
                text = (
                    f"no connection ({reason}); start the server, and give user and password by PGUSER and PGPASSWORD, "
                    f"a .pgpass file or the whole address by {VARIABLE}"
                )
            case library.ProgrammingError() if "vector type not found" in reason:
                text = "the extension pgvector is missing; have an administrator run CREATE EXTENSION vector"
            case _:
                text = reason
        raise EngineError(f"{place}: {text}") from None
