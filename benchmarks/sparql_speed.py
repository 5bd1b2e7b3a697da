"""Eight kinds of queries on this graph, against rdflib's own store, the `oxigraph` server and pyoxigraph by itself.

    pip install 'rulings-graph[benchmarks]'
    python benchmarks/sparql_speed.py --home HOME [--cards 1500] [--json FILE]

Two rounds. The first is on a part of HOME's graph that rdflib's memory store can hold in reasonable time (it takes some
180 s and 1.7 GB a million triples): the first N cards by IRI with all that is said of them, their faces, rulings and
wordings, the links from those, and all concepts. rdflib gets it as one plain graph, its fastest form; pyoxigraph is
asked in memory too, which shows what the engine can at best. The second is on the whole graph, without rdflib: in the
process, and over HTTP against the `oxigraph` server on the same files.

Times are the best of several runs in turn, with every row read. Floors: ours at least 10 times faster than rdflib, at
most 1.5 times what pyoxigraph takes; the exit status is 1 where one isn't kept. `--cards 0` leaves out the first round.
"""

import argparse
import contextlib
import http.client
import json
import math
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import pyoxigraph as ox
import rdflib

from rulings.graph.knowledge import KnowledgeGraph
from rulings.graph.sparql import run
from rulings.graph.store import load_store
from rulings.graph.vocabulary import PREFIXES
from rulings.search.generation import current

QUERIES = {
    "lookup": 'SELECT ?p ?o { ?c rul:name "CARD" ; ?p ?o }',
    "join with names": """SELECT ?name ?day ?text { ?r rul:about ?c ; dcterms:issued ?day ; rul:states ?s .
        ?c rul:name ?name . ?s rul:text ?text ; rul:clarifies concept:copy }""",
    "property path": "SELECT DISTINCT ?x { ?x skos:broader+ concept:keyword-ability }",
    "top concepts": """SELECT ?label (COUNT(DISTINCT ?s) AS ?n) { ?s rul:clarifies ?c . ?c skos:prefLabel ?label
        FILTER(LANG(?label) = "en") } GROUP BY ?label ORDER BY DESC(?n) ?label LIMIT 20""",
    "CONTAINS": 'SELECT ?s ?t { ?s a rul:Statement ; rul:text ?t FILTER(CONTAINS(?t, "the copy")) }',
    "REGEX": r'SELECT ?s ?t { ?s a rul:Statement ; rul:text ?t FILTER(REGEX(?t, "copy of (a|that) \\w+", "i")) }',
    "co-occurrence": """SELECT ?a ?b (COUNT(?s) AS ?n) { ?s rul:clarifies ?a, ?b . ?a a rul:Concept . ?b a rul:Concept
        FILTER(STR(?a) < STR(?b)) } GROUP BY ?a ?b ORDER BY DESC(?n) ?a ?b LIMIT 20""",
    "CONSTRUCT": """CONSTRUCT { ?c rul:hasRulingOn ?k } { ?r rul:about ?c ; rul:states ?s . ?s rul:clarifies ?k .
        ?k a rul:Concept }""",
}
PROLOGUE = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())
ENOUGH_MS, MOST_RUNS = 4000, 20
Engine = Callable[[str], int]


def best(engines: dict[str, Engine], query: str) -> tuple[dict[str, float], dict[str, int]]:
    """The best time in ms and the number of rows by engine; they take turns, so that a busy moment hits all."""
    times: dict[str, list[float]] = {name: [] for name in engines}
    rows: dict[str, int] = {}
    while left := [n for n, took in times.items() if not took or (sum(took) < ENOUGH_MS and len(took) < MOST_RUNS)]:
        for name in left:
            start = time.perf_counter()
            try:
                rows[name] = engines[name](query)
            except (OSError, http.client.HTTPException):  # past a limit of that server: the time is not known
                times[name] = [math.inf]
            else:
                times[name].append(1000 * (time.perf_counter() - start))
    return {name: min(took) for name, took in times.items()}, rows


