"""``rulings train``: the encoder's adapter, the ranker and the confidence from questions whose ruling is known."""

import argparse
import importlib.util
import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from rulings.app.errors import UsageError
from rulings.app.home import generation_of, home_of
from rulings.app.output import Progress, note, say
from rulings.graph.concepts import ConceptScheme
from rulings.graph.derive import derive
from rulings.graph.records import Vectors
from rulings.graph.works_like import works_like
from rulings.ingest import Corpus
from rulings.search import Rulings
from rulings.search.documents import rule_documents, statement_documents
from rulings.search.encoder import Encoder
from rulings.search.index import Index, write_index
from rulings.search.model_folder import packaged_folder
from rulings.search.onnx_encoder import OnnxEncoder
from rulings.search.ranker_fit import RankerFit
from rulings.search.training import train
from rulings.search.training_data import read_questions
from rulings.search.vectors import VectorCache, embed

ALIKE = 15
"""So many cards that work like it stand in for each card that a question names."""


def run(args: argparse.Namespace) -> None:
    """Train what was asked for, write it into the output folder, and print the figures as JSON."""
    if importlib.util.find_spec("torch") is None:
        raise UsageError("training needs PyTorch, which is no part of this package: pip install torch")
    if not args.questions.is_file():
        raise UsageError(f"{args.questions}: no such file; name a file of questions with id, question and key")
    generation, cache = generation_of(args), home_of(args) / "cache"
    kb = Rulings(generation, cache=cache)
    if not read_questions(args.questions, kb.index.keys):
        raise UsageError(f"{args.questions}: no question on a ruling of {home_of(args)}; name the home built with them")
    args.output.mkdir(parents=True, exist_ok=True)
    figures: dict[str, dict[str, float]] = {}
    if args.only == "ranker":
        figures["ranker"] = fit_ranker(args.questions, kb.index, kb.encoder, args.output)
    else:
        corpus = generation.archive.corpus()
        figures["encoder"] = train_encoder(
            args.questions, corpus, args.output / "tuned.npz", cache, lambda text: kb.reader.read(text).english
        )
    if args.only is None:
        # The ranker must see the vectors that it will be used with.
        tuned = OnnxEncoder(packaged_folder(), args.output / "tuned.npz", cache, name="tuned")
        with tempfile.TemporaryDirectory() as folder:
            index = index_by(tuned, corpus, Path(folder) / "index", cache)
            figures["ranker"] = fit_ranker(args.questions, index, tuned, args.output)
    say(json.dumps(figures, indent=1))


def train_encoder(
    questions: Path, corpus: Corpus, out: Path, cache: Path, gloss: Callable[[str], str]
) -> dict[str, float]:
    """Tune the packaged weights with the settings of the shipped adapter, and give the figures.

    ``gloss`` makes the English that the search encodes out of a question in another language.
    """
    folder = packaged_folder()
    base = _embedded(OnnxEncoder(folder, None, cache, name="untuned"), statement_documents(corpus), cache)
    alike = works_like(corpus, ALIKE)
    return train(questions, corpus, out, folder, say=note, base_vectors=base, works_like=alike, gloss=gloss)


def index_by(encoder: Encoder, corpus: Corpus, folder: Path, cache: Path) -> Index:
    """Write and open an index of the corpus whose vectors are an encoder's."""
    statements, rules = statement_documents(corpus), rule_documents(corpus)
    found = _embedded(encoder, [*statements, *rules], cache)
    vectors = Vectors(statements=found[: len(statements)], rules=found[len(statements) :] if rules else None)
    derived = derive(corpus, vectors, ConceptScheme.from_corpus(corpus))
    write_index(folder, corpus, derived, encoder, vectors)
    return Index.open(folder)


def fit_ranker(questions: Path, index: Index, encoder: Encoder, out: Path) -> dict[str, float]:
    """Fit the ranker and the confidence, write ``ranker.json`` and ``confidence.json``, and give the figures."""
    try:
        fitted = RankerFit(index, encoder, note).fit(read_questions(questions, index.keys))
    except ValueError as error:
        raise UsageError(f"{questions}: {error}; take more questions, on rulings of this home") from error
    ranker = json.dumps(fitted.ranker.to_json(), separators=(",", ":"))
    (out / "ranker.json").write_text(ranker, encoding="utf-8")
    (out / "confidence.json").write_text(json.dumps(fitted.confidence, indent=1), encoding="utf-8")
    return fitted.figures


def _embedded(encoder: Encoder, texts: list[str], cache: Path) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    progress = Progress("embedding", len(texts))
    found = embed(encoder, texts, VectorCache(cache), progress)
    progress.close()
    return found
