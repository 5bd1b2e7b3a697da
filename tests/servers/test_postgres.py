"""Vectors in PostgreSQL with pgvector, against a server that the test run starts."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from rulings.search.engines.address import read_address
from rulings.search.engines.engine import Kept
from rulings.search.engines.postgres import PostgresEngine, drop_postgres, write_postgres
from rulings.search.errors import EngineError


def unit(rows: int, seed: int, width: int = 64) -> np.ndarray:
    drawn = np.random.default_rng(seed).standard_normal((rows, width)).astype(np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def vectors():
    return unit(3000, 1)


@pytest.fixture(scope="module")
def kept(postgres, vectors):
    address = read_address(postgres.url())
    write_postgres(address, "rulings_test", vectors)
    yield Kept(address.told, "rulings_test", *vectors.shape)
    drop_postgres(address, "rulings_test")
    assert postgres.run("SELECT count(*) FROM pg_class WHERE relname LIKE 'rulings_test%'") == [(0,)]


@pytest.fixture
def engine(postgres, kept):
    made = PostgresEngine(read_address(postgres.url()), kept, seconds=5)
    yield made
    made.close()


def test_the_nearest_are_found(engine, vectors):
    questions = np.vstack([unit(5, 2), vectors[7:8]])
    rows, cosines = engine.nearest(questions, 20)
    exact = questions @ vectors.T
    assert rows.shape == cosines.shape == (6, 20)
    assert cosines == pytest.approx(np.take_along_axis(exact, rows, 1), abs=1e-5)
    best = np.argsort(-exact, axis=1)[:, :20]
    shared = [len(set(found) & set(wanted)) for found, wanted in zip(rows.tolist(), best.tolist(), strict=True)]
    assert sum(shared) >= 0.95 * 6 * 20  # HNSW is approximate
    assert rows[5, 0] == 7
    assert (np.diff(cosines) <= 0).all()


def test_the_index_is_used(postgres, kept):
    vector = "[" + ",".join(["0.125"] * 64) + "]"
    plan = postgres.run(f"EXPLAIN SELECT n FROM {kept.name} ORDER BY vector <#> '{vector}' LIMIT 10")
    assert "Index Scan" in plan[1][0] or "Index Scan" in plan[0][0]


def test_vectors_come_back_in_order(engine, vectors):
    rows = np.array([5, 2999, 5, 0])
    assert (engine.of(rows) == vectors[rows]).all()


def test_a_row_that_is_gone_is_told(engine):
    with pytest.raises(EngineError, match="statement 3000 is gone; run `rulings build` again"):
        engine.of(np.array([1, 3000]))


def test_who_may_only_read_may_ask(postgres, kept, vectors):
    postgres.run("CREATE ROLE reader LOGIN PASSWORD 'reader'")
    postgres.run(f"GRANT SELECT ON {kept.name} TO reader")
    try:
        engine = PostgresEngine(read_address(f"postgresql://reader:reader@127.0.0.1:{postgres.port}/rulings"), kept)
        assert engine.nearest(vectors[:1], 1)[0][0, 0] == 0
        assert (engine.of(np.array([4])) == vectors[[4]]).all()
        engine.close()
    finally:
        postgres.run("DROP OWNED BY reader")
        postgres.run("DROP ROLE reader")


def test_many_threads_ask_at_once(engine, vectors):
    found = [None] * 12

    def ask(n: int) -> None:
        found[n] = int(engine.nearest(vectors[n : n + 1], 5)[0][0, 0])

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == list(range(12))


def test_a_lost_connection_is_made_again(postgres, engine, vectors):
    engine.nearest(vectors[:1], 1)
    postgres.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    assert engine.nearest(vectors[:1], 1)[0][0, 0] == 0


def told(postgres, kept, *, url: str | None = None, seconds: float = 5, **other: object) -> str:
    """What an engine with another record says when asked."""
    record = Kept(
        **{"address": kept.address, "name": kept.name, "rows": kept.rows, "dimensions": kept.dimensions} | other
    )
    engine = PostgresEngine(read_address(url or postgres.url()), record, seconds=seconds)
    with pytest.raises(EngineError) as caught:
        engine.nearest(unit(1, 3), 5)
    message = str(caught.value)
    assert "\n" not in message
    assert postgres.password not in message
    assert f"127.0.0.1:{postgres.port}" in message or url
    return message


def test_what_is_wrong_is_told_with_the_remedy(postgres, kept):
    assert "the table is gone; run `rulings build`" in told(postgres, kept, name="rulings_never_made")
    assert "3,000 vectors of 64 dimensions, where the generation has 2,000 of 64" in told(postgres, kept, rows=2000)
    assert "where the generation has 3,000 of 384; run `rulings build`" in told(postgres, kept, dimensions=384)
    down = told(postgres, kept, url="postgresql://someone:secret@127.0.0.1:9/rulings")
    assert "start the server" in down
    assert "secret" not in down
    wrong = told(postgres, kept, url=f"postgresql://{postgres.user}:wrong@127.0.0.1:{postgres.port}/rulings")
    assert "password authentication failed" in wrong
    assert "PGPASSWORD" in wrong
    assert 'database "nowhere" does not exist' in told(postgres, kept, url=postgres.url("nowhere"))


def test_a_missing_extension_is_told(postgres, kept):
    postgres.run("CREATE DATABASE bare", "postgres")
    try:
        assert "CREATE EXTENSION vector" in told(postgres, kept, url=postgres.url("bare"))
        postgres.run("CREATE ROLE guest LOGIN PASSWORD 'guest'", "postgres")
        url = f"postgresql://guest:guest@127.0.0.1:{postgres.port}/bare"
        with pytest.raises(EngineError, match=r"the user may not do that .*; have it granted"):
            write_postgres(read_address(url), "rulings_guest", unit(3, 1))
    finally:
        postgres.run("DROP DATABASE bare", "postgres")


def test_a_slow_answer_is_given_up(postgres, kept):
    holding = """
import psycopg, sys, time
connection = psycopg.connect(sys.argv[1])
connection.execute("LOCK TABLE rulings_test")
print("held", flush=True)
time.sleep(60)
"""
    locked = subprocess.Popen([sys.executable, "-c", holding, postgres.url()], stdout=subprocess.PIPE, text=True)
    try:
        assert locked.stdout.readline() == "held\n"
        start = time.monotonic()
        assert "no answer in time" in told(postgres, kept, seconds=1)
        assert time.monotonic() - start < 5
    finally:
        locked.kill()
        locked.wait()


def test_a_server_that_hangs_is_given_up(postgres, kept, engine):
    engine.nearest(unit(1, 3), 5)
    pids = [pid for (pid,) in postgres.run("SELECT pid FROM pg_stat_activity WHERE application_name = 'rulings'")]
    assert pids
    engine._seconds = 0.5
    for pid in [postgres.process.pid, *pids]:
        os.kill(pid, signal.SIGSTOP)
    try:
        start = time.monotonic()
        with pytest.raises(EngineError, match="no connection"):
            engine.nearest(unit(1, 3), 5)
        assert time.monotonic() - start < 12
    finally:
        for pid in [postgres.process.pid, *pids]:
            os.kill(pid, signal.SIGCONT)
