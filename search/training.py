"""Tunes an encoder on questions and the rulings that answer them (needs PyTorch)."""

import math
import random
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.graph.records import Alike
from rulings.graph.works_like import works_like as find_alike_cards
from rulings.ingest import Corpus
from rulings.search.adapter import write_adapter
from rulings.search.documents import statement_documents
from rulings.search.encoder import Vectors
from rulings.search.model_folder import ModelFolder
from rulings.search.onnx_graph import BertShape
from rulings.search.training_data import (
    TrainingQuestion,
    alike_documents,
    read_questions,
    set_aside,
)
from rulings.search.training_pairs import card_pairs, swapped_questions
from rulings.search.weights import read_safetensors

Rows = NDArray[np.int64]
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How to train.

    Lengths are in word pieces; ``seed`` fixes order and negatives; ``every`` says which share of the rulings is kept
    aside to judge by (0: none). ``negatives`` are drawn for each question from the ``pool`` nearest wrong documents.
    """

    epochs: int = 2
    seed: int = 7
    batch: int = 32
    negatives: int = 2
    pool: int = 30
    learning_rate: float = 5e-5
    warmup: float = 0.1
    scale: float = 20.0
    swap: float = 0.2
    """How often a document that says the same on another card stands in for the answer."""
    other_cards: float = 0.3
    """How often a question is asked about a card that works like the one it names."""
    card_pairs: float = 0.2
    """How many pairs of a card and a ruling of its own come to each question."""
    question_length: int = 64
    document_length: int = 160
    languages: tuple[str, ...] = ("en",)
    embeddings: bool = False
    every: int = 12
    threads: int = 2


@dataclass(slots=True)
class _Task:
    """What there is to learn.

    ``variants`` are each question's texts, its own first; ``documents`` word pieces; ``same`` the rows of all documents
    that answer each question; ``pairs`` card texts with a ruling's row and ``of_card`` all rows of rulings on that card.
    """

    asked: list[TrainingQuestion]
    variants: list[list[list[int]]]
    documents: list[list[int]]
    same: list[Rows]
    pairs: list[tuple[list[int], int, Rows]]
    near: Rows = field(default_factory=lambda: np.empty((0, 0), np.int64))

    @property
    def questions(self) -> list[list[int]]:
        """The word pieces of the questions as they were asked."""
        return [texts[0] for texts in self.variants]


def train(
    questions: Path,
    corpus: Corpus,
    out: Path,
    folder: Path,
    settings: TrainingSettings | None = None,
    say: Say = print,
    base_vectors: Vectors | None = None, works_like: Mapping[str, Sequence[Alike]] | None = None,
) -> dict[str, float]:
    """Tune the encoder of a model folder and write its adapter after every epoch.

    Args:
        questions: JSON lines, see `read_questions`.
        corpus: the statements to find.
        out: the adapter's file (``.npz``).
        folder: the model to begin with.
        settings: how to train.
        say: takes a line of progress.
        base_vectors: the documents' vectors by the model to begin with, where they are known.
        works_like: for each oracle id the cards most alike, where they are known.

    Returns:
        Figures on the questions kept aside, before (``base ...``) and after.

    Raises:
        ModelError: the folder holds no BERT-like model.
        SourceError: the questions can't be read.
    """
    import torch
    from tokenizers import Tokenizer

    from rulings.search.torch_bert import TorchBert

    settings = settings or TrainingSettings()
    if works_like is None:
        works_like = find_alike_cards(corpus, 12) if settings.other_cards else {}
    torch.manual_seed(settings.seed)
    torch.set_num_threads(settings.threads)
    clock, draw = time.monotonic(), random.Random(settings.seed)
    model, weights = ModelFolder(folder), read_safetensors(folder / "model.safetensors")
    bert = TorchBert(weights, BertShape.of(model.config, model.pooling), embeddings=settings.embeddings)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()

    def pieces(texts: Sequence[str], length: int) -> list[list[int]]:
        tokenizer.enable_truncation(length)
        return [encoding.ids for encoding in tokenizer.encode_batch(list(texts))]

    task = _task(corpus, read_questions(questions, list(corpus.statements)), settings, pieces, works_like)
    matrix = _encode(bert, task.documents) if base_vectors is None else base_vectors
    task.same = _same(alike_documents(corpus, [q.answer for q in task.asked]), task.asked, matrix)
    training, aside = set_aside(task.asked, settings.every)
    say(f"{len(training)} questions to train on, {len(aside)} aside, after {time.monotonic() - clock:.0f} s")
    asked_vectors = _encode(bert, task.questions)
    figures = {
        f"base {name}": value for name, value in judge(asked_vectors, matrix, task.asked, task.same, aside).items()
    }
    say(str(figures))
    parameters = [bert.weights[name] for name in bert.trained]
    optimizer = torch.optim.AdamW(parameters, lr=settings.learning_rate, weight_decay=0.01, fused=True)
    steps, step = settings.epochs * math.ceil(len(training) / settings.batch), 0
    for epoch in range(1, settings.epochs + 1):
        task.near = nearest_wrong(asked_vectors, matrix, task.same, settings.pool)
        draw.shuffle(training)
        losses, since = [], time.monotonic()
        for start in range(0, len(training), settings.batch):
            rate = min(
                (step + 1) / (settings.warmup * steps), max(0.02, (steps - step) / (steps * (1 - settings.warmup)))
            )
            optimizer.param_groups[0]["lr"] = settings.learning_rate * rate
            loss = _loss(bert, task, training[start : start + settings.batch], settings, draw)
            loss.backward()
            bert.collect()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
            bert.refresh()
            losses.append(float(loss.detach()))
            step += 1
            if step % 25 == 0:
                pace = (time.monotonic() - since) / len(losses)
                say(f"step {step} of {steps}: loss {np.mean(losses[-25:]):.3f}, {pace:.2f} s a step")
        size = write_adapter(out, weights, bert.tensors(), model.digest_of("model.safetensors"))
        matrix, asked_vectors = _encode(bert, task.documents), _encode(bert, task.questions)
        after = judge(asked_vectors, matrix, task.asked, task.same, aside)
        say(f"epoch {epoch}: {after}; {out.name} {size / 1e6:.1f} MB, after {time.monotonic() - clock:.0f} s")
        figures |= after
    return figures


def _task(
    corpus: Corpus, asked: list[TrainingQuestion], settings: TrainingSettings,
    pieces: Callable[[Sequence[str], int], list[list[int]]], works_like: Mapping[str, Sequence[Alike]],
) -> _Task:
    asked = [question for question in asked if question.language in settings.languages]
    others = swapped_questions(corpus, asked, works_like)
    variants = [pieces([q.text, *more], settings.question_length) for q, more in zip(asked, others, strict=True)]
    rulings: dict[str, list[int]] = defaultdict(list)
    for row, statement in enumerate(corpus.statements.values()):
        for oracle_id in statement.oracle_ids:
            rulings[oracle_id].append(row)
    found = card_pairs(corpus) if settings.card_pairs else []
    cards = pieces([text for _, text, _ in found], settings.document_length)
    pairs = [(p, row, np.array(rulings[i])) for p, (i, _, row) in zip(cards, found, strict=True)]
    return _Task(asked, variants, pieces(statement_documents(corpus), settings.document_length), [], pairs)


def nearest_wrong(questions: Vectors, documents: Vectors, same: Sequence[Rows], best: int) -> Rows:
    """Return, a row a question, the ``best`` nearest documents (nearest first) that don't answer it.

    Args:
        questions: unit rows.
        documents: unit rows.
        same: for each question the rows of all documents that answer it.
        best: how many.
    """
    found = np.empty((len(questions), best), np.int64)
    for start in range(0, len(questions), 256):
        scores = questions[start : start + 256] @ documents.T
        for i, row in enumerate(scores):
            row[same[start + i]] = -9
            top = np.argpartition(-row, best)[:best]
            found[start + i] = top[np.argsort(-row[top])]
    return found


def judge(
    questions: Vectors, documents: Vectors, asked: Sequence[TrainingQuestion], same: Sequence[Rows], rows: Sequence[int]
) -> dict[str, float]:
    """Return hit@1, hit@5 and the mean reciprocal rank (first ten) for some rows of questions, of all kinds and each."""
    ranks: dict[str, list[int]] = {"all": []}
    for i in rows:
        scores = documents @ questions[i]
        rank = int((scores > scores[same[i]].max()).sum())
        for kind in ("all", asked[i].kind):
            ranks.setdefault(kind, []).append(rank)
    figures = {}
    for kind, found in ranks.items():
        rank_array = np.array(found)
        figures[f"{kind} hit@1"] = round(float((rank_array < 1).mean()), 4)
        figures[f"{kind} hit@5"] = round(float((rank_array < 5).mean()), 4)
        figures[f"{kind} mrr@10"] = round(float(np.where(rank_array < 10, 1 / (rank_array + 1), 0).mean()), 4)
    return figures


def _same(alike: dict[int, Rows], asked: Sequence[TrainingQuestion], matrix: Vectors) -> list[Rows]:
    rows = np.array(sorted(alike))
    near: dict[int, Rows] = {}
    for start in range(0, len(rows), 256):
        for row, scores in zip(rows[start : start + 256], matrix[rows[start : start + 256]] @ matrix.T, strict=True):
            near[int(row)] = np.union1d(alike[int(row)], np.flatnonzero(scores > 0.9))
    return [near[question.answer] for question in asked]


def _encode(bert: Any, pieces: Sequence[Sequence[int]]) -> Vectors:  # noqa: ANN401
    order = sorted(range(len(pieces)), key=lambda i: len(pieces[i]))
    result: Vectors = np.empty((len(pieces), bert.weights["embeddings.LayerNorm.weight"].shape[0]), np.float32)
    with bert.torch.inference_mode():
        for start in range(0, len(order), 64):
            rows = order[start : start + 64]
            result[rows] = bert.vectors([pieces[i] for i in rows]).numpy()
    return result


def _loss(bert: Any, task: _Task, rows: Sequence[int], settings: TrainingSettings, draw: random.Random) -> Any:  # noqa: ANN401
    """Each question must find its answer among all documents of the batch, and each answer its question."""
    torch = bert.torch
    asked, chosen, same = [], [], []
    for i in rows:
        others = task.variants[i][1:]
        asked.append(draw.choice(others) if others and draw.random() < settings.other_cards else task.variants[i][0])
        chosen.append(int(draw.choice(task.same[i])) if draw.random() < settings.swap else task.asked[i].answer)
        same.append(task.same[i])
    for pieces, answer, of_card in draw.sample(task.pairs, min(len(task.pairs), round(len(rows) * settings.card_pairs))):
        asked.append(pieces)
        chosen.append(answer)
        same.append(of_card)
    for i in rows:
        chosen += [int(task.near[i][draw.randrange(task.near.shape[1])]) for _ in range(settings.negatives)]
    vectors = bert.vectors(asked + [task.documents[i] for i in chosen])
    count = len(asked)
    scores = settings.scale * vectors[:count] @ vectors[count:].T
    hide = np.stack([np.isin(chosen, right) for right in same])
    hide[np.arange(count), np.arange(count)] = False
    scores = scores.masked_fill(torch.from_numpy(hide), -1e4)
    target = torch.arange(count)
    there = torch.nn.functional.cross_entropy(scores, target)
    return there + 0.3 * torch.nn.functional.cross_entropy(scores[:, :count].T, target)
