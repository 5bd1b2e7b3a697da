"""Tunes an encoder on questions and the rulings that answer them (needs PyTorch)."""

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.ingest import Corpus
from rulings.search.training_data import (
    TrainingQuestion,
    alike_documents,
    read_questions,
    set_aside,
    training_documents,
)

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How to train. Lengths are in word pieces; ``seed`` fixes order, negatives and set-aside rulings."""

    epochs: int = 2
    seed: int = 7
    batch: int = 32
    negatives: int = 1
    learning_rate: float = 4e-5
    warmup: float = 0.1
    scale: float = 20.0
    question_length: int = 64
    document_length: int = 160
    languages: tuple[str, ...] = ("en",)
    embeddings: bool = False
    every: int = 12
    threads: int = 2


class Trainer:
    """A BERT-like encoder being trained, with mean pooling and unit vectors."""

    def __init__(self, folder: Path, settings: TrainingSettings) -> None:
        import torch
        from tokenizers import Tokenizer
        from transformers import AutoModel

        torch.manual_seed(settings.seed)
        torch.set_num_threads(settings.threads)
        self.torch, self.settings = torch, settings
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        # drop-out is off: on a CPU its random numbers cost more than all matrix products, and a few epochs do without
        self.model: Any = AutoModel.from_pretrained(
            str(folder), attn_implementation="sdpa", hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
            dtype=torch.float32,
        )
        for name, parameter in self.model.named_parameters():
            trained = "encoder.layer" in name or (settings.embeddings and "word_embeddings" in name)
            parameter.requires_grad_(trained)

    def pieces(self, texts: Sequence[str], length: int) -> list[list[int]]:
        """Return each text's word pieces, cut at ``length``."""
        self.tokenizer.enable_truncation(length)
        return [encoding.ids for encoding in self.tokenizer.encode_batch(list(texts))]

    def vectors(self, pieces: Sequence[Sequence[int]], chunk: int = 32) -> Any:
        """Encode word pieces to unit rows (a tensor that carries gradients where they are on), sorted by length inside."""
        torch = self.torch
        order = sorted(range(len(pieces)), key=lambda i: len(pieces[i]))
        parts = []
        for start in range(0, len(order), chunk):
            some = [pieces[i] for i in order[start : start + chunk]]
            width = max(map(len, some))
            ids, mask = torch.zeros(len(some), width, dtype=torch.long), torch.zeros(len(some), width)
            for i, row in enumerate(some):
                ids[i, : len(row)] = torch.tensor(row)
                mask[i, : len(row)] = 1
            with torch.autocast("cpu", dtype=torch.bfloat16):
                hidden = self.model(input_ids=ids, attention_mask=mask.long()).last_hidden_state.float()
            pooled = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
            parts.append(torch.nn.functional.normalize(pooled, dim=-1))
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return torch.cat(parts)[back]

    def encode(self, pieces: Sequence[Sequence[int]]) -> Floats:
        """Encode without gradients."""
        self.model.eval()
        order = sorted(range(len(pieces)), key=lambda i: len(pieces[i]))
        result = np.empty((len(pieces), self.model.config.hidden_size), np.float32)
        with self.torch.inference_mode():
            for start in range(0, len(order), 128):
                some = order[start : start + 128]
                result[some] = self.vectors([pieces[i] for i in some], 128).numpy()
        return result

    def weights(self) -> dict[str, Floats]:
        """Return the trained tensors by name."""
        return {n: p.detach().numpy().copy() for n, p in self.model.named_parameters() if p.requires_grad}


def hard_negatives(questions: Floats, documents: Floats, same: Sequence[NDArray[np.int64]], best: int = 30) -> NDArray[np.int64]:
    """Return, a row a question, the ``best`` nearest documents that are no answer.

    Args:
        questions: unit rows.
        documents: unit rows.
        same: for each question the rows of its answer and of all that say the same.
        best: how many.
    """
    found = np.empty((len(questions), best), np.int64)
    for i, question in enumerate(questions):
        scores = documents @ question
        scores[same[i]] = -9
        top = np.argpartition(-scores, best)[:best]
        found[i] = top[np.argsort(-scores[top])]
    return found


def hits(questions: Floats, documents: Floats, same: Sequence[NDArray[np.int64]]) -> dict[str, float]:
    """Return hit@1, hit@5 and the mean reciprocal rank (of ten) of the first right document."""
    ranks = []
    for question, right in zip(questions, same, strict=True):
        scores = documents @ question
        ranks.append(int((scores > scores[right].max()).sum()))
    rank = np.array(ranks)
    return {"hit@1": float((rank < 1).mean()), "hit@5": float((rank < 5).mean()),
            "mrr@10": float(np.where(rank < 10, 1 / (rank + 1), 0).mean())}


