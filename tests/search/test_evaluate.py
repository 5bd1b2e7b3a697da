"""The figures of answers, checked against the scorer that comes with the data."""

import importlib.util
import json
from pathlib import Path

import pytest

from rulings.ingest import key
from rulings.search.answer import Answer, Result
from rulings.search.errors import QuestionError
from rulings.search.evaluate import evaluate, read_questions, score

TEXTS = [f"Ruling number {n}." for n in range(12)]


def _answer(*groups: list[int], answered: bool = True) -> Answer:
    results = tuple(
        Result(n, 1.0, "iri", key(TEXTS[group[0]]), TEXTS[group[0]], tuple(TEXTS[i] for i in group[1:]))
        for n, group in enumerate(groups, 1)
    )
    return Answer("?", "en", answered, 0.5, results=results)


CASES = [
    ({0: 2}, _answer([0], [1])),
    ({0: 2, 1: 1, 2: 1}, _answer([3], [1, 0], [2])),
    ({0: 2, 1: 2}, _answer([5], [6], [7], [8], [9], [1])),
    ({0: 2}, _answer([0], answered=False)),
    ({0: 2, 1: 2, 2: 1}, _answer()),
    ({}, _answer([0], answered=False)),
    ({}, _answer([0])),
]


@pytest.mark.parametrize(("gold", "answer"), CASES)
def test_score_agrees_with_the_scorer_of_the_data(data: Path, gold: dict[int, int], answer: Answer) -> None:
    spec = importlib.util.spec_from_file_location("score_answers", data.parent / "tools" / "score_answers.py")
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    graded = {key(TEXTS[n]): grade for n, grade in gold.items()}
    question = {"gold": [{"key": k, "grade": g} for k, g in graded.items()]}
    assert score(graded, answer) == pytest.approx(scorer.score(question, answer.to_json()))


def test_score_by_hand() -> None:
    figures = score({key(TEXTS[0]): 2, key(TEXTS[1]): 1}, _answer([1], [0]))
    assert figures["hit@1"] == 0
    assert figures["hit@5"] == 1
    assert figures["mrr@10"] == 0.5
    assert 0.7 < figures["ndcg@10"] < 0.85


class _Fixed:
    def ask(self, question: str, k: int = 10) -> Answer:  # noqa: ARG002
        return _answer([0]) if "real" in question else _answer([0], answered=False)


def test_evaluate_averages_by_kind_and_language(tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    rows = [
        {
            "id": "a",
            "kind": "named",
            "lang": "en",
            "question": "a real one",
            "gold": [{"key": key(TEXTS[0]), "grade": 2}],
        },
        {"id": "b", "kind": "named", "lang": "de", "question": "a real one", "key": key(TEXTS[1])},
        {"id": "c", "kind": "none", "lang": "en", "question": "a price", "gold": []},
    ]
    file.write_text("\n".join(map(json.dumps, rows)))
    done: list[int] = []
    figures = evaluate(_Fixed(), read_questions(file), done.append)
    assert figures["all"]["hit@5"] == 1
    assert figures["translated"]["hit@5"] == 0
    assert figures["none"] == {"declined": 1.0, "n": 1}
    assert list(figures)[:3] == ["all", "translated", "none"]
    assert done == [1, 1, 1]


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"question": ""}', '{"question": 3}', '{"question": "x", "gold": [{"grade": 2}]}']
)
def test_read_questions_names_the_bad_line(tmp_path: Path, line: str) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text('{"question": "fine", "gold": []}\n' + line)
    with pytest.raises(QuestionError, match="line 2"):
        read_questions(file)


def test_read_questions_of_no_file(tmp_path: Path) -> None:
    with pytest.raises(QuestionError, match="can't be read"):
        read_questions(tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "no question in it"), (b'{"question": "is it blue?"}', 'line 1: .*no "gold"')],
)
def test_what_can_not_be_scored_is_refused(content, reason, tmp_path) -> None:
    (tmp_path / "q.jsonl").write_bytes(content)
    with pytest.raises(QuestionError, match=reason):
        read_questions(tmp_path / "q.jsonl")
