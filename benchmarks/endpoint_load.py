"""What others feel of queries that never end, and how many questions a second the server answers.

    python benchmarks/endpoint_load.py --home HOME [--seconds 20]

Starts `rulings serve` and asks it short SPARQL queries from four clients, first alone, then beside four clients that
ask for the product of everything with itself; and says when those were ended. Then asks questions, at a steady 40 a
second and as many as come. The clients share the machine with the server.
"""

import argparse
import http.client
import socket
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlencode

LIMIT = 10
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
SHORT = [
    'SELECT ?p ?o { ?c rul:name "Clone" ; ?p ?o }',
    "SELECT DISTINCT ?x { ?x skos:broader+ concept:keyword-ability }",
    "SELECT ?s { ?s rul:clarifies concept:copy } LIMIT 100",
]
QUESTIONS = [
    "Can I copy half of a split card?",
    "Does a copy of a kicked spell count as kicked?",
    "What happens to the counters when a creature becomes a copy of another one?",
    "Kann ich einen Zauberspruch kopieren, der nicht gewirkt wurde?",
]


def asked(port: int, path: str) -> tuple[int, float]:
    """The status of an answer and the seconds that it took."""
    start = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, time.perf_counter() - start


def clients(port: int, paths: list[str], count: int, seconds: float, pause: float) -> list[tuple[int, float]]:
    """Ask from several clients for some seconds, each with a pause between its requests."""
    found: list[tuple[int, float]] = []
    end = time.perf_counter() + seconds

    def ask(n: int) -> None:
        due = time.perf_counter() + pause * n / count
        while max(due, time.perf_counter()) < end:
            time.sleep(max(0.0, due - time.perf_counter()))
            found.append(asked(port, paths[n % len(paths)]))
            n, due = n + 1, due + pause

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def told(name: str, found: list[tuple[int, float]], seconds: float) -> None:
    """Print the figures of a round."""
    times = [took for _, took in found]
    bad = sum(status != 200 for status, _ in found)
    p50, p95 = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    rate = len(found) / seconds
    print(f"{name:34s} {rate:6.1f}/s  p50 {1000 * p50:6.1f} ms  p95 {1000 * p95:6.1f} ms  failed {bad}", flush=True)


def memory(pid: int) -> str:
    """What a process holds now."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(line.split(":")[1].strip() for line in lines if line.startswith("VmRSS"))


def main() -> None:
    """Run the rounds."""
    options = argparse.ArgumentParser()
    options.add_argument("--home", type=Path, required=True)
    options.add_argument("--seconds", type=float, default=20)
    args = options.parse_args()
    with socket.create_server(("127.0.0.1", 0)) as one:
        port = int(one.getsockname()[1])
    words = [sys.executable, "-m", "rulings.app.command", "serve", "--home", str(args.home), "--port", str(port)]
    process = subprocess.Popen(
        [*words, "--rate", "0", "--query-seconds", str(LIMIT)], stderr=subprocess.PIPE, text=True
    )
    try:
        while process.stderr and not process.stderr.readline().startswith("serving"):
            pass
        asked(port, "/api/complete?q=c")
        short = [f"/sparql?{urlencode({'query': query})}" for query in SHORT]
        told("short queries alone", clients(port, short, 4, args.seconds, 0.1), args.seconds)
        ended: list[tuple[int, float]] = []
        endless = f"/sparql?{urlencode({'query': ENDLESS})}"
        threads = [threading.Thread(target=lambda: ended.append(asked(port, endless))) for _ in range(4)]
        for thread in threads:
            thread.start()
        told("short queries beside endless ones", clients(port, short, 4, LIMIT - 1, 0.1), LIMIT - 1)
        for thread in threads:
            thread.join()
        late = max(took for _, took in ended) - LIMIT
        print(f"endless queries: {[status for status, _ in ended]}, ended {1000 * late:.0f} ms past the limit")
        questions = [f"/api/ask?{urlencode({'q': question})}" for question in QUESTIONS]
        told("questions, 40 a second", clients(port, questions, 8, args.seconds, 0.2), args.seconds)
        told("questions, as many as come", clients(port, questions, 8, args.seconds, 0.0), args.seconds)
        print(f"memory of the server: {memory(process.pid)}")
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
