"""How long the graph takes for NetworkX, for algorithms and for the named queries, in one home: `networks.py HOME`."""

import argparse
import resource
import time
from collections.abc import Callable
from pathlib import Path

from rulings.graph.query_library import library
from rulings.search.generation import current


def timed(what: str, work: Callable[[], object]) -> None:
    """Run and print wall and CPU seconds with what came out."""
    wall, cpu = time.perf_counter(), time.process_time()
    found = work()
    print(f"{what:44} {time.perf_counter() - wall:7.2f} s {time.process_time() - cpu:7.2f} s CPU  {found}")


def main() -> None:
    """Time each in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("home", type=Path)
    graph = current(parser.parse_args().home).graph
    timed("open, and a first name", lambda: graph.networkx("Clone", hops=0))
    for name, hops in (("Clone", 1), ("Clone", 2), ("Lightning Bolt", 2), ("Copy (concept)", 2), ("707.2", 2)):
        timed(f"networkx({name!r}, hops={hops})", lambda name=name, hops=hops: graph.networkx(name, hops=hops))
    for pair in (("Clone", "Triskelion"), ("Humility", "Opalescence"), ("Fire // Ice", "Blood Moon")):
        timed(f"path{pair}", lambda pair=pair: f"{len(graph.path(*pair))} steps")
    timed("communities('concepts')", lambda: f"{len(graph.communities('concepts'))} groups")
    timed("centrality('concepts')", lambda: next(iter(graph.centrality("concepts"))))
    timed("communities('cards')", lambda: f"{len(graph.communities('cards'))} groups")
    for start in ("Clone", "Humility"):
        timed(f"pagerank({start!r})", lambda start=start: list(graph.pagerank(start))[:3])
    for query in library().values():
        timed(f"@{query.name}", lambda query=query: f"{len(graph.named(query.name))} rows")
    timed("networkx()", graph.networkx)
    print(f"most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


if __name__ == "__main__":
    main()
