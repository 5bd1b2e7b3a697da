"""Fuzzes one target by coverage: `python tests/fuzz/atheris_run.py TARGET [-runs=200000 ...]` (extra `fuzz`).

Ends with an error, and the input in a file `crash-...`, at the first that raises, takes over 2 seconds of the
processor, hangs for 20, or comes to use more than 2 GB. Other options are libFuzzer's.
"""

import sys
import tempfile
import time
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["rulings.ingest", "rulings.search.question", "rulings.app.web"]):
    sys.path.insert(0, str(Path(__file__).parent))
    import targets

SLOWEST = 2.0


def main() -> None:
    """Run."""
    name, *options = sys.argv[1:]
    run = targets.target(name)
    slowest = 0.0

    def timed(data: bytes) -> None:
        nonlocal slowest
        start = time.process_time()
        run(data)
        took = time.process_time() - start
        if took > slowest:
            slowest = took
            print(f"slowest so far: {took:.3f} s for {len(data)} bytes", file=sys.stderr)
        if took > SLOWEST:
            raise TimeoutError(f"{took:.1f} s for {len(data)} bytes")

    corpus = Path(tempfile.mkdtemp(prefix=f"fuzz-{name}-"))
    for n, seed in enumerate(targets.seeds(name)):
        (corpus / f"seed-{n}").write_bytes(seed)
        run(seed)  # what is opened once is not what is measured
    usual = ["-runs=200000", "-timeout=20", "-rss_limit_mb=2048", "-max_len=4096", "-print_final_stats=1"]
    atheris.Setup([sys.argv[0], *usual, *options, str(corpus)], timed)
    atheris.Fuzz()


main()
