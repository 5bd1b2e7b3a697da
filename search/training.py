"""Tunes an encoder on questions and the rulings that answer them (needs PyTorch)."""

import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rulings.graph.records import Alike
from rulings.graph.works_like import works_like as find_alike_cards
from rulings.ingest import Corpus
from rulings.search.adapter import Adapter, write_adapter
from rulings.search.encoder import Vectors
from rulings.search.model_folder import ModelFolder
from rulings.search.onnx_graph import BertShape
from rulings.search.torch_bert import TorchBert
from rulings.search.training_data import alike_documents, read_questions, set_aside
from rulings.search.training_task import (
    TrainingSettings,
    TrainingTask,
    judge,
    nearest_wrong,
    same_answers,
    training_task,
)
from rulings.search.weights import read_safetensors

Say = Callable[[str], None]

SAVED = 70
"""After so many steps the adapter is written, so that a long run that is cut short has left one."""


def train(
    questions: Path,
    corpus: Corpus,
    out: Path,
    folder: Path,
    settings: TrainingSettings | None = None,
    say: Say = print,
    base_vectors: Vectors | None = None,
    works_like: Mapping[str, Sequence[Alike]] | None = None,
    start: Path | None = None,
    gloss: Callable[[str], str] | None = None,
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
        start: an adapter to go on from, written by an earlier training of the same model.
        gloss: makes the English that the search encodes out of a question in another language; None: as they are.

    Returns:
        Figures on the questions kept aside, before (``base ...``) and after.

    Raises:
        ModelError: the folder holds no BERT-like model.
        SourceError: the questions can't be read.
    """
    import torch
    from tokenizers import Tokenizer

    settings = settings or TrainingSettings()
    if works_like is None:
        works_like = find_alike_cards(corpus, 12) if settings.other_cards else {}
    torch.manual_seed(settings.seed)
    torch.set_num_threads(settings.threads)
    clock, draw = time.monotonic(), random.Random(settings.seed)  # noqa: S311
    model, weights = ModelFolder(folder), read_safetensors(folder / "model.safetensors")
    begun = Adapter.read(start).apply(weights) if start else weights
    bert = TorchBert(
        begun, BertShape.of(model.config, model.pooling), first=settings.first_layer, embeddings=settings.embeddings
    )
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()

    def pieces(texts: Sequence[str], length: int) -> list[list[int]]:
        tokenizer.enable_truncation(length)
        return [encoding.ids for encoding in tokenizer.encode_batch(list(texts))]

    asked = read_questions(questions, list(corpus.statements))
    if gloss:
        asked = [q if q.language == "en" else replace(q, text=gloss(q.text)) for q in asked]
    task = training_task(corpus, asked, settings, pieces, works_like)
    matrix = encode_pieces(bert, task.documents) if base_vectors is None else base_vectors
    task.same = same_answers(alike_documents(corpus, [q.answer for q in task.asked]), task.asked, matrix)
    training, aside = set_aside(task.asked, settings.every)
    say(f"{len(training)} questions to train on, {len(aside)} aside, after {time.monotonic() - clock:.0f} s")
    asked_vectors = encode_pieces(bert, task.questions)
    others = draw.sample(range(len(task.documents)), min(settings.panel, len(task.documents)))
    panel = sorted({q.answer for q in task.asked} | set(others))
    shown = np.zeros_like(matrix)
    shown[panel] = encode_pieces(bert, [task.documents[i] for i in panel]) if start else matrix[panel]
    matrix = shown if start else matrix
    before = judge(asked_vectors, shown, task.asked, task.same, aside)
    figures = {f"base {name}": value for name, value in before.items()}
    say(f"before: {before}")
    steps = _Steps(bert, task, settings, settings.epochs * math.ceil(len(training) / settings.batch), draw, say)
    for epoch in range(1, settings.epochs + 1):
        task.near = nearest_wrong(asked_vectors, matrix, task.same, settings.pool)
        draw.shuffle(training)
        for first in range(0, len(training), settings.batch):
            steps.take(training[first : first + settings.batch])
            if len(steps.losses) % SAVED == 0:
                write_adapter(out, weights, bert.tensors(), model.digest_of("model.safetensors"))
        size = write_adapter(out, weights, bert.tensors(), model.digest_of("model.safetensors"))
        shown[panel], asked_vectors = (
            encode_pieces(bert, [task.documents[i] for i in panel]),
            encode_pieces(bert, task.questions),
        )
        matrix = shown
        after = judge(asked_vectors, shown, task.asked, task.same, aside)
        say(f"epoch {epoch}: {after}; {out.name} {size / 1e6:.1f} MB, after {time.monotonic() - clock:.0f} s")
        figures |= after
    return figures


class _Steps:
    """Steps of the optimizer, with a rate that first climbs and then falls to nothing."""

    def __init__(
        self,
        bert: TorchBert,
        task: TrainingTask,
        settings: TrainingSettings,
        count: int,
        draw: random.Random,
        say: Say,
    ) -> None:
        self.bert, self.task, self.settings, self.count, self.draw, self.say = bert, task, settings, count, draw, say
        self.parameters = [bert.weights[name] for name in bert.trained]
        rate, fused = settings.learning_rate, True
        self.optimizer = bert.torch.optim.AdamW(self.parameters, lr=rate, weight_decay=0.01, fused=fused)
        self.losses: list[float] = []
        self.since = time.monotonic()

    def take(self, rows: Sequence[int]) -> None:
        """Take one step on a batch of questions."""
        step, warm = len(self.losses), self.settings.warmup * self.count
        rate = min((step + 1) / warm, max(0.02, (self.count - step) / (self.count - warm)))
        self.optimizer.param_groups[0]["lr"] = self.settings.learning_rate * rate
        loss = _loss(self.bert, self.task, rows, self.settings, self.draw)
        loss.backward()
        self.bert.collect()
        self.bert.torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimizer.step()
        self.bert.refresh()
        self.losses.append(float(loss.detach()))
        if len(self.losses) % 25 == 0:
            pace = (time.monotonic() - self.since) / 25
            self.since = time.monotonic()
            self.say(f"step {step + 1} of {self.count}: loss {np.mean(self.losses[-25:]):.3f}, {pace:.2f} s a step")


def encode_pieces(bert: TorchBert, pieces: Sequence[Sequence[int]]) -> Vectors:
    """Return unit rows for texts given as word pieces, in order, without gradients."""
    order = sorted(range(len(pieces)), key=lambda i: len(pieces[i]))
    result: Vectors = np.empty((len(pieces), bert.weights["embeddings.LayerNorm.weight"].shape[0]), np.float32)
    with bert.torch.inference_mode():
        for start in range(0, len(order), 64):
            rows = order[start : start + 64]
            result[rows] = bert.vectors([pieces[i] for i in rows]).numpy()
    return result


def _loss(
    bert: TorchBert, task: TrainingTask, rows: Sequence[int], settings: TrainingSettings, draw: random.Random
) -> Any:  # noqa: ANN401 - a tensor; torch has to stay an extra
    """Each question must find its answer among all documents of the batch, and each answer its question."""
    torch = bert.torch
    asked, chosen, same, cards = [], [], [], []
    for place, i in enumerate(rows):
        others = task.variants[i][1:]
        swapped = bool(others) and draw.random() < settings.other_cards
        asked.append(draw.choice(others) if swapped else task.variants[i][0])
        if not swapped and (card := task.cards[i]) and draw.random() < settings.cards:
            cards.append((place, *card))
        chosen.append(int(draw.choice(task.same[i])) if draw.random() < settings.swap else task.asked[i].answer)
        same.append(task.same[i])
    for pieces, answer, of_card in draw.sample(
        task.pairs, min(len(task.pairs), round(len(rows) * settings.card_pairs))
    ):
        asked.append(pieces)
        chosen.append(answer)
        same.append(of_card)
    for i in rows:
        chosen += [int(task.near[i][draw.randrange(task.near.shape[1])]) for _ in range(settings.negatives)]
    vectors = bert.vectors(asked + [task.documents[i] for i in chosen] + [pieces for _, _, pieces in cards])
    count, stop = len(asked), len(asked) + len(chosen)
    scores = settings.scale * vectors[:count] @ vectors[count:stop].T
    hide = np.stack([np.isin(chosen, right) for right in same])
    hide[np.arange(count), np.arange(count)] = False
    scores = scores.masked_fill(torch.from_numpy(hide), -1e4)
    target = torch.arange(count)
    there = torch.nn.functional.cross_entropy(scores, target)
    loss = there + 0.3 * torch.nn.functional.cross_entropy(scores[:, :count].T, target)
    if len(cards) > 1:
        names = np.array([name for _, name, _ in cards])
        again = torch.from_numpy((names[:, None] == names) & ~np.eye(len(names), dtype=bool))
        found = settings.scale * vectors[[place for place, _, _ in cards]] @ vectors[stop:].T
        found = found.masked_fill(again, -1e4)
        loss = loss + 0.5 * torch.nn.functional.cross_entropy(found, torch.arange(len(cards)))
    return loss
