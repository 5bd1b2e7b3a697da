"""What there is to learn: questions, their answers, and cards with their rulings, as word pieces."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rulings.graph.records import Alike
from rulings.ingest import Corpus
from rulings.search.documents import card_document, statement_documents
from rulings.search.encoder import Vectors
from rulings.search.training_data import TrainingQuestion
from rulings.search.training_pairs import MOST_CARDS, card_pairs, swapped_questions

Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How to train.

    Lengths are in word pieces; ``seed`` fixes order and negatives; ``every`` says which share of the rulings is kept
    aside to judge by (0: none). ``negatives`` are drawn for each question from the ``pool`` nearest wrong documents.
    """

    epochs: int = 2
    seed: int = 7
    batch: int = 32
    negatives: int = 1
    pool: int = 30
    learning_rate: float = 9e-5
    warmup: float = 0.1
    scale: float = 20.0
    swap: float = 0.2
    """How often a document that says the same on another card stands in for the answer."""
    other_cards: float = 0.3
    """How often a question is asked about a card that works like the one it names."""
    card_pairs: float = 0.0
    """How many pairs of a card and a ruling of its own come to each question."""
    cards: float = 0.4
    """How many questions must also find the text of the card that their answer is on, among those of the others."""
    question_length: int = 64
    document_length: int = 80
    languages: tuple[str, ...] = ("en", "de", "fr")
    embeddings: bool = False
    first_layer: int = 2
    """The layers below are left as they are, which saves a fifth of the time and a third of the adapter."""
    every: int = 12
    panel: int = 3000
    """Between epochs only the answers and so many other documents are encoded, to judge and draw wrong ones from."""
    threads: int = 2


@dataclass(slots=True)
class TrainingTask:
    """What there is to learn.

    ``variants`` are each question's texts, its own first; ``documents`` word pieces; ``same`` the rows of all documents
    that answer each question; ``pairs`` card texts, a ruling's row and all rows of rulings on that card; ``cards`` each
    question's card, as a text, where its answer is on few cards.
    """

    asked: list[TrainingQuestion]
    variants: list[list[list[int]]]
    documents: list[list[int]]
    same: list[Rows]
    pairs: list[tuple[list[int], int, Rows]]
    cards: list[tuple[str, list[int]] | None]
    near: Rows = field(default_factory=lambda: np.empty((0, 0), np.int64))

    @property
    def questions(self) -> list[list[int]]:
        """The word pieces of the questions as they were asked."""
        return [texts[0] for texts in self.variants]


def training_task(
    corpus: Corpus,
    asked: list[TrainingQuestion],
    settings: TrainingSettings,
    pieces: Callable[[Sequence[str], int], list[list[int]]],
    works_like: Mapping[str, Sequence[Alike]],
) -> TrainingTask:
    """Gather what there is to learn; ``same`` and ``near`` are left empty.

    Args:
        corpus: cards and statements.
        asked: questions; those in other languages than the settings' are left out.
        settings: how to train.
        pieces: turns texts into word pieces, cut at a length.
        works_like: for each oracle id the cards most alike.
    """
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
    statements = list(corpus.statements.values())
    ids = [statements[question.answer].oracle_ids for question in asked]
    texts = pieces([card_document(corpus.cards[some[0]]) for some in ids], settings.document_length)
    of = [(some[0], text) if len(some) <= MOST_CARDS else None for some, text in zip(ids, texts, strict=True)]
    return TrainingTask(asked, variants, pieces(statement_documents(corpus), settings.document_length), [], pairs, of)


def same_answers(alike: dict[int, Rows], asked: Sequence[TrainingQuestion], matrix: Vectors) -> list[Rows]:
    """Return for each question the rows of all documents that answer it: those alike by words, or over 0.9 by vector.

    Args:
        alike: for each answer the documents alike by words.
        asked: the questions.
        matrix: the documents' unit rows.
    """
    rows = np.array(sorted(alike))
    near: dict[int, Rows] = {}
    for start in range(0, len(rows), 256):
        for row, scores in zip(rows[start : start + 256], matrix[rows[start : start + 256]] @ matrix.T, strict=True):
            near[int(row)] = np.union1d(alike[int(row)], np.flatnonzero(scores > 0.9))
    return [near[question.answer] for question in asked]


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
    """Return hit@1, hit@5 and mean reciprocal rank (first ten) for some rows of questions, over all and by kind."""
    if not rows:
        return {}
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