def bare(store: ox.Store) -> Engine:
    """Pyoxigraph by itself; a row is read as a tuple of terms, as ours is."""

    def ask(query: str) -> int:
        found = store.query(query, prefixes=PREFIXES, use_default_graph_as_union=True)
        return len([tuple(row) for row in found])

    return ask


def in_memory(store: ox.Store) -> ox.Store:
    """The same quads in pyoxigraph's memory store: the fastest that the engine can be."""
    copy = ox.Store()
    copy.bulk_extend(store)
    return copy


def over_http(url: str) -> Engine:
    """A server, asked for TSV or N-Triples, whose lines are the rows."""

    def ask(query: str) -> int:
        media = "application/n-triples" if "CONSTRUCT" in query else "text/tab-separated-values"
        address = f"{url}?{urlencode({'query': PROLOGUE + query})}"
        request = urllib.request.Request(address, headers={"Accept": media})  # noqa: S310 - a server started here
        with urllib.request.urlopen(request, timeout=600) as answer:  # noqa: S310
            return int(answer.read().count(b"\n")) - ("CONSTRUCT" not in query)

    return ask


def part_of(store: ox.Store, cards: int, file: Path) -> int:
    """Write the first cards with what belongs to them to N-Quads and give the number of quads."""

    def subjects(pattern: str) -> set[ox.NamedNode]:
        found = store.query(f"SELECT DISTINCT ?x {{ {pattern} }}", prefixes=PREFIXES, use_default_graph_as_union=True)
        return {row[0] for row in found}

    def pointing(relation: str, targets: set[ox.NamedNode]) -> set[ox.NamedNode]:
        node = ox.NamedNode(relation)
        return {quad.subject for target in targets for quad in store.quads_for_pattern(None, node, target, None)}

    chosen = set(sorted(subjects("?x a rul:Card"), key=str)[:cards])
    rulings = pointing(PREFIXES["rul"] + "about", chosen)
    states = ox.NamedNode(PREFIXES["rul"] + "states")
    wordings = {quad.object for ruling in rulings for quad in store.quads_for_pattern(ruling, states, None, None)}
    nodes = chosen | rulings | wordings
    nodes |= pointing(PREFIXES["rdf"] + "subject", nodes) | subjects("?x a rul:Concept")
    with file.open("wb") as out:
        quads = [quad for node in nodes for quad in store.quads_for_pattern(node, None, None, None)]
        ox.serialize(quads, out, format=ox.RdfFormat.N_QUADS)
    return len(quads)


def rdflibs(file: Path) -> Engine:
    """The memory store of rdflib."""
    graph = rdflib.Graph()
    start = time.perf_counter()
    triples = ox.serialize(
        (quad.triple for quad in ox.parse(path=str(file), format=ox.RdfFormat.N_QUADS)), format=ox.RdfFormat.N_TRIPLES
    )
    graph.parse(data=triples, format="nt")
    print(f"rdflib took {time.perf_counter() - start:.0f} s to load {len(graph):,} triples", flush=True)
    spaces = {name: rdflib.Namespace(iri) for name, iri in PREFIXES.items()}
    return lambda query: len(list(graph.query(query, initNs=spaces)))


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


@contextlib.contextmanager
def serving(words: list[str], url: str) -> Iterator[Engine]:
    """A server process, until it answers; then its end."""
    process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError):
                over_http(url)("ASK {}")
                break
            time.sleep(0.1)
        yield over_http(url)
    finally:
        process.terminate()
        process.wait()


def oxigraph(folder: Path) -> contextlib.AbstractContextManager[Engine]:
    """The `oxigraph` server on a store."""
    program, port = shutil.which("oxigraph", path=str(Path(sys.executable).parent)), free_port()
    if program is None:
        sys.exit("no `oxigraph` here: pip install 'rulings-graph[benchmarks]'")
    words = [program, "serve-read-only", "--location", str(folder), "--bind", f"127.0.0.1:{port}"]
    return serving([*words, "--union-default-graph"], f"http://127.0.0.1:{port}/query")


