"""Starting and stopping, and a new generation while the server runs."""

import contextlib
import logging
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from rulings.app.build import build
from rulings.app.command import main
from rulings.app.web.query_limits import QueryLimits
from rulings.search.generation import current

ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


def children(server):
    found = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    if not found.exists():
        pytest.skip("this system doesn't tell the children of a process")
    return [int(pid) for pid in found.read_text().split()]


def gone(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def wait_until(what, seconds=10):
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_taken_port_is_told(sample_home, capsys):
    former = logging.getLogger().handlers[:], logging.getLogger("rulings").level
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert main(["serve", "--home", str(sample_home), "--port", str(port)]) == 1
    err = capsys.readouterr().err
    assert f"127.0.0.1, port {port}: can't listen there" in err
    assert err.count("\n") == 1
    assert (logging.getLogger().handlers, logging.getLogger("rulings").level) == former


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--port", "70000"], "'70000' is not a number from 0 to 65535"),
        (["--port", "http"], "'http' is not a number"),
        (["--host", "no.such.host.invalid"], "--host no.such.host.invalid: no such address"),
        (["--query-seconds", "0"], "'0' is not a number from 1 to 3600"),
    ],
)
def test_bad_usage(sample_home, capsys, words, said):
    assert main(["serve", "--home", str(sample_home), *words]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_a_damaged_generation_is_told(tmp_path):
    (tmp_path / "current").write_text("gone\n")
    words = [sys.executable, "-m", "rulings.app.command", "serve", "--home", str(tmp_path), "--port", "0"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert "not a whole generation" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly_while_busy(start, sample_home, number):
    with start(sample_home, "--query-workers", "2") as server:
        workers = children(server)
        assert len(workers) == 2
        answers = []
        asking = threading.Thread(target=lambda: answers.append(server.ask(ENDLESS, timeout=20)))
        asking.start()
        time.sleep(1.0)
        workers += children(server)
        server.process.send_signal(number)
        assert server.process.wait(timeout=9) == 0
        assert server.process.stderr.read() == ""
        asking.join()
        assert answers[0].status == 503
        assert "the server ends" in answers[0].text
        assert all(gone(pid) for pid in workers)


def test_no_process_outlives_a_killed_server(start, sample_home):
    with start(sample_home, "--query-workers", "2", "--query-seconds", "2") as server:
        workers = children(server)
        threading.Thread(target=lambda: left(server), daemon=True).start()
        time.sleep(0.5)
        server.process.kill()
        wait_until(lambda: all(gone(pid) for pid in workers), 8)


def left(server):
    with contextlib.suppress(OSError):
        server.ask(ENDLESS)


def test_the_sample_is_built_first_and_a_build_disturbs_no_one(start, tmp_path):
    bad, seen, stop = [], set(), threading.Event()
    with start(tmp_path, "--rate", "0") as server:
        assert "building the built-in sample" in "".join(server.said)
        first = current(tmp_path).manifest.name
        assert server.get("/healthz").json() == {"status": "ok", "generation": first, "sample": True}

        def client(n):
            while not stop.is_set():
                asked = server.get("/api/ask", {"q": f"Does a copy have the counters? {n}"})
                found = server.ask("SELECT ?c { ?c a rul:Card } LIMIT 1")
                if not (asked.status == found.status == 200 and asked.json()["results"] and found.whole):
                    bad.append((asked, found))
                seen.add(asked.headers.get("etag", "").removeprefix('W/"').rsplit("-", 2)[0])

        clients = [threading.Thread(target=client, args=(n,)) for n in range(32)]
        for each in clients:
            each.start()
        second = build([], tmp_path, tell=lambda _: None).manifest.name
        try:
            wait_until(lambda: second in seen, 60)
        finally:
            stop.set()
            for each in clients:
                each.join()
        assert bad == []
        assert seen == {first, second}
        wait_until(lambda: len(children(server)) == QueryLimits().workers)


def test_a_broken_newer_generation_is_passed_over(start, sample_home, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "generations").symlink_to(sample_home / "generations")
    name = current(sample_home).manifest.name
    (home / "current").write_text(name)
    with start(home) as server:
        (home / "current").write_text("none")
        assert "the former one still is" in server.process.stderr.readline()
        assert server.get("/healthz").json()["generation"] == name
        assert server.ask("ASK { ?c a rul:Card }").json()["boolean"] is True
