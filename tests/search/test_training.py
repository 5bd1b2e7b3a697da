"""Tests of tuning the encoder, on a tiny model and a made-up corpus."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from rulings.graph.records import Alike
from rulings.ingest import CorpusBuilder, Face, Place, Ruling, SourceError, whole
from rulings.ingest.corpus import Corpus
from rulings.search.training_data import alike_documents, read_questions, set_aside
from rulings.search.training_pairs import card_pairs, swapped_questions
from rulings.search.training_task import TrainingSettings, judge, nearest_wrong

RULINGS = {
    "Red Clone": ["the copy of Red Clone is a spell on the stack", "a token dies"],
    "Blue Clone": ["the copy of Blue Clone is a spell on the stack", "the land is a token"],
    "Green Wall, the Land": ["the stack is a land", "a spell of a land dies"],
}


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    builder, place = CorpusBuilder(), Place("made up")
    for number, (name, texts) in enumerate(RULINGS.items()):
        builder.add(whole(name, [Face(name, text="copy the token")], oracle_id=f"{number}" * 8), place)
        for text in texts:
            builder.add(Ruling(text, date(2020, 1, 1), "made up", oracle_id=f"{number}" * 8), place)
    return builder.finish()


@pytest.fixture
def questions(corpus: Corpus, tmp_path: Path) -> Path:
    words = ["copy stack", "token dies", "land token", "stack land", "spell dies"]
    lines = [
        {"id": f"q{i}", "question": f"{s.text} {words[i % 5]}", "key": s.key, "kind": "named", "lang": "en"}
        for i, s in enumerate(corpus.statements.values())
    ]
    lines += [{"id": "lost", "question": "copy", "key": "0" * 12}]
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    return tmp_path / "q.jsonl"


def test_questions_are_read_with_the_row_of_their_answer(corpus: Corpus, questions: Path) -> None:
    found = read_questions(questions, list(corpus.statements))
    assert [q.answer for q in found] == list(range(len(corpus.statements)))
    questions.write_text('{"id": "x"}\n')
    with pytest.raises(SourceError, match="line 1"):
        read_questions(questions, [])


def test_no_ruling_is_on_both_sides(corpus: Corpus, questions: Path) -> None:
    found = read_questions(questions, list(corpus.statements)) * 2
    training, aside = set_aside(found, 3)
    assert sorted(training + aside) == list(range(len(found)))
    assert aside
    assert not {found[i].answer for i in training} & {found[i].answer for i in aside}
    assert set_aside(found, 0)[1] == []


def test_the_same_ruling_on_another_card_is_no_wrong_answer(corpus: Corpus) -> None:
    texts = [s.text for s in corpus.statements.values()]
    red, blue = (next(i for i, t in enumerate(texts) if name in t) for name in ("Red", "Blue"))
    assert set(alike_documents(corpus, [red])[red].tolist()) == {red, blue}
    questions, documents = np.eye(6, dtype=np.float32)[[red]], np.eye(6, dtype=np.float32)
    near = nearest_wrong(questions, documents, [np.array([red, blue])], 3)
    assert not {red, blue} & set(near[0].tolist())


def test_questions_are_asked_of_cards_that_work_alike(corpus: Corpus, questions: Path) -> None:
    ids = {card.name: i for i, card in corpus.cards.items()}
    asked = read_questions(questions, list(corpus.statements))
    alike = {ids["Red Clone"]: [Alike(ids["Green Wall, the Land"], 0.9), Alike(ids["Blue Clone"], 0.01)]}
    others = swapped_questions(corpus, asked, alike)
    changed = [(q.text, more) for q, more in zip(asked, others, strict=True) if more]
    assert len(changed) == 1
    assert changed[0][1] == (changed[0][0].replace("Red Clone", "Green Wall, the Land"),)


def test_cards_are_paired_with_their_own_rulings(corpus: Corpus) -> None:
    pairs = card_pairs(corpus)
    assert len(pairs) == len(corpus.statements)
    rows = list(corpus.statements.values())
    assert all(rows[row].oracle_ids == (oracle_id,) for oracle_id, _, row in pairs)
    assert pairs[0][1].endswith(": copy the token")


def test_training_finds_the_answers_and_ends_the_same_each_time(
    corpus: Corpus, questions: Path, tmp_path: Path, tiny_model: Callable[..., Path]
) -> None:
    pytest.importorskip("torch")
    from rulings.search.documents import statement_documents
    from rulings.search.onnx_encoder import OnnxEncoder
    from rulings.search.training import train

    folder = tiny_model(tmp_path / "model")
    settings = TrainingSettings(
        epochs=20,
        batch=6,
        negatives=1,
        pool=2,
        learning_rate=0.01,
        every=0,
        panel=0,
        swap=0,
        card_pairs=0.5,
        first_layer=0,
        threads=1,
    )
    said: list[str] = []
    for name in ("one.npz", "two.npz"):
        train(questions, corpus, tmp_path / name, folder, settings, said.append)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    asked = read_questions(questions, list(corpus.statements))
    alike = alike_documents(corpus, range(len(asked)))
    figures = []
    for encoder in (OnnxEncoder(folder), OnnxEncoder(folder, tmp_path / "one.npz")):
        rows, found = encoder.encode(statement_documents(corpus)), encoder.encode([q.text for q in asked])
        figures.append(judge(found, rows, asked, [alike[q.answer] for q in asked], range(len(asked)))["all mrr@10"])
    assert figures[1] > figures[0] + 0.1, figures
    assert any("epoch 20" in line for line in said)
