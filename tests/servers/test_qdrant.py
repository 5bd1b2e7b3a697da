"""Vectors in Qdrant: the client's own local mode takes the same calls as a server; a stub stands for servers that fail."""

import json
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import numpy as np
import pytest

from rulings.search.engines import qdrant as module
from rulings.search.engines.address import read_address
from rulings.search.engines.engine import Kept
from rulings.search.engines.qdrant import QdrantEngine, client_of, drop_qdrant, write_qdrant
from rulings.search.errors import EngineError

ADDRESS = "qdrant+http://127.0.0.1:9"
pytestmark = pytest.mark.filterwarnings("ignore:Local mode performs exact:UserWarning")


def unit(rows: int, seed: int, width: int = 16) -> np.ndarray:
    drawn = np.random.default_rng(seed).standard_normal((rows, width)).astype(np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def local():
    import qdrant_client

    return qdrant_client.QdrantClient(":memory:")


@pytest.fixture(scope="module")
def vectors():
    return unit(2300, 1)


@pytest.fixture(scope="module")
def kept(local, vectors):
    write_qdrant(read_address(ADDRESS), "rulings_test", vectors, local)
    yield Kept(ADDRESS, "rulings_test", *vectors.shape)
    drop_qdrant(read_address(ADDRESS), "rulings_test", local)
    assert not local.collection_exists("rulings_test")


@pytest.fixture
def engine(local, kept):
    return QdrantEngine(read_address(ADDRESS), kept, local)


def test_the_nearest_are_found(engine, vectors):
    questions = np.vstack([unit(3, 2), vectors[7:8]])
    rows, cosines = engine.nearest(questions, 20)
    exact = questions @ vectors.T
    assert (rows == np.argsort(-exact, axis=1)[:, :20]).all()
    assert cosines == pytest.approx(np.take_along_axis(exact, rows, 1), abs=1e-5)
    assert engine.nearest(questions[:0], 5)[0].shape == (0, 5)


def test_vectors_come_back_in_order(engine, vectors):
    rows = np.array([5, 2299, 5, 0])
    assert engine.of(rows) == pytest.approx(vectors[rows], abs=1e-6)
    with pytest.raises(EngineError, match="statement 2300 is gone; run `rulings build` again"):
        engine.of(np.array([2300]))


def test_what_is_wrong_is_told_with_the_remedy(local, kept):
    address = read_address(ADDRESS)
    with pytest.raises(EngineError, match="collection rulings_gone: the collection is gone; run `rulings build`"):
        QdrantEngine(address, Kept(ADDRESS, "rulings_gone", 1, 16), local).nearest(unit(1, 1), 1)
    with pytest.raises(EngineError, match="2,300 vectors of 16 dimensions, where the generation has 2,300 of 384"):
        QdrantEngine(address, Kept(ADDRESS, kept.name, 2300, 384), local).nearest(unit(1, 1), 1)
    with pytest.raises(EngineError, match=r"no answer \(.*refused.*\); start the server"):
        QdrantEngine(address, kept).nearest(unit(1, 1), 1)


class Stub(BaseHTTPRequestHandler):
    """Answers as a server that wants a key, or hangs."""

    keys: ClassVar[list] = []

    def do_GET(self):
        self.keys.append(self.headers.get("api-key"))
        if "hangs" in self.path:
            time.sleep(3)
        body = json.dumps({"status": {"error": "Must provide an API key"}}).encode()
        self.send_response(401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with suppress(BrokenPipeError):
            self.wfile.write(body)

    def log_message(self, *args):
        """Say nothing."""


@pytest.fixture(scope="module")
def stub():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Stub)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"qdrant+http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection:UserWarning")
def test_the_key_is_taken_from_the_environment_and_not_told(stub, monkeypatch):
    monkeypatch.setenv("QDRANT_API_KEY", "not-to-be-told")
    with pytest.raises(EngineError, match=r"refuses us \(401\); give its key by QDRANT_API_KEY") as caught:
        QdrantEngine(read_address(stub), Kept(stub, "any", 1, 16)).nearest(unit(1, 1), 1)
    assert Stub.keys[-1] == "not-to-be-told"
    assert "not-to-be-told" not in str(caught.value)


def test_a_server_that_hangs_is_given_up(stub, monkeypatch):
    monkeypatch.setattr(module, "client_of", lambda address: client_of(address, 1))
    start = time.monotonic()
    with pytest.raises(EngineError, match=r"no whole answer within 1 s"):
        QdrantEngine(read_address(stub), Kept(stub, "hangs", 1, 16)).nearest(unit(1, 1), 1)
    assert time.monotonic() - start < 2.5
