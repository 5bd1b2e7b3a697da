"""A running server on the built-in sample, as a client meets it: over a socket."""

import http.client
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import pytest

SECONDS, MEGABYTES = 3, 1


@dataclass
class Answer:
    """What a server answered; ``whole`` is false where it broke off."""

    status: int
    headers: dict[str, str]
    body: bytes
    whole: bool = True

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self) -> object:
        return json.loads(self.body)


@dataclass
class Server:
    """A started server and a client of it."""

    process: subprocess.Popen[str]
    port: int
    said: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def request(self, method: str, path: str, body: bytes | None = None, timeout: float = 30, **headers: str) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, {name.replace("_", "-"): v for name, v in headers.items()})
            response = connection.getresponse()
            heads = {name.lower(): value for name, value in response.getheaders()}
            try:
                return Answer(response.status, heads, response.read())
            except http.client.IncompleteRead as error:
                return Answer(response.status, heads, error.partial, whole=False)
        finally:
            connection.close()

    def get(self, path: str, pairs: object = (), **headers: str) -> Answer:
        query = urlencode(pairs)
        return self.request("GET", f"{path}?{query}" if query else path, **headers)

    def ask(self, query: str, **headers: str) -> Answer:
        return self.get("/sparql", {"query": query}, **headers)

    def post(self, body: bytes, kind: str, path: str = "/sparql", **headers: str) -> Answer:
        return self.request("POST", path, body, **({"Content_Type": kind} if kind else {}), **headers)


@contextmanager
def started(home: Path, *words: str) -> Iterator[Server]:
    """Start ``rulings serve`` on a free port, wait until it serves, and end it."""
    command = [sys.executable, "-m", "rulings.app.command", "serve", "--home", str(home), "--port", "0", *words]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"})
    try:
        server = Server(process, 0)
        while not server.port:
            line = process.stderr.readline()
            assert line, "".join(server.said)
            server.said.append(line)
            if found := re.match(r"serving \S+ at http://\S+:(\d+) ", line):
                server.port = int(found[1])
        yield server
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        finally:
            process.kill()
            process.stderr.close()


@pytest.fixture(scope="session")
def start() -> Callable[..., object]:
    return started


@pytest.fixture(scope="session")
def server(sample_home: Path) -> Iterator[Server]:
    """One server for all tests that only read."""
    limits = ("--query-seconds", str(SECONDS), "--query-size", str(MEGABYTES), "--query-memory", "512")
    with started(sample_home, *limits, "--query-workers", "6", "--rate", "0") as server:
        yield server
