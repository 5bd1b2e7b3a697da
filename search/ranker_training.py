"""Training of the ranker and of the confidence from questions whose ruling is known.

Needs PyTorch (extra ``models``).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag

from rulings.search.confidence import CUES
from rulings.search.index import Index
from rulings.search.ranker import Ranker
from rulings.search.signals import NAMES

Floats = NDArray[np.float32]

LEFT_OUT = ("cards", "group_size", "age", "length", "outdated")
"""Signals that say how the training questions were drawn rather than what answers a question."""
HIDDEN = 16
EPOCHS = 15
BATCH = 64
RATE = 3e-3
DECAY = 0.05
HIDDEN_AWAY = {
    "alike": ("alike", "alike_cosine", "alike_rank"),
    "described": ("card_text", "card_text_best", "card_cosine"),
}
"""Signals that are blanked together in a part of the batches, so that the ranker doesn't lean on them alone."""
BLANKED = 0.3
ADDED = {"cosine_z": 0.3, "text_z": 0.03, "named_z": 0.03, "named": 0.3, "alike": 0.3}
"""A plain sum added to what was learned: it keeps the ranker sensible on questions unlike those of its training."""
NEAR_COPY = 0.9
"""A statement more alike than this to the answer, outside its group, counts as neither right nor wrong."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """The candidates of one question: their signals, which of them answer, and which are left open."""

    table: Floats
    right: NDArray[np.bool_]
    left_open: NDArray[np.bool_]


def lesson(index: Index, rows: NDArray[np.intp], table: Floats, answer: int) -> Lesson | None:
    """The lesson of a question whose answer is the statement ``answer``; None where that isn't among the candidates."""
    right = index.group[rows] == index.group[answer]
    if not right.any():
        return None
    alike = index.engine.of(rows) @ index.engine.of(np.array([answer]))[0]
    return Lesson(table, right, (alike > NEAR_COPY) & ~right)


