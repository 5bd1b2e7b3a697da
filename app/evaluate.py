"""``rulings evaluate``: the answers' quality on a question set."""

import argparse

import msgspec

from rulings.app.home import home_of
from rulings.app.output import Progress, say, table
from rulings.search import Rulings
from rulings.search.evaluate import evaluate, read_questions


def run(args: argparse.Namespace) -> None:
    """Ask every question of the file and print the figures per kind and language."""
    questions = read_questions(args.questions)
    kb = Rulings.open(home_of(args))
    progress = Progress("asking", len(questions))
    figures = evaluate(kb, questions, progress)
    progress.close()
    if args.json:
        say(msgspec.json.encode(figures).decode())
        return
    columns = list(dict.fromkeys(name for row in figures.values() for name in row))
    rows = [[kind, *(_cell(row.get(column)) for column in columns)] for kind, row in figures.items()]
    say(table(["", *columns], rows))


def _cell(figure: float | None) -> str:
    if figure is None:
        return ""
    return str(figure) if isinstance(figure, int) else f"{figure:.3f}"