def train(
    questions: Path, corpus: Corpus, out: Path, settings: TrainingSettings, folder: Path, say: Callable[[str], None] = print,
) -> dict[str, float]:
    """Tune the encoder in ``folder`` and save the trained tensors after every epoch.

    Args:
        questions: JSON lines, see `read_questions`.
        corpus: the statements to find.
        out: an ``.npz`` file for the trained tensors.
        settings: how to train.
        folder: the model to begin with.
        say: takes a line of progress.

    Returns:
        Figures on the questions kept aside, before (``base ...``) and after.
    """
    clock, draw = time.monotonic(), random.Random(settings.seed)
    trainer = Trainer(folder, settings)
    torch = trainer.torch
    keys, documents = training_documents(corpus)
    asked = [q for q in read_questions(questions, keys) if q.language in settings.languages]
    alike = alike_documents(corpus, [q.answer for q in asked])
    question_pieces = trainer.pieces([q.text for q in asked], settings.question_length)
    document_pieces = trainer.pieces(documents, settings.document_length)
    base = trainer.encode(document_pieces)
    same = [np.union1d(alike[q.answer], np.flatnonzero(base @ base[q.answer] > 0.9)) for q in asked]
    training, aside = set_aside(asked, settings.every)
    say(f"{len(training)} questions to train on, {len(aside)} aside, {time.monotonic() - clock:.0f} s")

    def judge(matrix: Floats, asked_vectors: Floats) -> dict[str, float]:
        figures = {}
        for kind in ("all", *sorted({asked[i].kind for i in aside})):
            rows = [i for i in aside if kind in ("all", asked[i].kind)]
            for name, value in hits(asked_vectors[rows], matrix, [same[i] for i in rows]).items():
                figures[f"{kind} {name}"] = round(value, 4)
        return figures

    asked_vectors, matrix = trainer.encode(question_pieces), base
    result = {f"base {name}": value for name, value in judge(matrix, asked_vectors).items()}
    say(f"base {judge(matrix, asked_vectors)}")
    parameters = [p for p in trainer.model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(parameters, lr=settings.learning_rate, weight_decay=0.01)
    steps = settings.epochs * math.ceil(len(training) / settings.batch)
    step = 0
    for epoch in range(settings.epochs):
        near = hard_negatives(asked_vectors, matrix, same)
        order = training.copy()
        draw.shuffle(order)
        trainer.model.train()
        total, since = 0.0, time.monotonic()
        for start in range(0, len(order), settings.batch):
            rows = order[start : start + settings.batch]
            for group in optimizer.param_groups:
                warm = min(1.0, (step + 1) / (settings.warmup * steps))
                group["lr"] = settings.learning_rate * warm * max(0.02, 1 - step / steps)
            loss = _loss(trainer, rows, asked, near, same, question_pieces, document_pieces, draw)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
            total, step = total + float(loss.detach()), step + 1
            if step % 20 == 0:
                say(f"step {step} of {steps}: loss {total / 20:.3f}, {(time.monotonic() - since) / 20:.2f} s a step")
                total, since = 0.0, time.monotonic()
        np.savez(out, **trainer.weights())
        matrix, asked_vectors = trainer.encode(document_pieces), trainer.encode(question_pieces)
        figures = judge(matrix, asked_vectors)
        say(f"epoch {epoch + 1}: {figures}, {time.monotonic() - clock:.0f} s")
    return result | figures


def _loss(
    trainer: Trainer, rows: Sequence[int], asked: Sequence[TrainingQuestion], near: NDArray[np.int64],
    same: Sequence[NDArray[np.int64]], question_pieces: Sequence[Sequence[int]], document_pieces: Sequence[Sequence[int]],
    draw: random.Random,
) -> Any:
    """Return the loss of a batch: each question must find its answer among all answers and hard negatives of the batch."""
    torch, settings = trainer.torch, trainer.settings
    chosen = [asked[i].answer for i in rows]
    for i in rows:
        chosen += [int(near[i][draw.randrange(near.shape[1])]) for _ in range(settings.negatives)]
    columns = np.array(chosen)
    left = trainer.vectors([question_pieces[i] for i in rows])
    right = trainer.vectors([document_pieces[i] for i in chosen])
    scores = settings.scale * left @ right.T
    hide = np.stack([np.isin(columns, same[i]) for i in rows])
    hide[np.arange(len(rows)), np.arange(len(rows))] = False
    scores = scores.masked_fill(torch.from_numpy(hide), -1e4)
    target = torch.arange(len(rows))
    loss = torch.nn.functional.cross_entropy(scores, target)
    back = scores[:, : len(rows)].T
    return loss + 0.3 * torch.nn.functional.cross_entropy(back, target)