def train_ranker(
    lessons: Sequence[Lesson],
    left_out: Iterable[str] = LEFT_OUT,
    report: Callable[[str], None] = lambda _: None,
    seed: int = 0,
) -> Ranker:
    """Train a ranker by the likelihood of the right candidates among all of their question.

    The same input gives the same ranker.
    """
    import torch

    torch.manual_seed(seed)
    columns = [n for n, name in enumerate(NAMES) if name not in set(left_out)]
    everything = np.concatenate([lesson.table[:, columns] for lesson in lessons])
    centre, scale = everything.mean(0), everything.std(0) + 1e-6
    most = max(len(lesson.table) for lesson in lessons)
    tables = torch.zeros(len(lessons), most, len(columns))
    right = torch.zeros(len(lessons), most, dtype=torch.bool)
    used = torch.zeros(len(lessons), most, dtype=torch.bool)
    for n, lesson in enumerate(lessons):
        count = len(lesson.table)
        tables[n, :count] = torch.from_numpy((lesson.table[:, columns] - centre) / scale)
        right[n, :count] = torch.from_numpy(lesson.right)
        used[n, :count] = torch.from_numpy(~lesson.left_open)
    first, second = torch.nn.Linear(len(columns), HIDDEN), torch.nn.Linear(HIDDEN, HIDDEN)
    last, straight = torch.nn.Linear(HIDDEN, 1), torch.nn.Linear(len(columns), 1, bias=False)
    parts = torch.nn.ModuleList([first, second, last, straight])
    optimizer = torch.optim.AdamW(parts.parameters(), lr=RATE, weight_decay=DECAY)
    hidden = [torch.tensor([float(NAMES[c] not in group) for c in columns]) for group in HIDDEN_AWAY.values()]
    steps, step = EPOCHS * -(-len(lessons) // BATCH), 0
    for epoch in range(EPOCHS):
        losses = []
        for batch in torch.split(torch.randperm(len(lessons)), BATCH):
            x = tables[batch].clone()
            for places in hidden:
                x[torch.rand(len(batch)) < BLANKED] *= places
            scores = last(torch.relu(second(torch.relu(first(x))))).squeeze(-1) + straight(x).squeeze(-1)
            scores = scores.masked_fill(~used[batch], -1e9)
            loss = (torch.logsumexp(scores, 1) - torch.logsumexp(scores.masked_fill(~right[batch], -1e9), 1)).mean()
            optimizer.param_groups[0]["lr"] = RATE * (1 - step / steps)
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            optimizer.step()
            losses.append(float(loss.detach()))
            step += 1
        report(f"epoch {epoch + 1}: loss {np.mean(losses):.3f}")
    layers = tuple((part.weight.detach().numpy(), part.bias.detach().numpy()) for part in (first, second, last))
    weights = straight.weight.detach().numpy()[0]
    return Ranker(tuple(columns), centre.astype(np.float32), scale.astype(np.float32), weights, layers)


def train_confidence(
    real: Floats, other: Floats, *, real_below: float = 0.015, other_below: float = 0.95, penalty: float = 0.3
) -> dict[str, object]:
    """Fit the weights of the cues.

    Rows of ``real`` are questions that a ruling answers, those of ``other`` are questions that none does.

    Both kinds weigh the same in the fit. The threshold lies half way (in logits) between the value that ``real_below``
    of the real ones stay below and the one that ``other_below`` of the others do.
    """
    x = np.concatenate([real, other]).astype(np.float64)
    y = np.concatenate([np.ones(len(real)), np.zeros(len(other))])
    share = np.where(y > 0, 0.5 / len(real), 0.5 / len(other))
    scale = x.std(0) + 1e-6
    x /= scale
    weights, offset = np.zeros(x.shape[1]), 0.0
    for _ in range(200):  # Newton's method
        chance = 1 / (1 + np.exp(-(x @ weights + offset)))
        both = np.column_stack([x, np.ones(len(x))])
        gradient = both.T @ (share * (chance - y)) + penalty * np.append(weights, 0) / x.shape[1]
        curve = (both * (share * chance * (1 - chance))[:, None]).T @ both
        curve += np.diag(np.append(np.full(x.shape[1], penalty / x.shape[1]), 1e-9))
        step = np.linalg.solve(curve, gradient)
        weights, offset = weights - step[:-1], offset - step[-1]
        if np.abs(step).max() < 1e-8:
            break
    logits = x @ weights + offset
    edges = np.quantile(logits[: len(real)], real_below), np.quantile(logits[len(real) :], other_below)
    threshold = 1 / (1 + np.exp(-(edges[0] + edges[1]) / 2))
    named = dict(zip(CUES, np.round(weights / scale, 5).tolist(), strict=True))
    return {"weights": named, "offset": round(float(offset), 5), "threshold": round(float(threshold), 4)}


def average_rankers(rankers: Sequence[Ranker], added: Mapping[str, float]) -> Ranker:
    """One ranker that scores as the mean of several of the same signals, plus ``added``: weights of raw signals."""
    count, first = len(rankers), rankers[0]
    straight = np.mean([ranker.straight for ranker in rankers], axis=0)
    for name, weight in added.items():
        column = first.columns.index(NAMES.index(name))
        straight[column] += weight * first.scale[column]
    layers = []
    for n in range(len(first.layers)):
        weights = [ranker.layers[n][0] for ranker in rankers]
        offsets = [ranker.layers[n][1] for ranker in rankers]
        if n == 0:
            layers.append((np.concatenate(weights), np.concatenate(offsets)))
        elif n == len(first.layers) - 1:
            layers.append((np.concatenate(weights, axis=1) / count, np.mean(offsets, axis=0)))
        else:
            layers.append((block_diag(*weights).astype(np.float32), np.concatenate(offsets)))
    return Ranker(first.columns, first.centre, first.scale, straight.astype(np.float32), tuple(layers))
