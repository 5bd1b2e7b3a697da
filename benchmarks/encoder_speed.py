"""Times the encoder against the bare onnxruntime session on the same documents, and a single question.

usage: encoder_speed.py [--count N] [--threads N] SOURCE...
"""

import argparse
import random
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from rulings.ingest.read import build_corpus
from rulings.search.documents import statement_documents
from rulings.search.encoder import open_encoder
from rulings.search.model_folder import packaged_folder
from rulings.search.runtime import load_onnxruntime


def bare(graph: Path, texts: list[str], threads: int, batch: int = 32) -> float:
    """Return the seconds that a session of default options needs, in padded batches sorted by length."""
    options = load_onnxruntime().SessionOptions()
    options.intra_op_num_threads = threads
    session = load_onnxruntime().InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(packaged_folder() / "tokenizer.json"))
    tokenizer.enable_truncation(256)
    tokenizer.enable_padding()
    start = time.perf_counter()
    ordered = sorted(texts, key=len)
    for first in range(0, len(ordered), batch):
        encodings = tokenizer.encode_batch(ordered[first : first + batch])
        ids = np.array([e.ids for e in encodings], np.int32)
        session.run(None, {"ids": ids, "mask": np.array([e.attention_mask for e in encodings], np.int32)})
    return time.perf_counter() - start


def main() -> None:
    """Print seconds, texts a second, and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+", type=Path, metavar="SOURCE")
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    documents = statement_documents(build_corpus(args.sources))
    texts = random.Random(0).sample(documents, min(args.count, len(documents)))
    with tempfile.TemporaryDirectory() as folder:
        open_encoder(None, Path(folder), args.threads)
        start = time.perf_counter()
        encoder = open_encoder(None, Path(folder), args.threads)
        print(f"open with a written graph: {time.perf_counter() - start:.2f} s")
        (graph,) = Path(folder).glob("*.onnx")
        ours, theirs = [], []
        for _ in range(3):  # in turns, so that other work on the machine falls on both
            start = time.perf_counter()
            encoder.encode(texts)
            ours.append(time.perf_counter() - start)
            theirs.append(bare(graph, texts, args.threads))
        once = []
        for text in texts[:100]:
            start = time.perf_counter()
            encoder.encode_question(text[:120])
            once.append(1000 * (time.perf_counter() - start))
    print(f"ours {min(ours):.2f} s, {len(texts) / min(ours):.0f} texts a second")
    print(f"bare session {min(theirs):.2f} s; ours takes {min(ours) / min(theirs):.2f} times as long")
    print(f"one question: median {statistics.median(once):.1f} ms")


if __name__ == "__main__":
    main()
