"""Time and memory of the graph stage at several sizes, each in a process of its own, and how the cost grows.

    python benchmarks/graph_stage.py SOURCE... [--times 0.5 1 2 10]

Prints CPU seconds of each stage, the store's quads and load time, the peak memory, and the exponent of growth between
neighbouring sizes (1 is linear). The sources are read and enlarged outside what is timed.
"""

import argparse
import gc
import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from recombine import enlarged

from rulings.graph.archive import concept_counts
from rulings.graph.asserted import asserted
from rulings.graph.derive import derive
from rulings.graph.derived import derived_lines
from rulings.graph.store import write_store
from rulings.graph.vocabulary import Iris
from rulings.ingest import Report, build_corpus


def measure(sources: list[Path], times: float) -> dict[str, float]:
    """Run the stage once and give its figures."""
    corpus = enlarged(build_corpus(sources, Report()), times)
    figures: dict[str, float] = {"cards": len(corpus.cards), "statements": len(corpus.statements)}

    def used() -> float:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return usage.ru_utime + usage.ru_stime

    @contextmanager
    def timer(name: str) -> Iterator[None]:
        start = used()
        yield
        figures[name] = round(used() - start, 1)

    gc.disable()  # as a build does
    start, wall = used(), time.perf_counter()
    derived = derive(corpus, timer=timer)
    with timer("store"), tempfile.TemporaryDirectory() as folder:
        counts = concept_counts(derived, {key: s.oracle_ids for key, s in corpus.statements.items()})

        def lines() -> Iterator[str]:
            yield from asserted(corpus, Iris(), {})
            yield from derived_lines(corpus, derived, counts, Iris())

        figures["quads"] = write_store(Path(folder) / "graph", lines())
    figures["cpu"], figures["wall"] = round(used() - start, 1), round(time.perf_counter() - wall, 1)
    figures["peak MB"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return figures


def main() -> None:
    """Measure each size in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+", type=Path)
    parser.add_argument("--times", nargs="+", type=float, default=[0.5, 1, 2, 10])
    parser.add_argument("--one", type=float, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one is not None:
        print(json.dumps(measure(args.sources, args.one)))
        return
    former: tuple[float, float] | None = None
    for times in args.times:
        words = [sys.executable, __file__, *map(str, args.sources), "--one", str(times)]
        figures = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
        growth = math.log(figures["cpu"] / former[1]) / math.log(times / former[0]) if former else float("nan")
        print(f"{times:g} times: {figures}  exponent {growth:.2f}", flush=True)
        former = times, figures["cpu"]


if __name__ == "__main__":
    main()
