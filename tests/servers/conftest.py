"""Servers that a test run starts on loopback, on free ports, and stops: PostgreSQL with pgvector, Oxigraph, Virtuoso.

Where one can't be had the tests are skipped with the reason, unless ``RULINGS_SERVERS=required`` (as in CI).
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest


def missing(what: str) -> None:
    """Skip a test for want of a server; fail it where servers are required."""
    if os.environ.get("RULINGS_SERVERS") == "required":
        pytest.fail(f"{what}, and RULINGS_SERVERS=required")
    pytest.skip(what)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def wait_for(ready: Callable[[], bool], process: subprocess.Popen, what: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not ready():
        if process.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"{what} did not start ({process.poll()})")
        time.sleep(0.05)


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


@contextmanager
def stopped_at_the_end(process: subprocess.Popen, how: signal.Signals = signal.SIGTERM) -> Iterator[None]:
    try:
        yield
    finally:
        process.send_signal(how)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@dataclass
class Postgres:
    """A running server: its port, its process, the account of the one user who needs a password."""

    port: int
    process: subprocess.Popen
    user: str = "keeper"
    password: str = "not-to-be-told"

    def url(self, database: str = "rulings", *, secret: bool = True) -> str:
        account = f"{self.user}:{self.password}@" if secret else ""
        return f"postgresql://{account}127.0.0.1:{self.port}/{database}"

    def run(self, statement: str, database: str = "rulings") -> list:
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """PostgreSQL with pgvector from the wheel `pgserver`, which refuses to run as root and so runs as nobody there."""
    found = find_spec("pgserver")
    if found is None or found.origin is None:
        missing("the package pgserver, which has PostgreSQL with pgvector, isn't installed (Python 3.9 to 3.12)")
        return
    root = os.geteuid() == 0
    account = {"user": "nobody", "group": "nogroup", "extra_groups": []} if root else {}
    base = Path(tempfile.mkdtemp(prefix="rulings-postgres-"))
    try:
        packages = Path(found.origin).parents[1]
        binaries = packages / "pgserver/pginstall/bin"
        if root:  # the virtual environment may be open to root alone
            for name in ("pgserver", "pgserver.libs"):
                if (packages / name).is_dir():
                    shutil.copytree(packages / name, base / name)
            binaries = base / "pgserver/pginstall/bin"
            shutil.chown(base, "nobody")
        base.chmod(0o755)
        data, secret, port = base / "data", base / "secret", free_port()
        secret.write_text(Postgres.password)
        secret.chmod(0o644)
        init = [binaries / "initdb", "-D", data, "-U", Postgres.user, "-A", "scram-sha-256", f"--pwfile={secret}"]
        subprocess.run(
            [*init, "--no-sync", "--no-locale", "-E", "UTF8"], check=True, capture_output=True, cwd=base, **account
        )
        settings = {"listen_addresses": "127.0.0.1", "unix_socket_directories": "", "fsync": "off"}
        words = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        process = subprocess.Popen(
            [binaries / "postgres", "-D", data, "-p", str(port), *words],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=base, **account,
        )  # fmt: skip
        server = Postgres(port, process)
        with stopped_at_the_end(process, signal.SIGINT):
            wait_for(lambda: _answers(server), process, "PostgreSQL")
            server.run("CREATE DATABASE rulings", "postgres")
            yield server
    finally:
        shutil.rmtree(base, ignore_errors=True)


def _answers(server: Postgres) -> bool:
    import psycopg

    try:
        return bool(server.run("SELECT 1", "postgres"))
    except psycopg.OperationalError:
        return False


@dataclass
class SparqlServer:
    """Addresses of a running SPARQL server."""

    query: str
    update: str
    graph_store: str


@contextmanager
def oxigraph_server(*options: str) -> Iterator[SparqlServer]:
    binary = Path(sys.executable).with_name("oxigraph")
    if not binary.is_file():
        missing("the package oxigraph, which has its server, isn't installed")
    port = free_port()
    process = subprocess.Popen(
        [binary, "serve", "--bind", f"127.0.0.1:{port}", *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    with stopped_at_the_end(process):
        wait_for(lambda: listens(port), process, "Oxigraph")
        base = f"http://127.0.0.1:{port}"
        yield SparqlServer(f"{base}/query", f"{base}/update", f"{base}/store")


@pytest.fixture(scope="session")
def oxigraph() -> Iterator[Callable[[], SparqlServer]]:
    """Starts an empty Oxigraph server in memory."""
    with ExitStack() as running:
        yield lambda: running.enter_context(oxigraph_server())


_VIRTUOSO = """
[Database]
DatabaseFile = {base}/virtuoso.db
ErrorLogFile = {base}/virtuoso.log
LockFile = {base}/virtuoso.lck
TransactionFile = {base}/virtuoso.trx
xa_persistent_file = {base}/virtuoso.pxa
[TempDatabase]
DatabaseFile = {base}/temp.db
TransactionFile = {base}/temp.trx
[Parameters]
ServerPort = 127.0.0.1:{sql}
DisableUnixSocket = 1
MaxSortedTopRows = 1000000
NumberOfBuffers = 20000
MaxDirtyBuffers = 12000
DirsAllowed = {base}
MaxClientConnections = 10
ServerThreads = 10
[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerRoot = {base}
ServerThreads = 10
MaxClientConnections = 10
[SPARQL]
ResultSetMaxRows = 1000000
MaxQueryCostEstimationTime = 1000000
MaxQueryExecutionTime = 120
"""


@contextmanager
def virtuoso_server() -> Iterator[SparqlServer]:
    binary, client = shutil.which("virtuoso-t"), shutil.which("isql-vt")
    if not binary or not client:
        missing("Virtuoso isn't installed (Debian: apt-get install virtuoso-opensource-7)")
        return
    base = Path(tempfile.mkdtemp(prefix="rulings-virtuoso-"))
    try:
        sql, http = free_port(), free_port()
        (base / "virtuoso.ini").write_text(_VIRTUOSO.format(base=base, sql=sql, http=http))
        process = subprocess.Popen(
            [binary, "+foreground", "+configfile", base / "virtuoso.ini"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=base,
        )  # fmt: skip
        with stopped_at_the_end(process):
            wait_for(lambda: listens(sql) and listens(http), process, "Virtuoso")
            grant = 'exec=GRANT SPARQL_UPDATE TO "SPARQL";'
            told = subprocess.run(
                [client, str(sql), "dba", "dba", grant], check=True, capture_output=True, text=True, timeout=60
            )
            assert "Error" not in told.stderr, told.stderr
            at = f"http://127.0.0.1:{http}"
            yield SparqlServer(f"{at}/sparql", f"{at}/sparql", f"{at}/sparql-graph-crud")
    finally:
        shutil.rmtree(base, ignore_errors=True)


@pytest.fixture(scope="session")
def virtuoso() -> Iterator[Callable[[], SparqlServer]]:
    """Starts an empty Virtuoso that takes updates; what Debian's virtuoso-opensource-7 brings."""
    with ExitStack() as running:
        yield lambda: running.enter_context(virtuoso_server())
