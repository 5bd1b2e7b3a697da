"""Training the ranker and the confidence by the command, on the built-in sample."""

import json
from pathlib import Path

import pytest

from rulings.app.command import main
from rulings.search import ranker_fit
from rulings.search.confidence import CUES
from rulings.search.generation import current
from rulings.search.index import Index
from rulings.search.ranker import default_ranker, ranker_from_json
from rulings.search.ranker_fit import NETS, drawn_questions, shipped_examples, short_questions
from rulings.search.ranker_training import HIDDEN
from rulings.search.training_data import TrainingQuestion

SAMPLE = Path(__file__).parents[1] / "questions_sample.jsonl"


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """Sixteen questions on rulings of the sample, each with its first key, and one on no ruling there is."""
    rows = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    lines = [{**{k: row[k] for k in ("id", "kind", "lang", "question")}, "key": row["gold"][0]["key"]}
             for row in rows if row["gold"]][:16]  # fmt: skip
    lines.append({"id": "lost", "kind": "named", "lang": "en", "question": "what is this", "key": "0" * 12})
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_the_ranker_and_the_confidence_are_trained_the_same_each_time(
    sample_home, questions, tmp_path, capsys, monkeypatch
):
    pytest.importorskip("torch")
    monkeypatch.setattr(ranker_fit, "shipped_examples", lambda name: shipped_examples(name)[:40])  # the rest takes long
    short = TrainingQuestion("short", "short", "en", "kicked copy", 0)
    monkeypatch.setattr(ranker_fit, "short_questions", lambda _: [short])
    written = []
    for out in (tmp_path / "one", tmp_path / "two"):
        words = ["train", str(questions), "--only", "ranker", "--home", str(sample_home), "-o", str(out)]
        assert main(words) == 0
        told = capsys.readouterr()
        figures = json.loads(told.out)["ranker"]
        assert "confidence: 17 questions that rulings answer" in told.err  # sixteen, and the one of few words
        written.append([(out / name).read_bytes() for name in ("ranker.json", "confidence.json")])
        assert sorted(p.name for p in out.iterdir()) == ["confidence.json", "ranker.json"]
    assert written[0] == written[1]
    ranker, shipped = ranker_from_json(json.loads(written[0][0])), default_ranker()
    assert ranker.columns == shipped.columns
    assert [w.shape for w, _ in ranker.layers] == [w.shape for w, _ in shipped.layers]
    assert ranker.layers[0][0].shape[0] == NETS * HIDDEN
    assert tuple(json.loads(written[0][1])["weights"]) == CUES
    assert figures["hit@5"] > 0.5
    assert figures["others_declined"] > 0.8


def test_a_file_without_a_ruling_of_the_home_is_refused(sample_home, tmp_path, capsys):
    path = tmp_path / "q.jsonl"
    path.write_text('{"id": "x", "question": "what", "key": "000000000000"}\n', encoding="utf-8")
    assert main(["train", str(path), "--home", str(sample_home), "-o", str(tmp_path / "out")]) == 2
    assert "no question on a ruling" in capsys.readouterr().err
    assert main(["train", str(tmp_path / "gone"), "--home", str(sample_home)]) == 2
    assert not (tmp_path / "out").exists()


def test_no_ruling_kept_aside_is_drawn():
    kinds, languages = ("named", "concept", "sibling"), ("en", "en", "de")
    asked = [TrainingQuestion(str(i), kinds[i % 3], languages[i % 4 % 3], "q", i // 2) for i in range(400)]
    aside, drawn = drawn_questions(asked)
    assert aside
    assert not {q.answer for q in aside} & {q.answer for q in drawn}
    assert drawn_questions(asked) == (aside, drawn)


def test_the_shipped_short_questions_are_short_and_found_by_their_key():
    path = Path(ranker_fit.__file__).parent / "data" / "short.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    keys = [row["key"] for row in rows]
    asked = short_questions(keys)
    assert [q.text for q in asked] == [row["question"] for row in rows]
    assert all(keys[q.answer] == row["key"] for q, row in zip(asked, rows, strict=True))
    assert max(len(q.text.split()) for q in asked) <= 10
    assert short_questions([]) == []


def test_the_examples_are_in_the_order_of_the_index(sample_home):
    index = Index.open(current(sample_home).index)
    assert len(shipped_examples("off_topic")) == len(index.off_topic)
    assert len(shipped_examples("on_topic")) == len(index.on_topic)
