"""Every command and every line of Python of the tours in docs/ runs as it stands there, and every page is listed."""

import json
import re
import shlex
from pathlib import Path

import pytest

from rulings.app.command import main

DOCS = Path(__file__).parents[2] / "docs"
TOURS = {path.stem: path.read_text(encoding="utf-8") for path in sorted((DOCS / "tour").glob("*.md"))}
NEEDS_FILES = ("rulings build ", "python3 -m venv", ".venv/bin/pip", "source ")
"""Lines that want downloaded files or a new environment."""


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def commands() -> list[str]:
    lines = [line for page in TOURS.values() for block in blocks(page, "sh") for line in block.splitlines()]
    return [line for line in lines if not line.startswith(NEEDS_FILES)]


@pytest.fixture
def place(sample_home, tmp_path, monkeypatch):
    monkeypatch.setenv("RULINGS_HOME", str(sample_home))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "questions.jsonl").write_text('{"id": "q1", "question": "What is a copy?"}\n', encoding="utf-8")


@pytest.mark.parametrize("line", commands())
def test_a_command_of_a_tour_runs(place, capsys, line):
    command, _, target = line.partition(" > ")
    name, *words = shlex.split(command)
    assert name == "rulings"
    assert main(words) == 0
    printed = capsys.readouterr()
    assert printed.out or printed.err
    if "--json" in words:
        assert json.loads(printed.out)
    assert target in {"", "answers.jsonl"}


def test_there_are_commands_to_run():
    assert len(commands()) > 12
    assert len(TOURS) >= 2


def test_the_python_of_the_tours_runs(place, capsys):
    for page in TOURS.values():
        for block in blocks(page, "python"):
            exec(compile(block, "docs/tour", "exec"), {})
    assert "True" in capsys.readouterr().out


def test_every_page_is_in_the_table_of_contents():
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    listed = {
        line.strip() for toc in re.findall(r"```\{toctree\}\n(.*?)```", index, re.DOTALL) for line in toc.splitlines()
    }
    pages = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")} - {"index"}
    assert pages <= listed
