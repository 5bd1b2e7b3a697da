"""A server, updates and clients together for a while: no error, every update served, and memory flat.

    nice python benchmarks/soak.py --minutes 30

Builds the sample in a home of its own, serves it, asks it by some clients all the time, and builds it anew with another
ruling every half minute. Memory is what the server and its processes take (proportional set size, Linux); a line is
fitted to it once the first third of the time is over. Ends with 1 where a request failed, an update was not served, or
memory grew by more than a twentieth.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from pathlib import Path
from urllib.parse import urlencode

import numpy as np

from rulings.ingest import sample_paths

QUESTIONS = (
    "If I copy a creature, does the copy have the counters that were on it?",
    "Does a copy of a kicked spell count as kicked?",
    "Kann ich Fire // Ice halb kopieren?",
    "What happens to a token that leaves the battlefield?",
    "How many moons has Jupiter?",
)
QUERIES = (
    "SELECT ?n { ?c a rul:Card ; rul:name ?n } LIMIT 50",
    "ASK { ?s rul:clarifies ?c }",
    "SELECT ?c (COUNT(?s) AS ?n) { ?s rul:clarifies ?c } GROUP BY ?c ORDER BY DESC(?n) LIMIT 10",
)


def addresses(chance: random.Random) -> str:
    """An address to ask, as clients do."""
    return chance.choice(
        [
            "/api/ask?" + urlencode({"q": chance.choice(QUESTIONS), "k": chance.randint(1, 10)}),
            "/?" + urlencode({"q": chance.choice(QUESTIONS)}),
            "/api/show?" + urlencode({"name": chance.choice(["Clone", "Copy", "707.2", "Token"])}),
            "/sparql?" + urlencode({"query": chance.choice(QUERIES)}),
            "/api/complete?" + urlencode({"q": chance.choice(["cl", "fi", "7"])}),
            "/id/concept/copy?format=ttl",
            "/graph?node=concept/copy",
            "/healthz",
            "/metrics",
        ]
    )


class Clients:
    """Threads that ask without pause but for a short rest; counts of answers, and what went wrong."""

    def __init__(self, url: str, count: int, rest: float) -> None:
        self.url, self.rest = url, rest
        self.counts: Counter[str] = Counter()
        self.errors: list[str] = []
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self._ask, args=(n,), daemon=True) for n in range(count)]
        for each in self.threads:
            each.start()

    def _ask(self, seed: int) -> None:
        chance = random.Random(seed)
        while not self.over.wait(self.rest * chance.random() * 2):
            address = addresses(chance)
            try:
                with urllib.request.urlopen(self.url + address, timeout=60) as answer:  # noqa: S310 - our own server
                    answer.read()
                self.counts[address.partition("?")[0]] += 1
            except urllib.error.HTTPError as error:
                # busy is an answer, and says when to come again
                if error.code not in (429, 503):
                    self.errors.append(f"{address}: {error}")
                self.counts[f"busy {error.code}"] += 1
            except OSError as error:
                if not self.over.is_set():
                    self.errors.append(f"{address}: {error}")

    def end(self) -> None:
        """Let all finish."""
        self.over.set()
        for each in self.threads:
            each.join(60)


def memory(pid: int) -> float:
    """MB that a process and those below it take, each shared page counted in parts."""
    total, todo = 0, [pid]
    while todo:
        each = todo.pop()
        try:
            found = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{each}/smaps_rollup").read_text(), re.MULTILINE)
            total += int(found[1]) if found else 0
            for task in Path(f"/proc/{each}/task").iterdir():
                todo += map(int, (task / "children").read_text().split())
        except OSError:
            continue  # it has just ended
    return total / 1024


def build(home: Path, n: int) -> str:
    """Build the sample with one ruling of its own, and give the generation's name."""
    more = home.parent / "more.jsonl"
    ruling = {"kind": "ruling", "card": "Clone", "published": "2026-02-27", "source": "soak", "text": f"New is {n}."}
    more.write_text(json.dumps(ruling) + "\n", encoding="utf-8")
    words = [sys.executable, "-m", "rulings.app.command", "build", *map(str, sample_paths()), str(more)]
    subprocess.run([*words, "--home", str(home)], check=True, stderr=subprocess.PIPE, text=True)
    return (home / "current").read_text().strip()


def served(url: str) -> str:
    """The name of the generation that is served."""
    with urllib.request.urlopen(f"{url}/healthz", timeout=60) as answer:  # noqa: S310 - our own server
        return str(json.load(answer)["generation"])


def soak(args: argparse.Namespace, folder: Path) -> dict[str, object]:
    """Run, and give what was measured."""
    home = folder / "home"
    build(home, 0)
    words = [sys.executable, "-m", "rulings.app.command", "serve", "--home", str(home), "--port", "0", "--rate", "0"]
    log = folder / "server.log"
    with log.open("w") as stderr, subprocess.Popen([*words, "--query-workers", "4"], stderr=stderr) as server:
        try:
            while not (found := re.search(r"at (http://\S+)", log.read_text())):
                time.sleep(0.1)
            clients = Clients(found[1], args.clients, args.rest)
            times, sizes, updates, unserved = [], [], 0, 0
            start = time.monotonic()
            due = start + args.every
            while (now := time.monotonic()) < start + 60 * args.minutes:
                if now >= due:
                    updates += 1
                    name, end = build(home, updates), time.monotonic() + 60
                    while served(found[1]) != name and time.monotonic() < end:
                        time.sleep(0.2)
                    unserved += served(found[1]) != name
                    due = time.monotonic() + args.every
                times.append(time.monotonic() - start)
                sizes.append(memory(server.pid))
                if args.verbose:
                    print(f"{times[-1]:7.1f} s {sizes[-1]:7.1f} MB, {updates} updates", file=sys.stderr, flush=True)
                time.sleep(1)
            clients.end()
        finally:
            server.terminate()
            server.wait(30)
    kept = [(t, s) for t, s in zip(times, sizes, strict=True) if t >= times[-1] / 3]
    slope, level = np.polyfit(*np.array(kept).T, 1)
    grown = slope * (kept[-1][0] - kept[0][0])
    left = [line for line in log.read_text().splitlines() if "serving" not in line]
    return {
        "minutes": round(times[-1] / 60, 1), "updates": updates, "updates_not_served": unserved,
        "requests": sum(clients.counts.values()), "by_address": dict(clients.counts.most_common()),
        "errors": len(clients.errors), "first_errors": clients.errors[:5], "server_said": left[:5],
        "memory_mb": {"first": round(sizes[0]), "mean": round(float(np.mean(sizes))), "most": round(max(sizes)),
                      "mb_an_hour": round(slope * 3600, 1), "grown_while_fitted": round(grown, 1)},
        "generations_on_disk": len(list((home / "generations").iterdir())),
        "flat": bool(grown <= 0.05 * (level + slope * kept[0][0])),
    }  # fmt: skip


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--rest", type=float, default=0.3, help="seconds that a client rests on average")
    parser.add_argument("--every", type=float, default=30, help="seconds between two updates")
    parser.add_argument("-v", "--verbose", action="store_true", help="each measured size on stderr")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        told = soak(args, Path(folder))
    print(json.dumps(told, indent=1))
    sys.exit(0 if told["flat"] and not told["errors"] and not told["updates_not_served"] else 1)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    main()
