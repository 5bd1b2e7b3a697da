"""`rulings draw` writes pictures of nodes and of answers, and refuses what it can't draw in one line."""

import xml.etree.ElementTree as ET

import pytest

from rulings.app.command import main
from rulings.search import Rulings
from rulings.search.answer import Answer
from rulings.search.answer_picture import answer_picture

QUESTION = "Can Clone copy a creature with hexproof?"


@pytest.fixture
def draw(sample_home, capsys):
    def run(*words: str) -> tuple[int, str]:
        capsys.readouterr()
        status = main(["draw", "--home", str(sample_home), *words])
        printed = capsys.readouterr()
        assert printed.out == ""
        return status, printed.err

    return run


@pytest.fixture(scope="module")
def kb(sample_home):
    return Rulings.open(sample_home)


@pytest.mark.parametrize("name", ["Clone", "Copy", "707.2", "2026-02-27"])
def test_a_node_is_drawn(draw, tmp_path, name):
    status, told = draw(name, "-o", str(tmp_path / "a.svg"))
    assert status == 0
    assert "nodes)" in told
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]
    assert len(ET.parse(tmp_path / "a.svg").getroot().findall(".//*[@data-key]")) <= 30


def test_the_picture_is_the_same_each_time_and_that_of_python(draw, tmp_path, kb):
    for name in ("a.svg", "b.svg"):
        assert draw("Clone", "-o", str(tmp_path / name))[0] == 0
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == kb.graph.picture("Clone").svg()


def test_a_page_is_written(draw, tmp_path):
    assert draw("Clone", "-o", str(tmp_path / "a.html"))[0] == 0
    assert (tmp_path / "a.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("words", [["--answer", QUESTION], QUESTION.split()])
def test_an_answers_path_is_drawn(draw, tmp_path, words):
    status, told = draw(*words, "-o", str(tmp_path / "a.svg"))
    assert status == 0
    assert "was answered" in told


def test_the_path_holds_the_steps_of_the_answer(kb):
    answer, made = kb.ask(QUESTION), kb.generation
    picture = answer_picture(answer, made.archive, made.analyses, made.iris)
    drawn = {frozenset((picture.node(e.start).label, e.relation, picture.node(e.end).label)) for e in picture.edges}
    assert len(picture.nodes) <= 30
    for result in answer.results[:6]:
        assert picture.node(f"statement/{result.key}").head.startswith(f"{result.rank}. ")
        for step in result.why[:-1]:
            if step.start != "question":
                assert frozenset((step.start, step.relation, step.to)) in drawn
    assert any(e.start == "question" for e in picture.edges)
    found = {out.what: out.count for out in picture.left_out}
    assert found.get("rulings found", 0) == max(0, len(answer.results) - 6)


def test_an_answer_without_results_is_a_lone_question(kb):
    made = kb.generation
    picture = answer_picture(Answer("Why <b>?", "en", False, 0.1), made.archive, made.analyses, made.iris)
    assert [node.key for node in picture.nodes] == ["question"]
    assert picture.title.startswith("No ruling settles")
    ET.fromstring(picture.svg())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["Clone", "-o", "x.pdf"], "take one of .svg, .html"),
        (["Clonne", "-o", "x.svg"], "did you mean"),
        (["Clone", "-o", "no/such/folder/x.svg"], "can't be written"),
        (["Clone", "--hops", "9", "-o", "x.svg"], "at most 4"),
        (["Clone"], "-o"),
        ([" ", "-o", "x.svg"], "give a name"),
    ],
)
def test_what_cant_be_drawn_is_told_in_one_line(draw, tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    status, told = draw(*words)
    assert status == 2
    assert said in told
    assert told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
