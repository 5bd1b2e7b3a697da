"""How good the answers are on a set of questions: hit@k, nDCG@10, MRR@10 and what was declined, per kind and language.

A result counts by the best of the wordings shown under it (its own and the first twenty of ``same_as``); each gold
wording counts once. The ideal list of nDCG holds no more results than are left once wordings shown together are taken
as one.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import msgspec

from rulings.ingest import key
from rulings.search.answer import Answer
from rulings.search.errors import QuestionError

DEPTH = 10
MOST_SAME = 20
FULL = 2
"""The grade of a ruling that answers; 1 only helps."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the grades of the statements (by key) that answer it; none: it is to be declined."""

    id: str
    kind: str
    language: str
    question: str
    gold: Mapping[str, int]


class Asked(Protocol):
    """Whatever answers questions."""

    def ask(self, question: str, k: int = 10) -> Answer:
        """Answer one."""


def read_questions(path: Path) -> list[Question]:
    """Read a file of questions, a JSON object a line: ``question``, ``gold`` or ``key``; ``id``, ``kind``, ``lang``.

    Raises:
        QuestionError: the file can't be read, or a line is no question.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise QuestionError(f"{path}: can't be read ({error.strerror}); name a file of questions") from error
    found = []
    for n, line in enumerate(lines, 1):
        if line.strip():
            try:
                found.append(_question(msgspec.json.decode(line), n))
            except (msgspec.MsgspecError, KeyError, TypeError, ValueError, AttributeError) as error:
                raise QuestionError(
                    f'{path}, line {n}: no question ({error}); write {{"question": ..., "gold": [...]}}'
                ) from error
    if not found:
        raise QuestionError(f"{path}: no question in it; write a JSON object a line")
    return found


def _question(record: dict[str, object], line: int) -> Question:
    text = record["question"]
    if not isinstance(text, str) or not text.strip():
        raise ValueError("its text is empty")
    gold: dict[str, int] = {}
    if record.keys().isdisjoint({"gold", "key", "kind"}):
        raise ValueError('it has no "gold"; where nothing answers it, write an empty one')
    if "key" in record:
        gold[str(record["key"])] = FULL
    for entry in record.get("gold", ()):  # type: ignore[attr-defined]
        gold[str(entry["key"])] = int(entry["grade"])
    kind = str(record.get("kind", "none" if not gold else "question"))
    return Question(str(record.get("id", line)), kind, str(record.get("lang", "en")), text, gold)


def score(gold: Mapping[str, int], answer: Answer) -> dict[str, float]:
    """The figures of one answer.

    A declined question scores nothing on the ranking; one without gold has only ``declined``.
    """
    declined = float(not answer.answered)
    if not gold:
        return {"declined": declined}
    shown = [(result.text, *result.same_as[:MOST_SAME]) for result in answer.results] if answer.answered else []
    return score_ranking(gold, [[key(text) for text in texts] for texts in shown]) | {"declined": declined}


def score_ranking(gold: Mapping[str, int], results: Sequence[Iterable[str]]) -> dict[str, float]:
    """The figures of ranked results, each given by the keys of the wordings shown under it.

    The keys ``hit@1``, ``hit@5``, ``ndcg@10`` and ``mrr@10``; results beyond the tenth don't count.
    """
    gains = result_grades(gold, results)
    places = max(1, sum(gain > 0 for gain in gains) + len(gold.keys() - {k for r in results[:DEPTH] for k in r}))
    ideal = _dcg(sorted(gold.values(), reverse=True)[: min(DEPTH, places)])
    first = gains.index(FULL) if FULL in gains else None
    return {
        "hit@1": float(first == 0),
        "hit@5": float(first is not None and first < 5),
        "ndcg@10": min(1.0, _dcg(gains) / ideal) if ideal else 0.0,
        "mrr@10": 1 / (first + 1) if first is not None else 0.0,
    }


def result_grades(gold: Mapping[str, int], results: Sequence[Iterable[str]]) -> list[int]:
    """The best grade of each of the first ten results; a wording counts for the first result that shows it."""
    left, gains = dict(gold), []
    for result in results[:DEPTH]:
        found = left.keys() & set(result)
        gains.append(max((left[each] for each in found), default=0))
        for each in found:
            del left[each]
    return gains


def _dcg(gains: Sequence[int]) -> float:
    return sum((2.0**gain - 1) / math.log2(place + 2) for place, gain in enumerate(gains))


def evaluate(
    rulings: Asked, questions: Iterable[Question], progress: Callable[[int], None] | None = None
) -> dict[str, dict[str, float]]:
    """Ask every question and average the figures.

    Rows are "all" (English), "translated" (other languages), "none" (to be declined) and each kind with its language;
    each has the number of its questions as ``n``.
    """
    rows: dict[str, list[dict[str, float]]] = defaultdict(list)
    for question in questions:
        figures = score(question.gold, rulings.ask(question.question, k=DEPTH))
        whole = "none" if not question.gold else "all" if question.language == "en" else "translated"
        for name in (whole, f"{question.kind}/{question.language}"):
            rows[name].append(figures)
        if progress:
            progress(1)
    order = {"all": 0, "translated": 1, "none": 2}
    return {name: _mean(rows[name]) for name in sorted(rows, key=lambda name: (order.get(name, 3), name))}


def _mean(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = dict.fromkeys(name for row in rows for name in row)
    means = {}
    for name in names:
        values = [row[name] for row in rows if name in row]
        means[name] = round(sum(values) / len(values), 3)
    return means | {"n": len(rows)}
