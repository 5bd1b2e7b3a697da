"""What is fuzzed: functions that take any bytes and raise only where something is wrong with the program.

`python tests/fuzz/atheris_run.py TARGET` feeds them by coverage, `test_fuzz.py` by hypothesis.
"""

import asyncio
import io
import json
import os
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import h11

from rulings.app.build import build
from rulings.app.web.application import Settings, application
from rulings.app.web.query_limits import QueryLimits
from rulings.app.web.serving import Serving
from rulings.ingest import CorpusBuilder, IngestError, Place, Report, build_corpus, sample_paths
from rulings.ingest.kinds import readers
from rulings.ingest.reader import HEAD_BYTES, Head
from rulings.search import Rulings
from rulings.search.errors import QuestionError
from rulings.search.question import QuestionReader

Target = Callable[[bytes], None]
KINDS = ("own", "scryfall", "mtgjson", "table", "rules", "pages")
DAY = "2020-01-31"
_FACES = [{"name": "Left", "oracle_text": "One."}, {"name": "Right", "mana_cost": "{2}"}]
_SCRYFALL = [
    {"object": "card", "oracle_id": "1", "name": "Left // Right", "layout": "split", "card_faces": _FACES},
    {"object": "card", "oracle_id": "2", "name": "Mimic", "lang": "de", "printed_name": "Mimik", "set": "abc"},
    {"object": "ruling", "oracle_id": "1", "source": "wotc", "published_at": DAY, "comment": "It’s so."},
]
_ENTRY = {
    "name": "Left // Right", "faceName": "Left", "side": "a", "layout": "split", "identifiers": {"scryfallOracleId": "1"},
    "rulings": [{"date": DAY, "text": "So."}], "foreignData": [{"language": "German", "name": "Links // Rechts"}],
}  # fmt: skip
_BOOK = """Comprehensive Rules

These rules are effective as of January 31, 2020.

Introduction

7. Additional Rules
702. Keyword Abilities

7. Additional Rules

702. Keyword Abilities

702.1. A thing. See rule 702.2.
Example: So it is.

702.2a Another one {T}: see rules 702.1 and 702.2b–c.

Glossary

Thing
What it is. See rule 702.1.

Credits
"""
_PAGE = """<html><head><title>Mimic</title></head><body><h1>Mimic</h1><ul><li>1/31/2020 <p>It &amp; so
<img alt="{T}">.</li><li>31.01.2020: Es ist so.</li></ul><table><tr><td>2020-01-31</td><td>So.</td></tr></table></body>"""


def seeds(target: str) -> list[bytes]:
    """Inputs to begin with."""
    sample = sample_paths()[0].read_bytes().splitlines()[:6]
    found: dict[str, list[bytes]] = {
        "own": [b"\n".join(sample), *sample],
        "scryfall": [json.dumps(_SCRYFALL).encode(), json.dumps({"object": "list", "data": _SCRYFALL}).encode()],
        "mtgjson": [
            json.dumps({"meta": {"date": DAY}, "data": {"cards": [_ENTRY]}}).encode(),
            json.dumps({"meta": {}, "data": {"Left // Right": [_ENTRY]}}).encode(),
            json.dumps({"ABC": {"cards": [_ENTRY]}}).encode(),
        ],
        "table": [f'card,published,text\nMimic,{DAY},"So, it is."\n'.encode(), b"card\tdate\ttext\nA\t2020-01-31\tSo.\n"],
        "rules": [_BOOK.encode(), _BOOK.replace("\n", "\r\n").encode("utf-16")],
        "pages": [_PAGE.encode(), _PAGE.encode("cp1252")],
        "question": [b"Can I copy half of Fire // Ice?", b"Was kopiert Nachahmer, Regel 707.2a?", b"ETB of a Clone"],
        "http": [
            b"GET /api/ask?q=What+is+a+copy%3F&k=3\n", b"GET /id/concept/copy?format=ttl\naccept: text/turtle\n",
            b"POST /sparql\ncontent-type: application/sparql-query\n\nSELECT ?s { ?s a rul:Card } LIMIT 1",
            b"GET /query?query=ASK+%7B%7D&view=graph\n", b"GET /graph?node=concept/copy&open=card/x&hide=mentions\n",
            b'POST /mcp\ncontent-type: application/json\n\n{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
            b"GET /api/complete?q=cl&k=5\n", b"OPTIONS /sparql\norigin: https://example.org\n",
        ],
    }  # fmt: skip
    found["archive"] = [_zip(found["own"][0]), _gzip(found["table"][0]), *(found[kind][0] for kind in KINDS)]
    return found[target]


