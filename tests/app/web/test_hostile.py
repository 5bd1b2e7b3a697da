"""Clients that mean no good, or can't do better: long, slow, broken and many requests."""

import asyncio
import contextlib
import http.client
import socket
import statistics
import threading
import time

import pytest
import uvicorn
from starlette.requests import Request

from rulings.app.errors import HttpError
from rulings.app.web import slow_clients
from rulings.app.web.protocol import body_of

ANSWER = b"HTTP/1.1 "


def raw(server, sent, timeout=5.0):
    """Send bytes as they are and read to the end of the answer or of patience."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=timeout) as connection:
        connection.sendall(sent)
        got = b""
        with contextlib.suppress(OSError):
            while chunk := connection.recv(1 << 16):
                got += chunk
        return got


def status(got):
    assert got.startswith(ANSWER), got[:100]
    return int(got[9:12])


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01",
        b"GET /\x00 HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: a\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 1_000_000 + b"\r\n\r\n",
    ],
    ids=["tls", "null", "version", "nonsense", "length", "address", "header"],
)
def test_what_is_no_request_is_answered_or_dropped(server, sent):
    got = raw(server, sent)
    assert got == b"" or status(got) < 500
    assert server.get("/healthz").status == 200


@pytest.mark.parametrize(
    "path",
    [
        *("/%ff%fe", "/api/show?name=%ff%fe%00", "/api/ask?q=%ed%a0%80copy", "/sparql?query=%ff", "//"),
        *("/../../etc/passwd", "/api/ask?%00=%00&q=x"),
    ],
)
def test_odd_addresses_are_no_fault(server, path):
    assert server.request("GET", path).status < 500


def test_a_question_of_html_is_only_a_question(server):
    answer = server.get("/api/ask", {"q": "<script>alert(1)</script> does a copy have counters?"})
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    plain = server.ask("SELECT <script>alert(1)</script>")
    assert (plain.status, plain.headers["content-type"]) == (400, "text/plain; charset=utf-8")


def test_a_large_body_is_not_read_to_its_end(server):
    head = b"POST /sparql HTTP/1.1\r\nHost: a\r\nContent-Type: application/sparql-query\r\n"
    head += b"Content-Length: 100000000\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
        connection.sendall(head)
        sent = 0
        with contextlib.suppress(OSError):
            while sent < 10_000_000:
                sent += connection.send(b" " * 65536)
        assert sent < 10_000_000 or status(connection.recv(100)) == 413


def test_a_long_query_by_post_is_read(server):
    query = "SELECT ?x { VALUES ?x { " + "'some text' " * 10_000 + "} } LIMIT 1"
    assert len(query) > 100_000
    assert server.post(query.encode(), "application/sparql-query").status == 200


def test_connections_without_a_request_are_closed(monkeypatch):
    monkeypatch.setattr(slow_clients, "SECONDS", 0.5)

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    config = uvicorn.Config(app, http=slow_clients.PatientProtocol, lifespan="off", log_level="error", ws="none")
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        running = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
        running.start()
        try:
            whole = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
            for before in (b"", whole):
                for sent in (b"G", whole[:-3]):
                    with socket.create_connection(listening.getsockname(), timeout=5) as slow:
                        slow.sendall(before)
                        assert not before or b"204" in slow.recv(1000)
                        slow.sendall(sent)
                        began = time.monotonic()
                        assert slow.recv(1000) == b""
                        assert 0.3 < time.monotonic() - began < 3
            with socket.create_connection(listening.getsockname(), timeout=5) as silent:
                assert silent.recv(1000) == b""
            with socket.create_connection(listening.getsockname(), timeout=5) as trickle:
                began = time.monotonic()
                with contextlib.suppress(OSError):
                    while time.monotonic() - began < 5:
                        trickle.sendall(b"G")
                        time.sleep(0.05)
                assert time.monotonic() - began < 3
            with socket.create_connection(listening.getsockname(), timeout=5) as brisk:
                for _ in range(4):
                    brisk.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                    assert b"204" in brisk.recv(1000)
                    time.sleep(0.3)
        finally:
            server.should_exit = True
            running.join()


def test_a_kept_connection_answers_without_delay(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    took = []
    for _ in range(12):
        start = time.monotonic()
        connection.request("GET", "/healthz")
        connection.getresponse().read()
        took.append(time.monotonic() - start)
    connection.close()
    assert statistics.median(took[1:]) < 0.03


def test_a_body_that_comes_too_slowly_is_not_waited_for():
    async def receive():
        await asyncio.sleep(0.05)
        return {"type": "http.request", "body": b"a", "more_body": True}

    async def read():
        return await body_of(Request({"type": "http"}, receive), seconds=0.3)

    with pytest.raises(HttpError) as told:
        asyncio.run(read())
    assert told.value.status == 408


def test_who_asks_too_often_is_told_to_wait(start, sample_home):
    with start(sample_home, "--rate", "2") as server:
        answers = [server.get("/api/complete", {"q": "c"}) for _ in range(12)]
        refused = [answer for answer in answers if answer.status == 429]
        assert refused
        assert {answer.status for answer in answers} == {200, 429}
        assert int(refused[0].headers["retry-after"]) >= 1
        assert refused[0].json()["status"] == 429
        assert server.get("/healthz").status == 200
        time.sleep(1.1)
        assert server.get("/api/complete", {"q": "c"}).status == 200


def test_cors_can_be_switched_off_or_given_to_one(start, sample_home):
    with start(sample_home, "--cors", "none") as server:
        assert "access-control-allow-origin" not in server.get("/healthz", Origin="https://example.org").headers
    with start(sample_home, "--cors", "https://example.org") as server:
        given = server.get("/healthz", Origin="https://example.org").headers
        assert given["access-control-allow-origin"] == "https://example.org"
        assert "access-control-allow-origin" not in server.get("/healthz", Origin="https://other.org").headers
