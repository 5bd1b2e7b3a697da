"""What `import rulings.search` brings in, and how a home opens: nothing that isn't needed yet."""

import json
import subprocess
import sys

HEAVY = {
    "bm25s", "networkx", "onnx", "onnxruntime", "pandas", "pyoxigraph", "rdflib", "scipy", "sentence_transformers",
    "starlette", "tokenizers", "torch", "transformers",
}  # fmt: skip


def _run(code, *words):
    command = [sys.executable, "-c", f"import sys, json, time\n{code}", *words]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def test_importing_and_opening_bring_in_no_heavy_library(sample_home):
    code = """
import rulings.search
imported = sorted({name.partition(".")[0] for name in sys.modules})
kb = rulings.search.Rulings.open(sys.argv[1])
kb.generation.manifest.counts
opened = sorted({name.partition(".")[0] for name in sys.modules})
kb.index
print(json.dumps([imported, opened, sorted({name.partition(".")[0] for name in sys.modules})]))"""
    imported, opened, indexed = _run(code, str(sample_home))
    assert "numpy" in imported
    assert not HEAVY & set(imported)
    assert not HEAVY & set(opened)
    assert not HEAVY - {"bm25s", "onnxruntime", "scipy"} & set(indexed)


def test_importing_brings_in_no_reader_of_sources():
    code = "import rulings.search\nprint(json.dumps(sorted(name for name in sys.modules if 'rulings.ingest' in name)))"
    found = _run(code)
    assert "rulings.ingest.archive" in found
    assert not {"rulings.ingest.read", "rulings.ingest.merge", "rulings.ingest.pages"} & set(found)


def test_importing_takes_a_few_times_what_numpy_takes():
    code = "import {}\nprint(time.process_time())"
    ratios = [_run(code.format("rulings.search")) / _run(code.format("numpy")) for _ in range(5)]
    assert min(ratios) < 4, ratios
