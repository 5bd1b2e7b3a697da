"""What everything costs at several sizes of a corpus, part by part, and the page that shows it.

    python benchmarks/performance.py --out FOLDER SOURCE... [--times 0.1 1 10] [--only PART...] [--vectors HOME]
    python benchmarks/performance.py --out FOLDER --page docs/performance.md

SOURCE are files of a large corpus. At other sizes than 1 it is recombined (`recombine`). Each part runs in a process of
its own and leaves FOLDER/PART@TIMES.json; what is there isn't run again, so that long parts can be run one by one. The
page is made from what is there and says what is missing.

``--vectors`` takes over the vectors that another home knows. ``--fill`` gives texts without a vector one made from
others', so that a build is timed without encoding; the page then tells the time of encoding from the measured pace.
``--questions`` (with known rulings) adds the searches of other libraries to the part peers.
"""

import argparse
import hashlib
import json
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from performance_page import write_page
from recombine import enlarged, write_sources

from build import cold
from rulings.ingest.read import build_corpus
from rulings.search import Rulings
from rulings.search.documents import rule_documents, statement_documents
from rulings.search.encoder import open_encoder
from rulings.search.vectors import VectorCache

HERE = Path(__file__).parent
Figures = dict[str, Any]


class Size:
    """One size of the corpus: its sources and its home, below the output folder."""

    def __init__(self, args: argparse.Namespace, times: float) -> None:
        self.args, self.times = args, times
        self.home = args.out / f"home-{times:g}"
        self.folder = args.out / f"sources-{times:g}"

    def sources(self) -> list[Path]:
        """The files, recombined where need be."""
        if self.times == 1:
            return list(self.args.sources)
        if not self.folder.is_dir():
            files = [file for path in self.args.sources for file in ([path] if path.is_file() else path.iterdir())]
            part = self.folder.with_name(f".{self.folder.name}")
            corpus = enlarged(build_corpus(self.args.sources), self.times)
            write_sources(corpus, [file for file in files if "Rules" in file.name], part)
            part.rename(self.folder)
        return [self.folder]


def build(size: Size) -> Figures:
    """The build from nothing, by stage."""
    sources = size.sources()
    shutil.rmtree(size.home, ignore_errors=True)
    filled = _vectors(size, sources)
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [sys.executable, str(HERE / "build.py"), *map(str, sources), "--home", str(size.home), "--part", "build"]
    found: Figures = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    made = Rulings.open(size.home).generation.path
    for name in ("graph", "index"):
        found[f"disk MB {name}"] = sum(f.stat().st_size for f in (made / name).rglob("*") if f.is_file()) >> 20
    cpu = end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime
    return found | {"cpu s": round(cpu, 1)} | filled


def _vectors(size: Size, sources: list[Path]) -> Figures:
    """Fill the home's cache as asked, and tell how many texts there are and how many have to be encoded."""
    corpus = build_corpus(sources)
    texts = list(dict.fromkeys([*statement_documents(corpus), *rule_documents(corpus)]))
    (size.home / "cache").mkdir(parents=True)
    if size.args.vectors:
        for file in (size.args.vectors / "cache").glob("vectors-*.npy"):
            shutil.copy(file, size.home / "cache")
    cache, encoder = VectorCache(size.home / "cache"), open_encoder(None, size.home / "cache")
    kept = cache.read(encoder)
    known = set(kept["text"].tolist())
    digests = [hashlib.sha1(text.encode(), usedforsecurity=False).digest() for text in texts]
    new = [digest for digest in digests if digest not in known]
    if size.args.fill and new:
        chance = np.random.default_rng(7)
        rows = kept["vector"][chance.integers(len(kept), size=len(new))]
        rows = rows + chance.normal(scale=0.02, size=rows.shape).astype(np.float32)
        cache.add(encoder, new, rows / np.linalg.norm(rows, axis=1, keepdims=True))
    filled = len(new) if size.args.fill else 0
    return {"texts": len(texts), "encoded": len(new) - filled, "filled": filled}


