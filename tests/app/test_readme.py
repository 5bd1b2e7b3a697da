"""The README, the command line's own help and the fixed list of commands say the same."""

import re
from argparse import _SubParsersAction
from pathlib import Path

import pytest

from rulings.app.command import parser

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BESIDE_THE_FIXED = {"gc", "history", "train", "update", "upload", "use"}
"""Commands that the fixed list doesn't have."""


def commands() -> dict[str, str]:
    """Each command with its help text."""
    sub = next(action for action in parser()._actions if isinstance(action, _SubParsersAction))
    return {name: one.format_help() for name, one in sub.choices.items()}


def documented(text: str) -> dict[str, str]:
    """The rows of a table of commands: the first word after ``rulings`` and the whole first cell(s)."""
    rows: dict[str, str] = {}
    for line in text.splitlines():
        found = re.match(r"\| (`rulings (\w+).*)", line)
        if found:
            rows[found[2]] = rows.get(found[2], "") + found[1]
    return rows


def test_every_command_is_in_the_readme_and_every_one_there_exists():
    assert documented(README).keys() == commands().keys()


@pytest.mark.parametrize("name", sorted(commands()))
def test_the_options_in_the_readme_exist(name):
    for option in set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", documented(README)[name])):
        assert re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", commands()[name]), f"{name} {option}"


@pytest.mark.parametrize("name", sorted(commands()))
def test_the_fixed_interface_is_kept(name, data):
    fixed = documented((data.parent / "INTERFACES.md").read_text(encoding="utf-8"))
    assert set(commands()) - set(fixed) == BESIDE_THE_FIXED
    if name in BESIDE_THE_FIXED:
        return
    options = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", fixed[name].split("`|")[0].split("` |")[0]))
    for option in options:
        assert re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", commands()[name]), f"{name} {option}"


def test_the_make_targets_of_the_readme_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"`make (\w+)", README)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_links_inside_the_project_lead_somewhere():
    for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", README):
        assert (ROOT / link).exists(), link


def test_the_transcript_is_the_programs_own(sample_home, capsys):
    from rulings.app.command import main

    question = re.search(r"^Q \?= (.+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[1]
    assert main(["ask", "--home", str(sample_home), "-k", "2", "--why", question]) == 0
    shown = re.search(r"```\n\$ make ask[^\n]*\n(.*?)```", README, re.DOTALL)[1]
    printed = capsys.readouterr().out
    assert re.sub(r"\s+", " ", shown).strip() in re.sub(r"\s+", " ", printed)
