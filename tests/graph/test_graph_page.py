"""Every command and every line of Python of docs/graph.md runs as it stands there."""

import re
import shlex
from pathlib import Path

import pytest

from rulings.app.command import main
from rulings.graph.query_library import library

PAGE = (Path(__file__).parents[2] / "docs" / "graph.md").read_text(encoding="utf-8")


@pytest.fixture
def place(sample_home, tmp_path, monkeypatch):
    monkeypatch.setenv("RULINGS_HOME", str(sample_home))
    monkeypatch.chdir(tmp_path)


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("line", [line for block in blocks("sh") for line in block.splitlines()])
def test_a_command_runs(place, capsys, line):
    command, *words = shlex.split(line)
    assert command == "rulings"
    assert main(words) == 0
    printed = capsys.readouterr()
    assert len(printed.out.splitlines() or printed.err.splitlines()) >= 1


def test_the_python_runs(place, capsys):
    names = {}
    for block in blocks("python"):
        exec(compile(block, "docs/graph.md", "exec"), names)
    printed = capsys.readouterr().out
    assert "mentions Triskelion" in printed
    assert names["near"].number_of_nodes() > 20
    assert names["cards"].number_of_edges() > 20
    assert names["pairs"].has_edge("Copy (concept)", "Counter (concept)")


def test_the_page_is_short_and_counts_right():
    assert len(PAGE.splitlines()) < 120
    assert f"[{len(library())} questions]" in PAGE