def update(size: Size) -> Figures:
    """The same again, then with one ruling more: wall seconds of the whole command."""
    found = {}
    first = (size.home / "current").read_text(encoding="utf-8").strip()
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder) / "own.jsonl"
        card = next(iter(build_corpus(size.sources()).cards.values())).name
        for name, text in (
            ("the same again s", ""),
            ("one ruling more s", "A ruling that was never published before."),
        ):
            if text:
                own.write_text(
                    json.dumps({"kind": "ruling", "card": card, "text": text, "published": "2026-03-01"}),
                    encoding="utf-8",
                )
            words = [sys.executable, "-m", "rulings.app.command", "build", "--home", str(size.home)]
            sources = [*size.sources(), *([own] if text else [])]
            start = time.perf_counter()
            subprocess.run([*words, *map(str, sources)], check=True, capture_output=True)
            found[name] = round(time.perf_counter() - start, 1)
        back = [sys.executable, "-m", "rulings.app.command", "use", "--home", str(size.home), first]
        subprocess.run(back, check=True, capture_output=True)
    return found


def ask(size: Size) -> Figures:
    """Opening, a cold question, warm questions that differ, and a batch of them."""
    opened = [_opened(size.home) for _ in range(3)]
    found = cold(size.home, rounds=3) | {name: round(min(one[name] for one in opened), 3) for name in opened[0]}
    questions = (resources.files("rulings.search") / "data" / "on_topic.txt").read_text("utf-8").splitlines()
    kb = Rulings.open(size.home)
    kb.ask(questions[0])
    took, encoding = [], []
    for question in questions[:150]:
        start = time.perf_counter()
        kb.ask(question)
        took.append(1000 * (time.perf_counter() - start))
        start = time.perf_counter()
        kb.encoder.encode_question(question)
        encoding.append(1000 * (time.perf_counter() - start))
    start, cpu = time.perf_counter(), time.process_time()
    list(kb.batch(questions))
    rate, per = len(questions) / (time.perf_counter() - start), (time.process_time() - cpu) / len(questions)
    return found | {
        "warm ask ms p50": round(statistics.median(took), 1),
        "warm ask ms p95": round(float(np.quantile(took, 0.95)), 1),
        "encoder alone ms p50": round(statistics.median(encoding), 1),
        "batch, questions a second": round(rate, 1),
        "batch, cpu ms a question": round(1000 * per, 1),
        "memory MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def _opened(home: Path) -> dict[str, float]:
    code = """
import sys, time, json
before = time.process_time()
import rulings.search
imported = time.process_time() - before
start = time.perf_counter()
kb = rulings.search.Rulings.open(sys.argv[1])
opened = time.perf_counter() - start
kb.index
whole = time.perf_counter() - start
print(json.dumps({"import rulings.search, cpu s": imported, "open s": opened, "open with the index s": whole}))
"""
    words = [sys.executable, "-c", code, str(home)]
    return dict(json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout))


def sparql(size: Size) -> Figures:
    """Queries by kind on the whole graph: ours, the bare store, the Oxigraph server."""
    return _sparql(size, 0)["whole"]


def _sparql(size: Size, cards: int) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "found.json"
        words = [sys.executable, str(HERE / "sparql_speed.py"), "--home", str(size.home), "--json", str(file)]
        subprocess.run([*words, "--cards", str(cards)], check=False, capture_output=True)
        return dict(json.loads(file.read_text()))


def serve(size: Size) -> Figures:
    """Questions a second over HTTP, the clients on the same machine."""
    words = [sys.executable, str(HERE / "endpoint_load.py"), "--home", str(size.home), "--seconds", "10"]
    told = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    line = re.compile(r"^(.{34})\s*([\d.]+)/s  p50\s+([\d.]+) ms  p95\s+([\d.]+) ms", re.MULTILINE)
    return {
        name.strip(): {"a second": float(rate), "p50 ms": float(p50), "p95 ms": float(p95)}
        for name, rate, p50, p95 in line.findall(told)
    }