def _zip(content: bytes) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.jsonl", content)
    return written.getvalue()


def _gzip(content: bytes) -> bytes:
    import gzip

    return gzip.compress(content)


def reading(kind: str) -> Target:
    """One reader of ingest, with the merging of what it gives."""
    reader = readers()[KINDS.index(kind)]

    def run(data: bytes) -> None:
        reader.matches(Head(data[:HEAD_BYTES], "f"))
        builder, report = CorpusBuilder(), Report()
        try:
            for record, place in reader.read(io.BytesIO(data), Place("f"), report):
                builder.add(record, place)
        except IngestError as error:
            _told(error)
        builder.finish()
        assert all("\n" not in problem.reason for problem in report.problems)

    return run


def _told(error: Exception, place: str = "") -> None:
    """An error that is an answer: one line that names the place."""
    assert "\n" not in str(error)
    assert place in str(error)


def archive(data: bytes) -> None:
    """A file of any kind, packed or not."""
    path = _folder() / "f"
    path.write_bytes(data)
    try:
        build_corpus([path], Report())
    except IngestError as error:
        _told(error, str(path))


@cache
def _folder() -> Path:
    fast = Path("/dev/shm")
    return Path(tempfile.mkdtemp(dir=fast if fast.is_dir() else None))


@cache
def home() -> Path:
    """A home with the sample: of $RULINGS_FUZZ_HOME, else built."""
    if named := os.environ.get("RULINGS_FUZZ_HOME"):
        return Path(named)
    build([], _folder() / "home", tell=lambda _: None)
    return _folder() / "home"


@cache
def _reader() -> QuestionReader:
    return Rulings.open(home()).reader


def question(data: bytes) -> None:
    """The reader of questions."""
    text = data.decode("utf-8", "replace")[:10_000]
    if text.strip():
        try:
            _reader().read(text)
        except QuestionError as error:
            _told(error)


class Http:
    """The web application, asked without sockets: a line of method and address, lines of headers, an empty one, a body."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        limits = QueryLimits(seconds=1, size=1 << 20, memory=1 << 29, workers=2)
        self.served = Serving(home(), limits)
        self.loop.run_until_complete(self.served.open())
        self.app = application(self.served, Settings(rate=0))
        self.loop.run_until_complete(self.app.state.assistants.__aenter__())

    def __call__(self, data: bytes) -> None:
        """Send one request; every answer but a server's fault is right."""
        head, _, body = data.partition(b"\n\n")
        first, *lines = head.split(b"\n")
        lines = [first + b" HTTP/1.1", b"host: 127.0.0.1:8000", *lines, b"content-length: %d" % len(body), b"", body]
        parser = h11.Connection(h11.SERVER)
        parser.receive_data(b"\r\n".join(lines))
        try:
            request = parser.next_event()
        except h11.RemoteProtocolError:
            return
        if not isinstance(request, h11.Request):
            return
        path, _, query = request.target.partition(b"?")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http", "root_path": "",
            "method": request.method.decode("ascii"), "path": unquote(path.decode("ascii")), "raw_path": path,
            "query_string": query, "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8000),
            "headers": [(name.lower(), value) for name, value in request.headers],
        }  # fmt: skip
        self.loop.run_until_complete(asyncio.wait_for(self._ask(scope, body), 20))

    async def _ask(self, scope: dict[str, Any], body: bytes) -> None:
        sent: list[Any] = []
        parts = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            return parts.pop() if parts else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        statuses = [message["status"] for message in sent if message["type"] == "http.response.start"]
        assert len(statuses) <= 1
        # 503: all processes for queries are busy; 504: a query took too long
        assert not statuses or statuses[0] < 500 or statuses[0] in (501, 503, 504), statuses

    def close(self) -> None:
        """End the processes for queries."""
        self.loop.run_until_complete(self.served.close())


@cache
def http() -> Http:
    """The one application."""
    return Http()


def _http(data: bytes) -> None:
    http()(data)


def target(name: str) -> Target:
    """The function that goes by this name."""
    if name in KINDS:
        return reading(name)
    return {"archive": archive, "question": question, "http": _http}[name]


NAMES = (*KINDS, "archive", "question", "http")