def ours(home: Path) -> contextlib.AbstractContextManager[Engine]:
    """Our server on a home."""
    port = free_port()
    words = [sys.executable, "-m", "rulings.app.command", "serve", "--home", str(home), "--port", str(port)]
    return serving([*words, "--query-seconds", "600", "--rate", "0"], f"http://127.0.0.1:{port}/sparql")


def compare(title: str, engines: dict[str, Engine], queries: dict[str, str]) -> dict[str, dict[str, float]]:
    """Run all queries on all engines, print a table, and give the times in ms by query and engine."""
    print(f"\n{title}\n{'':16s}{'rows':>8s}" + "".join(f"{name:>14s}" for name in engines), flush=True)
    table: dict[str, dict[str, float]] = {}
    for kind, query in queries.items():
        table[kind], rows = best(engines, query)
        if len(set(rows.values())) > 1:
            sys.exit(f"{kind}: the engines found different numbers of rows: {rows}")
        times = "".join(f"{took:11.2f} ms" for took in table[kind].values())
        print(f"{kind:16s}{next(iter(rows.values())):8d}{times}", flush=True)
    return table


def broken(table: dict[str, dict[str, float]]) -> list[str]:
    """The floors that are not kept."""
    told = []
    for kind, took in table.items():
        if took["ours"] > 1.5 * took["pyoxigraph"]:
            told.append(f"{kind}: {took['ours'] / took['pyoxigraph']:.2f} times pyoxigraph")
        if "rdflib" in took and took["rdflib"] < 10 * took["ours"]:
            disk, memory = took["rdflib"] / took["pyoxigraph"], took["rdflib"] / took["in memory"]
            told.append(
                f"{kind}: only {took['rdflib'] / took['ours']:.1f} times faster than rdflib; pyoxigraph itself is "
                f"{disk:.1f} times faster on disk, {memory:.1f} in memory"
            )
    return told


def filled(store: ox.Store) -> dict[str, str]:
    """The queries, the look-up one with a card that the store has."""
    name = next(iter(run(store, "SELECT ?n { ?c a rul:Card ; rul:name ?n } LIMIT 1")))["n"]
    return {kind: query.replace("CARD", name) for kind, query in QUERIES.items()}


def on_a_part(whole: ox.Store, cards: int) -> dict[str, dict[str, float]]:
    """The round with rdflib."""
    with tempfile.TemporaryDirectory() as folder:
        file, store = Path(folder) / "part.nq", Path(folder) / "store"
        quads = part_of(whole, cards, file)
        memory = rdflibs(file)
        load_store(store, [file])
        part = KnowledgeGraph(store).store
        with oxigraph(store) as server:
            engines = {"pyoxigraph": bare(part), "ours": lambda query: len(run(part, query))}
            engines |= {"in memory": bare(in_memory(part)), "oxigraph HTTP": server, "rdflib": memory}
            return compare(f"A part: {quads:,} quads of {cards:,} cards", engines, filled(part))


def main() -> None:
    """Run both rounds."""
    options = argparse.ArgumentParser()
    options.add_argument("--home", type=Path, required=True)
    options.add_argument("--cards", type=int, default=1500)
    options.add_argument("--json", type=Path)
    args = options.parse_args()
    graph = current(args.home).graph
    first = on_a_part(graph.store, args.cards) if args.cards else {}
    whole = graph.store
    with oxigraph(graph.folder) as server, ours(args.home) as endpoint:
        engines = {"pyoxigraph": bare(whole), "ours": lambda query: len(run(whole, query))}
        engines |= {"oxigraph HTTP": server, "our /sparql": endpoint}
        second = compare(f"The whole: {len(whole):,} quads", engines, filled(whole))
    if args.json:
        found = {
            name: {kind: {n: ms for n, ms in took.items() if ms < math.inf} for kind, took in table.items()}
            for name, table in (("part", first), ("whole", second))
        }
        args.json.write_text(json.dumps(found, indent=1), encoding="utf-8")
    told = [*broken(first), *broken(second)]
    print("\n" + ("\n".join(told) or "all floors kept"))
    sys.exit(bool(told))


if __name__ == "__main__":
    main()
