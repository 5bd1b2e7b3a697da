"""A server in Qdrant's place that trickles, isn't Qdrant, or must be told a key: against a raw socket."""

import time

import pytest

pytest.importorskip("qdrant_client")

from rulings.search.engines import qdrant
from rulings.search.engines.address import read_address
from rulings.search.engines.engine import Kept
from rulings.search.errors import EngineError, EngineKeyError


@pytest.fixture
def serve(raw_server):
    """Gives the address of a `raw_server` in Qdrant's place."""
    return lambda sent, drip=b"": read_address(f"qdrant+http://127.0.0.1:{raw_server(sent, drip)}")


def answer(body, kind=b"application/json"):
    return b"HTTP/1.1 200 OK\r\nContent-Type: %b\r\nContent-Length: %d\r\n\r\n%b" % (kind, len(body), body)


@pytest.mark.parametrize(
    ("sent", "drip"),
    [(b"", b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 90), (b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n", b"{" * 900)],
    ids=["head", "body"],
)
def test_the_limit_of_time_holds_against_a_trickle(serve, sent, drip):
    address = serve(sent, drip)
    began = time.monotonic()
    with pytest.raises(EngineError, match=r"no answer \(no whole answer within 1 s\)"):
        qdrant.reach_qdrant(address, qdrant.client_of(address, 1))
    assert time.monotonic() - began < 3


@pytest.mark.parametrize(
    "body", [b"[]", b"{}", b"null", b"3", b"<html>hello</html>", b"", b'{"result": []}', b'{"result": null}', b"\xff"]
)
@pytest.mark.parametrize("asked", ["reach", "write", "open"])
def test_what_is_no_qdrant_is_told_in_one_line(serve, body, asked):
    address = serve(answer(body))
    with pytest.raises(EngineError, match=r"isn't Qdrant, or its answer was cut; correct the address") as raised:  # noqa: PT012
        match asked:
            case "reach":
                qdrant.reach_qdrant(address)
            case "write":
                qdrant.write_qdrant(address, "name", [[1.0, 0.0]])
            case "open":
                qdrant.QdrantEngine(address, Kept(address.told, "name", 1, 2)).nearest([[1.0, 0.0]], 1)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("key", ["S3\nCRET", "S3 CRET", "S3CR\xe9T", "S3CR\u0416T", "S3CRET\x7f"])
def test_a_key_that_cannot_be_sent_is_refused_untold(key, monkeypatch):
    monkeypatch.setenv("QDRANT_API_KEY", key)
    with pytest.raises(EngineKeyError, match="QDRANT_API_KEY") as raised:
        qdrant.reach_qdrant(read_address("qdrant+http://127.0.0.1:1"))
    assert "S3" not in str(raised.value)