def floor(size: Size) -> Figures:
    """What can't be saved: reading the bytes, the bare encoder, the bare store."""
    import pyoxigraph as ox
    from encoder_speed import bare

    found: Figures = {}
    files = [file for path in size.sources() for file in ([path] if path.is_file() else sorted(path.iterdir()))]
    start = time.perf_counter()
    found["bytes of the sources"] = sum(len(file.read_bytes()) for file in files)
    found["reading them s"] = round(time.perf_counter() - start, 3)
    documents = statement_documents(build_corpus(size.sources()))
    texts = random.Random(0).sample(documents, min(400, len(documents)))
    with tempfile.TemporaryDirectory() as folder:
        encoder = open_encoder(None, Path(folder), 2)
        (graph,) = Path(folder).glob("*.onnx")
        pairs = []
        for _ in range(2):
            start = time.perf_counter()
            encoder.encode(texts)
            pairs.append((time.perf_counter() - start, bare(graph, texts, 2)))
        found["encoding, texts a second"] = round(len(texts) / min(ours for ours, _ in pairs), 1)
        found["bare encoder, texts a second"] = round(len(texts) / min(theirs for _, theirs in pairs), 1)
        dump = Path(folder) / "graph.nq"
        Rulings.open(size.home).graph.store.dump(str(dump), format=ox.RdfFormat.N_QUADS)
        start, cpu = time.perf_counter(), time.process_time()
        store = ox.Store(str(Path(folder) / "store"))
        store.bulk_load(path=str(dump), format=ox.RdfFormat.N_QUADS)
        found["bare store, load s"] = round(time.perf_counter() - start, 1)
        found["bare store, load cpu s"] = round(time.process_time() - cpu, 1)
        found["quads"] = len(store)
    return found


def peers(size: Size) -> Figures:
    """Other libraries at the same work: rdflib's store, NetworkX's PageRank, and with questions three searches."""
    import networkx as nx

    found: Figures = {"sparql": _sparql(size, 300)["part"]}
    graph = Rulings.open(size.home).graph
    start = time.perf_counter()
    whole = graph.networkx()
    found["NetworkX, the graph s"] = round(time.perf_counter() - start, 2)
    start = time.perf_counter()
    nx.pagerank(whole)
    found["NetworkX, PageRank s"] = round(time.perf_counter() - start, 2)
    del whole
    name = next(iter(graph.sparql("SELECT ?n { ?c a rul:Card ; rul:name ?n } LIMIT 1")))["n"]
    for what in ("rulings, PageRank with the graph read s", "rulings, PageRank again s"):
        start = time.perf_counter()
        graph.pagerank(str(name))
        found[what] = round(time.perf_counter() - start, 2)
    if size.args.questions:
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.md"
            words = [sys.executable, str(HERE / "side_by_side.py"), str(size.args.questions), "--home", str(size.home)]
            subprocess.run([*words, "--page", str(page)], check=True, capture_output=True)
            found["searches"] = [line for line in page.read_text().splitlines() if line.startswith("|")]
    return found


PARTS: dict[str, Callable[[Size], Figures]] = {
    "build": build,
    "ask": ask,
    "sparql": sparql,
    "serve": serve,
    "floor": floor,
    "peers": peers,
    "update": update,
}


def main() -> None:
    """Run what is missing, then write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="*", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--times", nargs="+", type=float, default=[0.1, 1, 10])
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--fill", action="store_true")
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--page", type=Path)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    if args.one:
        print(json.dumps(PARTS[args.one[0]](Size(args, float(args.one[1])))))
        return
    for times in args.times if args.sources else ():
        for part in args.only:
            file = args.out / f"{part}@{times:g}.json"
            if not file.is_file():
                print(f"{part} at {times:g} times ...", file=sys.stderr, flush=True)
                words = [sys.executable, __file__, *sys.argv[1:], "--one", part, str(times)]
                out = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
                figures = json.loads(out.splitlines()[-1]) | {"taken": time.strftime("%Y-%m-%d")}
                file.write_text(json.dumps(figures, indent=1), encoding="utf-8")
    if args.page:
        write_page(args.out, args.page, args.times)


if __name__ == "__main__":
    main()
