"""Ours beside bm25s, txtai (hybrid) and plain sentence-transformers search, on the same statements and questions.

usage: side_by_side.py QUESTIONS.jsonl [--home DIR] [--page docs/quality.md] [--only NAME...]

Each runs in a process of its own. All get the same documents (first card's name and text). Both vector searches get our
tuned weights as a sentence-transformers folder, and the vectors of the home, so that only the search differs. For the
build times sentence-transformers encodes a sample of the documents, scaled to all; ours is the time that the home's
manifest tells for everything but reading and encoding, the graph included, and encoding at the same pace.
"""

import argparse
import json
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sections import markdown_table, put_section

from rulings.search import Rulings
from rulings.search.adapter import DEFAULT, Adapter
from rulings.search.documents import statement_documents
from rulings.search.evaluate import DEPTH, MOST_SAME, Question, read_questions, score_ranking
from rulings.search.generation import default_home
from rulings.search.model_folder import packaged_folder
from rulings.search.weights import read_safetensors

Ask = Callable[[str], list[list[str]]]
STAGES = ("records", "derive", "links", "lines", "graph and index", "index", "graph")
"""Of a build, without reading and encoding; the manifest has the parts of ``derive`` beside the whole."""
SAMPLE = 1000
"""So many documents are encoded to tell how long all would take."""
NAMES = ("bm25s", "sentence-transformers", "txtai", "rulings")


def tuned_folder(place: Path) -> Path:
    """The packaged model with the adapter added, as a folder that sentence-transformers loads."""
    from safetensors.numpy import save_file

    shutil.copytree(packaged_folder(), place)
    weights = read_safetensors(packaged_folder() / "model.safetensors")
    tuned = Adapter.read(DEFAULT).apply(weights)
    (place / "model.safetensors").unlink()
    save_file({name: np.ascontiguousarray(values) for name, values in tuned.items()}, place / "model.safetensors")
    return place


def documents(home: Path) -> tuple[list[str], list[str]]:
    """The keys of all statements and their documents."""
    corpus = Rulings.open(home).generation.archive.corpus()
    return list(corpus.statements), statement_documents(corpus)


def ask_bm25s(keys: list[str], texts: list[str], _: Path) -> Ask:
    """BM25 as bm25s comes, with its English stop words."""
    import bm25s

    index = bm25s.BM25()
    index.index(bm25s.tokenize(texts, stopwords="en", show_progress=False), show_progress=False)

    def ask(question: str) -> list[list[str]]:
        terms = bm25s.tokenize([question], stopwords="en", show_progress=False)
        rows, _ = index.retrieve(terms, k=DEPTH, show_progress=False)
        return [[keys[row]] for row in rows[0].tolist()]

    return ask


def ask_sentence_transformers(keys: list[str], _: list[str], work: Path) -> Ask:
    """Nearest vectors, as in the library's own examples."""
    from sentence_transformers import SentenceTransformer, util

    model = SentenceTransformer(str(work / "model"), device="cpu")
    vectors = np.load(work / "vectors.npy")

    def ask(question: str) -> list[list[str]]:
        found = util.semantic_search(model.encode([question], show_progress_bar=False), vectors, top_k=DEPTH)
        return [[keys[hit["corpus_id"]]] for hit in found[0]]

    return ask


