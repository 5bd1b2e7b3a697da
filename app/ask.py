"""``rulings ask``: one question, or a file of them."""

import argparse
import codecs
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from rulings.app.errors import UsageError
from rulings.app.home import home_of
from rulings.app.output import note, printable, say, wrapped
from rulings.search import Rulings
from rulings.search.answer import Answer, Result
from rulings.search.errors import NoGenerationError
from rulings.search.rulings import LONGEST


def run(args: argparse.Namespace) -> None:
    """Answer, building the sample first where nothing was built yet."""
    question = " ".join(args.question).strip()
    if bool(question) == bool(args.batch):
        raise UsageError("ask: give a question, or a file of questions with --batch")
    if args.batch and not args.json:
        raise UsageError("ask: --batch answers as JSON lines; add --json")
    if len(question) > LONGEST:
        raise UsageError(
            f"ask: the question has {len(question):,} characters, at most {LONGEST:,} are read; shorten it"
        )
    questions = list(_questions(args.batch)) if args.batch else []
    kb = open_or_sample(home_of(args))
    if args.batch:
        answers = kb.batch((each for _, each in questions), k=args.k or 10)
        for (identity, _), answer in zip(questions, answers, strict=True):
            say(_json(identity, answer))
        return
    answer = kb.ask(question, k=args.k or 5)
    say(_json(None, answer) if args.json else readable(answer, why=args.why))


def _json(identity: str | int | None, answer: Answer) -> str:
    return msgspec.json.encode({"id": identity, **answer.to_json()}).decode()


def open_or_sample(home: Path) -> Rulings:
    """Open the generation in use in a home; build the sample there first where nothing was built yet.

    Raises:
        GenerationError: the generation in use is gone or damaged, or the home can't be written.
    """
    try:
        return Rulings.open(home)
    except NoGenerationError:
        from rulings.app.build import build

        note("nothing was built yet: building the built-in sample (not official text; `rulings build SOURCE` for more)")
        build([], home, tell=lambda _: None)
        return Rulings.open(home)


def _questions(path: Path) -> Iterator[tuple[str | int, str]]:
    """The ids and questions of a file, checked before any is answered."""
    try:
        raw = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        lines = raw.removeprefix(codecs.BOM_UTF8).split(b"\n")
    except OSError as error:
        raise UsageError(f"{path}: can't be read ({error.strerror}); name a file of questions") from error
    for n, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = msgspec.json.decode(line, type=dict[str, object])
        except msgspec.MsgspecError as error:
            raise UsageError(
                f'{path}, line {n}: not a JSON object ({error}); write {{"id": ..., "question": ...}}'
            ) from error
        question = record.get("question")
        if isinstance(question, str) and question.strip() and not any(sign.isalnum() for sign in question):
            raise UsageError(f"{path}, line {n}: the question has no words; write it in plain words")
        if not isinstance(question, str) or not question.strip() or len(question) > LONGEST:
            raise UsageError(f'{path}, line {n}: no "question" of 1 to {LONGEST:,} characters')
        identity = record.get("id", n)
        yield identity if isinstance(identity, str | int) else str(identity), question


def readable(answer: Answer, *, why: bool = False) -> str:
    """An answer as a person reads it."""
    lines = []
    if not answer.answered:
        lines += ["No ruling found that settles this." + (" The nearest:" if answer.results else ""), ""]
    for result in answer.results:
        lines += [*_result(result, why=why), ""]
    if answer.answered and answer.rules:
        lines.append("Rules that bear on it:")
        lines += [wrapped(f"{rule.number}  {rule.text}", "  ") for rule in answer.rules]
        lines += [f"  (rules of {answer.rules[0].edition})", ""]
    reading = answer.reading
    read = [*reading.cards, *(f"no {c}" if c in reading.negated else c for c in reading.concepts), *reading.rules]
    if read:
        lines.append(wrapped("Understood: " + ", ".join(read)))
    return "\n".join(lines).rstrip()


def _result(result: Result, *, why: bool) -> Iterator[str]:
    yield wrapped(f"{result.rank}. {result.text}")
    cards = [f"{card.name} ({card.published})" for card in result.cards[:4]]
    more = f" and {len(result.cards) - 4} more" if len(result.cards) > 4 else ""
    yield wrapped(", ".join(cards) + more, "   ")
    if result.outdated:
        yield wrapped(f"OUTDATED: {result.outdated}", "   ")
    about = [*result.concepts, *(f"rule {rule.number}" for rule in result.rules)]
    if about:
        yield wrapped("About: " + ", ".join(about), "   ")
    if result.same_as:
        yield f"   Also published in {len(result.same_as)} other wording{'s' if len(result.same_as) > 1 else ''}"
    if why:
        for step in result.why:
            yield printable(f"   {step.start} --{step.relation}--> {step.to}")
