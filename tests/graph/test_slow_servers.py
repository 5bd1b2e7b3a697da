"""A SPARQL server that trickles, breaks off, steers the terminal, or must be told a secret: against a raw socket."""

import time

import pytest

from rulings.app.command import main
from rulings.graph.errors import RemoteCredentialsError, RemoteError
from rulings.graph.sparql_http import Client, Limits

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/sparql-results+json\r\n"


@pytest.fixture
def serve(raw_server):
    """Gives the address of a `raw_server`."""
    return lambda sent, drip=b"": f"http://127.0.0.1:{raw_server(sent, drip)}/q"


def ask(url, seconds=30.0):
    return Client(Limits(seconds=seconds)).send("POST", url, b"query=x", {})


@pytest.mark.parametrize(
    ("sent", "drip"),
    [
        (b"", HEAD * 9),
        (HEAD + b"Content-Length: 900\r\n\r\n", b"{" * 900),
        (HEAD + b"Connection: close\r\n\r\n", b"{" * 900),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n{\r\n" * 900),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n1;", b"x" * 900),
        (b"HTTP/1.1 500 No\r\nContent-Length: 900\r\n\r\n", b"{" * 900),
    ],
    ids=["head", "length", "to the end", "chunks", "a chunk's head", "an error"],
)
def test_the_limit_of_time_holds_against_a_trickle(serve, sent, drip):
    began = time.monotonic()
    with pytest.raises(RemoteError, match=r"no answer within|takes longer than"):
        ask(serve(sent, drip), seconds=0.5)
    assert time.monotonic() - began < 2


def test_a_slow_answer_within_the_limit_is_read(serve):
    assert ask(serve(HEAD + b"Content-Length: 5\r\n\r\n", b"hello")) == b"hello"


@pytest.mark.parametrize("framing", [b"Content-Length: 50\r\n\r\n{", b"Transfer-Encoding: chunked\r\n\r\n9\r\n{"])
def test_a_cut_answer_is_told_as_one(serve, framing):
    with pytest.raises(RemoteError, match=r"q: the answer was cut off; ask again, or look at the server's log$"):
        ask(serve(HEAD + framing))


@pytest.mark.parametrize("sent", [b"", b"SSH-2.0-OpenSSH_9\r\n"])
def test_what_is_no_http_is_told_as_that(serve, sent):
    with pytest.raises(RemoteError, match=r"q: the connection was cut before an answer came, or [^()]*$"):
        ask(serve(sent))


@pytest.mark.parametrize("words", [("sparql", "ASK {}", "--graph"), ("sparql", "ASK {}", "-v", "--graph")])
def test_a_servers_words_do_not_steer_the_terminal(serve, words, tmp_path, capsys):
    body = b"no \x1b]0;owned\x07 \x9b31m \xc2\x9b31m"
    url = serve(b"HTTP/1.1 400 No\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    assert main([*words, url, "--home", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert "owned" in told
    assert not set(told) & {"\x1b", "\x07", "\x9b"}


@pytest.mark.parametrize("token", ["S3\nCRET", "S3 CRET", "S3CR\xe9T", "S3CR\u0416T", "S3CRET\x7f"])
def test_a_token_that_cannot_be_sent_is_refused_untold(token, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RULINGS_GRAPH_TOKEN", token)
    with pytest.raises(RemoteCredentialsError):
        ask("http://127.0.0.1:1/q")
    words = ["sparql", "ASK {}", "-v", "--graph", "http://127.0.0.1:1/q", "--home", str(tmp_path)]
    assert main(words) == 2
    told = capsys.readouterr().err
    assert "RULINGS_GRAPH_TOKEN" in told
    assert "S3" not in told


def test_a_token_loses_the_line_end_that_a_file_gave_it(serve, monkeypatch):
    monkeypatch.setenv("RULINGS_GRAPH_TOKEN", "abc\n")
    assert ask(serve(HEAD + b"Content-Length: 2\r\n\r\nok")) == b"ok"


def test_a_password_that_is_no_text_is_refused(monkeypatch):
    monkeypatch.setenv("RULINGS_GRAPH_USER", "u")
    monkeypatch.setenv("RULINGS_GRAPH_PASSWORD", "S3\udcffCRET")
    with pytest.raises(RemoteCredentialsError) as raised:
        ask("http://127.0.0.1:1/q")
    assert "S3" not in str(raised.value)
