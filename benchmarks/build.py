"""Time by stage, peak memory and size on disk of a whole build, and times of a cold and a warm question.

    python benchmarks/build.py SOURCE... [--home DIR]

Builds in a process of its own (in a temporary home, or anew in DIR), then asks the same question cold, in new
processes, turn about with an import of sentence-transformers, and warm, beside the encoder's own time for it.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

QUESTION = "If I copy a creature that has counters on it, does the copy get them too?"


def built(sources: list[str], home: Path) -> dict[str, object]:
    """Build once and give the manifest's seconds with the peak memory and the size in MB."""
    from rulings.app.build import build

    start = time.perf_counter()
    made = build([Path(source) for source in sources], home, tell=lambda _: None)
    seconds = made.manifest.seconds | {"whole": round(time.perf_counter() - start, 1)}
    size = sum(path.stat().st_size for path in made.path.rglob("*") if path.is_file())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {"seconds": seconds, "peak MB": peak, "disk MB": size >> 20, "counts": made.manifest.counts}


def cold(home: Path, rounds: int = 5) -> dict[str, float]:
    """Seconds of a cold ``rulings ask`` and of importing sentence-transformers, turn about, and the median ratio."""
    ask = [sys.executable, "-m", "rulings.app.command", "ask", "--home", str(home), QUESTION]
    other = [sys.executable, "-c", "import sentence_transformers"]
    pairs = [(_seconds(ask), _seconds(other)) for _ in range(rounds)]
    ratios = sorted(a / b for a, b in pairs)
    return {
        "cold ask s": round(statistics.median(a for a, _ in pairs), 2),
        "import sentence_transformers s": round(statistics.median(b for _, b in pairs), 2),
        "median ratio": round(statistics.median(ratios), 3),
    }


def _seconds(words: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(words, check=True, capture_output=True)
    return time.perf_counter() - start


def warm(home: Path, rounds: int = 50) -> dict[str, float]:
    """Milliseconds of a warm question and of its encoding alone, turn about, and the median ratio."""
    from rulings.search import Rulings

    kb = Rulings.open(home)
    kb.ask(QUESTION)
    asks, encodes = [], []
    for n in range(rounds):
        question = f"{QUESTION} {n}"
        start = time.perf_counter()
        kb.ask(question)
        asks.append(time.perf_counter() - start)
        start = time.perf_counter()
        kb.encoder.encode_question(question)
        encodes.append(time.perf_counter() - start)
    ratios = [a / b for a, b in zip(asks, encodes, strict=True)]
    return {
        "warm ask ms p50": round(statistics.median(asks) * 1000, 1),
        "warm ask ms p95": round(sorted(asks)[int(0.95 * rounds)] * 1000, 1),
        "encoder ms p50": round(statistics.median(encodes) * 1000, 1),
        "median ratio": round(statistics.median(ratios), 2),
    }


def main() -> None:
    """Run the parts, the build in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="*", help="none: only ask, in the home given")
    parser.add_argument("--home", type=Path)
    parser.add_argument("--part", choices=["build"], help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.part:
        print(json.dumps(built(args.sources, args.home)))
        return
    with tempfile.TemporaryDirectory() as folder:
        home = args.home or Path(folder)
        if args.sources:
            words = [sys.executable, __file__, *args.sources, "--home", str(home), "--part", "build"]
            print("build", subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip(), flush=True)
        print("cold", json.dumps(cold(home)), flush=True)
        print("warm", json.dumps(warm(home)), flush=True)


if __name__ == "__main__":
    main()
