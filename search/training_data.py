"""What the encoder is trained on: questions, the documents that answer them, and which documents say the same."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rulings.ingest import Corpus, SourceError

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_ALIKE = 0.8
"""Cosine over weighted words, own names masked, from which two rulings count as saying the same."""


@dataclass(frozen=True, slots=True)
class TrainingQuestion:
    """A question in a player's voice, in English or glossed; ``answer`` is the row of the document that answers it."""

    id: str
    kind: str
    language: str
    text: str
    answer: int


def read_questions(path: Path, keys: Sequence[str]) -> list[TrainingQuestion]:
    """Read questions whose answer is among the documents.

    Args:
        path: JSON lines with ``id``, ``question``, ``key`` (of the ruling that answers), ``kind`` and ``lang``;
            ``gloss``, the English that the search makes of a question, is taken in its place where there is one.
        keys: the documents' statement keys, in row order.

    Returns:
        The questions in file order; one whose ruling isn't in the corpus is left out.

    Raises:
        SourceError: a line is no such record.
    """
    row = {key: i for i, key in enumerate(keys)}
    questions = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                answer = row.get(record["key"])
                if answer is not None:
                    text = str(record.get("gloss") or record["question"])
                    kind, language = record.get("kind", "named"), record.get("lang", "en")
                    questions.append(TrainingQuestion(record["id"], kind, language, text, answer))
            except (ValueError, KeyError, TypeError) as error:
                reason = (
                    f"{path}, line {number}: no training question ({error!r}); each line needs id, question and key"
                )
                raise SourceError(reason) from error
    return questions


def set_aside(questions: Sequence[TrainingQuestion], every: int = 12) -> tuple[list[int], list[int]]:
    """Split into training and validation so that no ruling is in both.

    Args:
        questions: all questions.
        every: of the rulings asked about in English, in row order, each ``every``-th goes aside; 0: none.

    Returns:
        Positions of the questions to train on, and of the English ones kept aside.
    """
    rows = sorted({question.answer for question in questions if question.language == "en"})
    aside = set(rows[every // 2 :: every]) if every else set()
    train = [i for i, question in enumerate(questions) if question.answer not in aside]
    return train, [i for i, q in enumerate(questions) if q.answer in aside and q.language == "en"]


def masked_texts(corpus: Corpus) -> list[str]:
    """Return the statements' texts with the names of the cards they are published on taken out, in row order."""
    masked = []
    for statement in corpus.statements.values():
        text = statement.text.replace("’", "'")
        for oracle_id in statement.oracle_ids[:20]:
            name = corpus.cards[oracle_id].name.replace("’", "'")
            for part in (*name.split(" // "), name.split(",")[0]):
                text = text.replace(part, "~")
        masked.append(text)
    return masked


def word_vectors(texts: Sequence[str]) -> sparse.csr_matrix:
    """Return unit rows of words weighted by rarity, one a text."""
    vocabulary: dict[str, int] = {}
    rows, columns = [], []
    for i, text in enumerate(texts):
        for word in set(_WORD.findall(text.casefold())):
            rows.append(i)
            columns.append(vocabulary.setdefault(word, len(vocabulary)))
    counts = np.bincount(columns, minlength=len(vocabulary))
    weights = np.log1p(len(texts) / np.maximum(counts, 1))[columns]
    matrix = sparse.csr_matrix((weights, (rows, columns)), shape=(len(texts), len(vocabulary)), dtype=np.float32)
    norms = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    return sparse.diags_array(1 / np.maximum(norms, 1e-9)).astype(np.float32).tocsr() @ matrix


def alike_documents(corpus: Corpus, rows: Sequence[int]) -> dict[int, NDArray[np.int64]]:
    """Find, for documents, all those that say the same but for card names and small words.

    Args:
        corpus: where the statements are from.
        rows: documents to look at.

    Returns:
        Row to rows that are alike, itself among them.
    """
    vectors = word_vectors(masked_texts(corpus))
    wanted = np.array(sorted(set(rows)))
    found: dict[int, NDArray[np.int64]] = {}
    for start in range(0, len(wanted), 256):
        block = wanted[start : start + 256]
        likeness = (vectors[block] @ vectors.T).tocsr()
        for i, row in enumerate(block):
            part = slice(likeness.indptr[i], likeness.indptr[i + 1])
            found[int(row)] = likeness.indices[part][likeness.data[part] >= _ALIKE].astype(np.int64)
    return found
