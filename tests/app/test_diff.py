"""``rulings diff`` between generations, files and days: as text, JSON and a page."""

import json

import pytest

from rulings.app.build import build
from rulings.app.command import main
from rulings.app.word_marks import marked, word_marks


def lines(*texts):
    return "\n".join(json.dumps(record) for record in texts) + "\n"


def house(text, published="2024-05-01", **more):
    return {"kind": "ruling", "card": "Clone", "published": published, "text": text, "source": "house", **more}


CARD = {"kind": "card", "name": "Clone", "oracle_id": "c", "faces": [{"name": "Clone", "text": "Copies."}]}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "old.jsonl").write_text(
        lines(CARD, house("The copy keeps its old cost & <b>name</b> here.")), encoding="utf-8"
    )
    (tmp_path / "new.jsonl").write_text(
        lines(CARD, house("The copy keeps its new cost & <b>name</b> here."), house("Another.", "2025-01-01")),
        encoding="utf-8",
    )
    return tmp_path / "old.jsonl", tmp_path / "new.jsonl"


def run(capsys, *words):
    capsys.readouterr()
    status = main(["diff", *map(str, words)])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_files_as_text(files, capsys, tmp_path):
    status, out, err = run(capsys, *files, "--home", tmp_path)
    assert status == 0
    assert "Rulings: 1 reworded, 1 came" in out
    assert "its [-old-] {+new+} cost" in " ".join(out.split())
    assert "not compared" in err
    assert run(capsys, files[0], files[0], "--home", tmp_path)[1] == "Nothing changed.\n"


def test_the_rest_is_counted_and_k_shows_it(files, capsys, tmp_path):
    assert "1 more; -k shows more" in run(capsys, *files, "--home", tmp_path, "-k", 1)[1]
    assert "more;" not in run(capsys, *files, "--home", tmp_path, "-k", 2)[1]


def test_files_as_json(files, capsys, tmp_path):
    found = json.loads(run(capsys, *files, "--home", tmp_path, "--json")[1])
    assert [(each["kind"], each["card"]) for each in found["rulings"]] == [("reworded", "Clone"), ("came", "Clone")]
    assert found["editions"] == [None, None]
    assert found["outdated"] is None


def test_a_page_escapes_every_text(files, capsys, tmp_path):
    page = tmp_path / "out.html"
    status, out, _ = run(capsys, *files, "--home", tmp_path, "-o", page)
    text = page.read_text(encoding="utf-8")
    assert (status, out) == (0, "")
    assert "<del>old</del> <ins>new</ins> cost &amp; &lt;b&gt;name" in text
    assert "<script" not in text
    assert "http" not in text


def test_generations_and_days(capsys, new_home, files):
    home = new_home
    first = build([files[0]], home, tell=lambda _: None)
    build([files[1]], home, tell=lambda _: None)
    found = json.loads(run(capsys, first.manifest.name, "current", "--home", home, "--json")[1])
    assert [each["kind"] for each in found["rulings"]] == ["reworded", "came"]
    assert found["outdated"] == []
    found = json.loads(run(capsys, "2024-12-31", "2025-12-31", "--home", home, "--json")[1])
    assert [(each["kind"], each["new"]) for each in found["rulings"]] == [("came", "Another.")]


def test_records_that_could_not_be_read_are_told(files, capsys, tmp_path):
    files[1].write_text(lines(CARD, house("Another.", "in May")), encoding="utf-8")
    assert "1 records were passed over" in run(capsys, *files, "--home", tmp_path)[2]


def test_a_page_is_named_as_one(files, capsys, tmp_path):
    assert run(capsys, *files, "--home", tmp_path, "-o", tmp_path / "out.svg")[0] == 2
    assert not (tmp_path / "out.svg").exists()


@pytest.mark.parametrize("name", ["nothing-such", "2024-13-40", "../old.jsonl", ""])
def test_a_side_that_is_nothing_is_told(name, capsys, tmp_path):
    status, _, err = run(capsys, name, "current", "--home", tmp_path)
    assert status == 2
    assert len(err.splitlines()) == 1


def test_word_marks_keep_every_word():
    old, new = "one two three four", "one 2 three four five"
    marks = list(word_marks(old, new))
    assert " ".join(words for kind, words in marks if kind != "came") == old
    assert " ".join(words for kind, words in marks if kind != "went") == new
    assert marked(old, new) == "one [-two-] {+2+} three four {+five+}"
    assert marked("", "new") == "{+new+}"