def encoding_seconds(texts: list[str], work: Path) -> float:
    """How long sentence-transformers takes for all texts, from a sample of them."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(work / "model"), device="cpu")
    sample = random.Random(0).sample(texts, min(SAMPLE, len(texts)))
    model.encode(sample[:32], show_progress_bar=False)
    start = time.perf_counter()
    found = model.encode(sample, batch_size=32, show_progress_bar=False)
    seconds = time.perf_counter() - start
    known = dict(zip(texts, np.load(work / "vectors.npy"), strict=True))
    likeness = min(float(row @ known[text]) for row, text in zip(found, sample, strict=True))
    if likeness < 0.98:
        raise SystemExit(f"the home's vectors are not by these weights (a cosine of {likeness:.3f}); build it again")
    return seconds * len(texts) / len(sample)


def ask_txtai(keys: list[str], texts: list[str], work: Path) -> Ask:
    """The hybrid of vectors and BM25 of txtai, with its own weights for both."""
    from sentence_transformers import SentenceTransformer
    from txtai import Embeddings

    model = SentenceTransformer(str(work / "model"), device="cpu")
    vectors = np.load(work / "vectors.npy")
    known = dict(zip(texts, vectors, strict=True))

    def encode(some: list[str]) -> np.ndarray:
        if all(text in known for text in some):
            return np.stack([known[text] for text in some])
        return model.encode(list(some), show_progress_bar=False)

    index = Embeddings(method="external", transform=encode, hybrid=True)
    index.index((n, text, None) for n, text in enumerate(texts))

    def ask(question: str) -> list[list[str]]:
        return [[keys[row]] for row, _ in index.search(question, DEPTH)]

    return ask


def ask_rulings(home: Path) -> Ask:
    """Ours; wordings shown under one result count as that result, and a declined question has none."""
    kb = Rulings.open(home)
    by_text = kb.index.keys

    def ask(question: str) -> list[list[str]]:
        answer = kb.ask(question, DEPTH)
        found = []
        for result in answer.results if answer.answered else ():
            row = kb.index.place(result.key)
            members = kb.index.members(row)[: MOST_SAME + 1].tolist() if row is not None else []
            found.append([result.key, *(by_text[m] for m in members)])
        return found

    return ask


def measure(name: str, home: Path, questions: list[Question], work: Path) -> dict[str, object]:
    """Build (or open) one search, ask all questions, and give quality, seconds, milliseconds and megabytes."""
    if name == "rulings":
        seconds = Rulings.open(home).generation.manifest.seconds
        built = sum(seconds.get(stage, 0.0) for stage in STAGES)
        ask = ask_rulings(home)
    else:
        keys, texts = documents(home)
        start = time.perf_counter()
        make = {"bm25s": ask_bm25s, "sentence-transformers": ask_sentence_transformers, "txtai": ask_txtai}[name]
        ask = make(keys, texts, work)
        built = time.perf_counter() - start
    figures, times = defaultdict(list), []
    ask(questions[0].question)
    for question in questions:
        start = time.perf_counter()
        results = ask(question.question)
        times.append(time.perf_counter() - start)
        if question.gold:
            kind = "all" if question.language == "en" else "translated"
            found = score_ranking(question.gold, results)
            for row in dict.fromkeys((kind, question.kind if kind == "all" else kind)):
                figures[row].append(found)
    means = {row: {f: float(np.mean([one[f] for one in found])) for f in found[0]} for row, found in figures.items()}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    p95 = float(np.quantile(times, 0.95))
    return {"built": built, "p50": statistics.median(times) * 1000, "p95": p95 * 1000, "MB": peak, "figures": means}


def table(found: dict[str, dict]) -> str:  # type: ignore[type-arg]
    """A row a search."""
    rows = []
    for name, one in found.items():
        figures = one["figures"]
        whole = figures["all"]
        kinds = [
            f"{figures[kind]['hit@5']:.3f}" if kind in figures else "" for kind in ("sibling", "two-card", "translated")
        ]
        rows.append([name, *(f"{whole[f]:.3f}" for f in ("hit@1", "hit@5", "ndcg@10")), *kinds, f"{one['built']:.0f}"])
        rows[-1] += [f"{one['p50']:.1f}", f"{one['p95']:.1f}", f"{one['MB']:.0f}"]
    head = ["", "hit@1", "hit@5", "nDCG@10", "sibling hit@5", "two-card hit@5", "translated hit@5"]
    return markdown_table([*head, "build, s", "question p50, ms", "p95, ms", "peak memory, MB"], rows)


def main() -> None:
    """Measure each in its own process and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--home", type=Path, default=default_home())
    parser.add_argument("--page", type=Path, default=Path("docs/quality.md"))
    parser.add_argument("--only", nargs="+", choices=NAMES, default=list(NAMES))
    parser.add_argument("--part", help=argparse.SUPPRESS)
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.part:
        print(json.dumps(measure(args.part, args.home, read_questions(args.questions), args.work)))
        return
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        work = args.work or Path(folder)
        if not (work / "model").is_dir():
            tuned_folder(work / "model")
            np.save(work / "vectors.npy", Rulings.open(args.home).index.statements)
        for name in args.only:
            words = [sys.executable, __file__, str(args.questions), "--home", str(args.home), "--part", name]
            out = subprocess.run([*words, "--work", str(work)], check=True, capture_output=True, text=True)
            found[name] = json.loads(out.stdout.splitlines()[-1])
            print(name, found[name], flush=True)
        _, texts = documents(args.home)
        encoding = encoding_seconds(texts, work)
        for name in found.keys() - {"bm25s"}:
            found[name]["built"] += encoding
    put_section(args.page, f"side by side on {args.questions.name}", table(found))
    print(table(found))


if __name__ == "__main__":
    main()
