"""Rankings of the same questions with parts of the search taken away, for `quality.py`."""

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.candidates import Scores, candidates, score_all, score_words
from rulings.search.evaluate import DEPTH, MOST_SAME
from rulings.search.index import Index
from rulings.search.question import QuestionReader, Understood
from rulings.search.ranker import Ranker, default_ranker
from rulings.search.ranking import Ranked, one_a_group, rank
from rulings.search.signals import NAMES

Floats = NDArray[Any]
Encode = Callable[[str], Floats]

GROUPS = {
    "vectors": ("cosine", "cosine_z", "cosine_gap", "card_cosine", "group_cosine", "feedback"),
    "words": ("text_z", "text_share", "named_z", "named_share"),
    "words of the card's text": ("card_text", "card_text_best"),
    "cards named": ("named", "named_second", "mentions_named", "named_uses"),
    "cards that work alike": ("alike", "alike_cosine", "alike_rank"),
    "concepts": ("concepts", "main_concept", "other_concepts", "card_concepts", "keyword"),
    "spreading": ("spread",),
}
"""Signals taken away together."""

PLAIN = {"cosine_z": 1.0, "text_z": 0.15, "named_z": 0.15, "named": 1.0, "mentions_named": 1.0, "alike": 1.0}
"""A sum with weights chosen by hand in early trials, in place of the learned ranker."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to rank: the index, how questions are read and encoded, and the ranker (None: no candidates, one sum)."""

    index: Index
    read: Callable[[str], Understood]
    encode: Encode
    ranker: Ranker | None = None
    whole: Callable[[Scores], Floats] | None = None

    def ranking(self, question: str) -> list[list[str]]:
        """The keys shown under each of the first ten results."""
        read = self.read(question)
        vector = self.encode(read.english)
        if self.whole is not None:
            values = self.whole(score_all(self.index, read, vector))
            best = np.argsort(-values, kind="stable")[: 40 * DEPTH]
            ranked = Ranked(best, values[best], score_all(self.index, read, vector))
        else:
            ranked = rank(self.index, read, vector, self.ranker or default_ranker())
        return result_keys(self.index, ranked)


def result_keys(index: Index, ranked: Ranked) -> list[list[str]]:
    """The keys of the wordings shown under each of the first ten results."""
    groups = one_a_group(index, ranked, DEPTH)
    return [[index.keys[row] for row in (shown, *others[:MOST_SAME])] for shown, _, others in groups]


def without(ranker: Ranker, names: Sequence[str]) -> Ranker:
    """The ranker with some signals held at their mean; it isn't fitted again."""
    columns = [ranker.columns.index(NAMES.index(name)) for name in names if NAMES.index(name) in ranker.columns]
    straight = ranker.straight.copy()
    straight[columns] = 0
    layers = [(weights.copy(), offsets) for weights, offsets in ranker.layers]
    if layers:
        layers[0][0][:, columns] = 0
    return replace(ranker, straight=straight, layers=tuple(layers))


def plain_ranker(weights: dict[str, float] = PLAIN) -> Ranker:
    """A ranker that is a weighted sum of raw signals."""
    columns = tuple(NAMES.index(name) for name in weights)
    count = len(columns)
    values = np.array(list(weights.values()), np.float32)
    return Ranker(columns, np.zeros(count, np.float32), np.ones(count, np.float32), values, ())


def standard(values: Floats) -> Floats:
    """Values less their mean, by their spread."""
    result: Floats = (values - values.mean()) / max(float(values.std()), 1e-9)
    return result


def settings(index: Index, encode: Encode) -> Iterator[tuple[str, Setting]]:
    """The ways to rank, the whole first; questions in other languages are glossed unless said otherwise."""
    reader, ranker = QuestionReader(index), default_ranker()
    yield "everything", Setting(index, reader.read, encode, ranker)
    for name, signals in GROUPS.items():
        yield f"no signals of: {name}", Setting(index, reader.read, encode, without(ranker, signals))
    alone = copy.copy(index)
    alone.alike = _emptied(index.alike)
    yield "cards that work alike unknown", Setting(alone, reader.read, encode, ranker)
    yield "cards in the question not read", Setting(index, _unread(reader, cards=()), encode, ranker)
    yield "concepts in the question not read", Setting(index, _unread(reader, concepts=()), encode, ranker)
    yield "plain sum, no learned ranker", Setting(index, reader.read, encode, plain_ranker())
    yield from baselines(index, reader, encode)


def baselines(index: Index, reader: QuestionReader, encode: Encode) -> Iterator[tuple[str, Setting]]:
    """Vectors and words over all statements, without candidates or ranker."""
    yield "vectors alone", Setting(index, reader.read, encode, whole=lambda s: s.cosine)
    yield (
        "vectors + 0.15 BM25 (z-scores)",
        Setting(index, reader.read, encode, whole=lambda s: standard(s.cosine) + 0.15 * standard(s.named)),
    )
    yield "BM25 alone, names and text", Setting(index, reader.read, encode, whole=lambda s: s.named)
    yield "vectors alone, questions not glossed", Setting(index, _unglossed(reader), encode, whole=lambda s: s.cosine)


def untuned_settings(index: Index, encode: Encode) -> Iterator[tuple[str, Setting]]:
    """The same with the vectors of another encoder in the index."""
    reader = QuestionReader(index)
    for name, setting in baselines(index, reader, encode):
        if name.startswith("vectors"):
            yield name, setting
    yield "plain sum, no learned ranker", Setting(index, reader.read, encode, plain_ranker())
    yield "learned ranker (fitted to the tuned one)", Setting(index, reader.read, encode, default_ranker())


def recall(index: Index, reader: QuestionReader, encode: Encode, question: str, gold: set[str]) -> dict[str, float]:
    """Whether an answer is among the first 50 or 100 candidates by the plain sum, or among all; how many there are."""
    read = reader.read(question)
    vector = encode(read.english)
    rows = candidates(index, score_all(index, read, vector), score_words(index, read))
    ordered = [index.keys[row] in gold for row in rank(index, read, vector, plain_ranker()).rows.tolist()]
    found = {f"recall@{n}": float(any(ordered[:n])) for n in (50, 100)}
    return found | {"recall": float(any(ordered)), "candidates": float(len(rows))}


def _unread(reader: QuestionReader, **parts: tuple[()]) -> Callable[[str], Understood]:
    return lambda question: replace(reader.read(question), **parts)


def _unglossed(reader: QuestionReader) -> Callable[[str], Understood]:
    return lambda question: replace(reader.read(question), english=question)


def _emptied(rows: Any) -> Any:  # noqa: ANN401 - a copy of whatever rows of a matrix are
    empty = copy.copy(rows)
    empty.indptr = np.zeros_like(np.asarray(rows.indptr))
    return empty
