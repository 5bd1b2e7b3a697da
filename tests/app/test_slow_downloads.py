"""A server that trickles is given up, and a slow line isn't."""

import contextlib
import socket
import threading
import time

import pytest

from rulings.app.download import Downloader
from rulings.app.errors import FetchError


@pytest.fixture
def trickling():
    """Address of a server that sends the parts of a list, one every 40 ms."""
    stop, sent = threading.Event(), []
    listening = socket.create_server(("127.0.0.1", 0))

    def run():
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listening.accept()
                with connection, contextlib.suppress(OSError):
                    connection.recv(65536)
                    for part in sent:
                        connection.sendall(part)
                        if stop.wait(0.04):
                            return

    threading.Thread(target=run, daemon=True).start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}/file", sent
    stop.set()
    listening.close()


@pytest.mark.parametrize(
    "parts",
    [
        [b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n", *[b"x"] * 500],
        [b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", *[b"x"] * 500],
        [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", *[b"x"] * 500],
        [b"HTTP/1.1 200 OK\r\n", *[b"X: y\r\n"] * 500],
    ],
    ids=["length", "to the end", "a chunk's head", "head"],
)
@pytest.mark.parametrize("whole", [True, False])
def test_a_server_that_trickles_is_given_up(trickling, parts, whole, tmp_path):
    url, sent = trickling
    sent.extend(parts)
    downloader = Downloader.make(lambda *_: None, backoff=0, patience=0.5, slowest=1000, window=0.5)
    began = time.monotonic()
    with pytest.raises(FetchError, match=r"fewer than 500 bytes in|can't be reached"):
        downloader.text(url) if whole else downloader.file(url, tmp_path / "f", None, lambda _: None)
    assert time.monotonic() - began < 4


def test_a_slow_line_that_is_fast_enough_is_waited_for(trickling, tmp_path):
    url, sent = trickling
    sent.extend([b"HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n", *[b"x" * 100] * 40])
    downloader = Downloader.make(lambda *_: None, backoff=0, patience=0.5, slowest=500, window=0.5)
    assert downloader.file(url, tmp_path / "f", None, lambda _: None).size == 4000
