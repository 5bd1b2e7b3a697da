"""What the server logs: a line a request where that is wanted, and what was asked only where that is too."""

import json
import logging
import re

import pytest

from rulings.app.command import main
from rulings.app.web.request_log import JsonLines, TextLines

SECRET = "whatdoesmysecretcarddo"


def record(fields=None, **more):
    made = logging.LogRecord("rulings.x", logging.WARNING, "", 1, "it's\x1b[31m so", (), None)
    made.__dict__.update(more | ({"fields": fields} if fields else {}))
    return made


FIELDS = {"method": "GET", "path": "/a\n\x1b[0m", "status": 200, "ms": 1.5, "bytes": 10}


def test_a_line_is_one_line_whatever_a_client_sends():
    for line in (TextLines().format(record(FIELDS)), TextLines().format(record()), JsonLines().format(record(FIELDS))):
        assert all(sign.isprintable() for sign in line)
    assert TextLines().format(record({**FIELDS, "query": "q=a"})).endswith(r"GET /a\n\x1b[0m?q=a 200 1.5 ms 10 bytes")


def test_a_message_as_json():
    told = json.loads(JsonLines().format(record()))
    assert told.pop("time").endswith("+00:00")
    assert told == {"level": "warning", "event": "message", "logger": "rulings.x", "message": "it's\x1b[31m so"}


@pytest.mark.parametrize("words", [[], ["-v", "--log-queries"], ["--log", "json"]])
def test_what_a_server_tells(start, sample_home, words):
    with start(sample_home, "--query-workers", "1", *words) as server:
        server.get("/api/ask", {"q": SECRET}, Authorization=SECRET, User_Agent=SECRET)
        server.get("/nothing-there")
        server.post(f'ASK {{ ?s rdfs:label "{SECRET}" }}'.encode(), "application/sparql-query")
        server.process.terminate()
        said = server.process.stderr.read()
    assert (SECRET in said) == ("--log-queries" in words)
    assert "127.0.0.1" not in said
    if "json" in words:
        lines = [json.loads(line) for line in said.splitlines()]
        found = [(e["method"], e["path"], e["status"]) for e in lines if e["event"] == "request"]
        assert all(e["ms"] >= 0 and e["bytes"] > 0 and e["time"] for e in lines if e["event"] == "request")
    else:
        found = [
            (*each[:2], int(each[2])) for each in re.findall(r"^\S+ (\w+) (/[^\s?]*)\S* (\d+) ", said, re.MULTILINE)
        ]
    wanted = [("GET", "/api/ask", 200), ("GET", "/nothing-there", 404), ("POST", "/sparql", 200)]
    assert found == (wanted if words else [])


def test_verbose_tells_the_way_and_where_it_failed_but_no_question(sample_home, capsys):
    assert main(["ask", SECRET, "-v", "--home", str(sample_home)]) == 0
    err = capsys.readouterr().err
    assert "opened encoder" in err
    assert "ask is done" in err
    assert SECRET not in err
    assert main(["show", "nothing such", "-v", "--home", str(sample_home)]) == 2
    assert "Traceback" in capsys.readouterr().err
    assert main(["show", "nothing such", "--home", str(sample_home)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
