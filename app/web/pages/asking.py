"""The first page: one box, and the answer to what is asked there."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote_plus

from starlette.requests import Request
from starlette.responses import Response

from rulings.app.web.pages.rendering import LOCAL, page
from rulings.app.web.pages.ruling_lines import Link, Outdated, RuleShown, RulingLines
from rulings.app.web.serving import Served, serving
from rulings.ingest import fold_name
from rulings.search.answer import Answer, Reading, Result
from rulings.search.errors import QuestionError
from rulings.search.rulings import LONGEST

FEWEST, USUAL, MOST = 1, 5, 25
"""How many rulings are shown."""
MOST_CARDS = 4
_LONGEST_NAME = 150
EXAMPLES = (
    "If I copy a spell that was cast with X, what is X for the copy?",
    "Can I copy half of a split card?",
    "Does a copied token enter tapped?",
    "What is the mana value of a split card in my graveyard?",
)


@dataclass(frozen=True, slots=True)
class ResultShown:
    """A ruling of the answer."""

    result: Result
    url: str
    cards: tuple[Link, ...]
    more_cards: int
    concepts: tuple[Link, ...]
    rules: tuple[RuleShown, ...]
    outdated: tuple[Outdated, ...]
    why: tuple[tuple[str, Link | None], ...]


@dataclass(frozen=True, slots=True)
class Read:
    """A part of what was understood, and the address that asks again without it."""

    kind: str
    name: Link
    without: str


def ask_page(request: Request) -> Response:
    """Show the box, and the answer to ``q``; ``k`` rulings, without what ``not_card`` and the like take back."""
    served = serving(request).now
    question = " ".join(request.query_params.get("q", "").split())
    k = _number(request.query_params.get("k", ""))
    wrong = wrong_reading(request)
    values: dict[str, Any] = {"asked": question, "k": k, "examples": EXAMPLES, "problem": "", "wrong": wrong}
    if not question:
        return page(request, "start.html", values, keep=True)
    try:
        answer = answer_to(served, question, k, wrong)
    except QuestionError as error:
        told = {"problem": str(error)[:1].upper() + str(error)[1:] + ".", "asked": question[:LONGEST]}
        return page(request, "start.html", values | told, status=400)
    return page(request, "answer.html", values | _shown(answer, served, k, wrong))


def answer_to(served: Served, question: str, k: int, wrong: Reading) -> Answer:
    """Ask.

    Raises:
        QuestionError: the question has no words, or is too long.
    """
    if len(question) > LONGEST:
        raise QuestionError(f"the question has {len(question):,} characters, at most {LONGEST:,} are read")
    return served.kb.ask(question, k=k, without=wrong)


def _number(given: str) -> int:
    return min(max(int(given), FEWEST), MOST) if given.isascii() and given.isdecimal() and len(given) < 5 else USUAL


def wrong_reading(request: Request) -> Reading:
    """What the address says was read wrongly."""
    cards, concepts, rules = (
        tuple(request.query_params.getlist(f"not_{kind}")[:50]) for kind in ("card", "concept", "rule")
    )
    return Reading(cards, concepts, rules)


def _shown(answer: Answer, served: Served, k: int, wrong: Reading) -> dict[str, Any]:
    lines = RulingLines(served.generation.archive, served.generation.analyses)
    results = tuple(_result(result, lines, answer.reading) for result in answer.results)
    return {
        "answer": answer,
        "results": results,
        "nearest": () if answer.answered else results,
        "rules": lines.rules(rule.number for rule in answer.rules),
        "read": tuple(_read(answer, lines, k, wrong)),
        "named": _named(served, answer.question),
        "again": address(answer.question, k) if wrong != Reading() else "",
        "more": address(answer.question, min(MOST, k * 2), wrong) if len(results) >= k and k < MOST else "",
        "picture": f"/graph?q={quote_plus(answer.question)}" + _taken_back(wrong),
        "data": f"/api/ask?q={quote_plus(answer.question)}&k={k}" if wrong == Reading() else "",
    }


def _named(served: Served, question: str) -> Link | None:
    """The page of what the question is the whole name of."""
    made = served.generation
    if len(question) > _LONGEST_NAME:
        return None
    folded = fold_name(question)
    known = (
        made.archive.names(folded) or made.analyses.concepts(folded) or re.fullmatch(r"(rule )?\d[\d.]*[a-z]?", folded)
    )
    return Link(question, f"/find?q={quote_plus(question)}") if known else None


def address(question: str, k: int = USUAL, wrong: Reading | None = None) -> str:
    """The address of a question."""
    number = f"&k={k}" if k != USUAL else ""
    return f"/?q={quote_plus(question)}{number}{_taken_back(wrong or Reading())}"


def _taken_back(wrong: Reading) -> str:
    parts = (("card", wrong.cards), ("concept", wrong.concepts), ("rule", wrong.rules))
    return "".join(f"&not_{kind}={quote_plus(name)}" for kind, names in parts for name in names)


def _read(answer: Answer, lines: RulingLines, k: int, wrong: Reading) -> Iterator[Read]:
    read = answer.reading
    for name in read.cards:
        less = replace(wrong, cards=(*wrong.cards, name))
        yield Read("card", _card(name, lines), address(answer.question, k, less))
    for name in read.concepts:
        less = replace(wrong, concepts=(*wrong.concepts, name))
        link = replace(_concept(name, lines), note="not there" if name in read.negated else "")
        yield Read("concept", link, address(answer.question, k, less))
    for number in read.rules:
        less = replace(wrong, rules=(*wrong.rules, number))
        link = Link(f"rule {number}", f"/find?q={quote_plus(number)}")
        yield Read("rule", link, address(answer.question, k, less))


def _card(name: str, lines: RulingLines) -> Link:
    found = lines.archive.names(fold_name(name))
    return Link(name, LOCAL.card(found[0].oracle_id)) if found else Link(name, f"/find?q={quote_plus(name)}")


def _concept(name: str, lines: RulingLines) -> Link:
    found = lines.analyses.concepts(name)
    return Link(name, LOCAL.concept(found[0])) if found else Link(name, f"/find?q={quote_plus(name)}")


def _result(result: Result, lines: RulingLines, read: Reading) -> ResultShown:
    analysis, statement = lines.analyses.analysis(result.key), lines.archive.statement(result.key)
    slugs = [*(c.concept for c in analysis.clarifies), *(m.concept for m in analysis.mentions_concepts)]
    cards = tuple(lines.card(card.oracle_id, card.published) for card in result.cards[:MOST_CARDS])
    return ResultShown(
        result,
        LOCAL.statement(result.key),
        cards,
        len(statement.oracle_ids) - len(cards) if statement else 0,
        lines.concepts(slugs)[: len(result.concepts)],
        lines.rules(rule.number for rule in result.rules),
        tuple(lines.outdated(analysis)),
        tuple(_why(result, lines, read)),
    )


_LAST = {
    "about": ("The question names", ", the card this ruling was published on."),
    "mentions": ("The question names", ", which this ruling mentions."),
    "clarifies": ("The question is about", ", and so is this ruling."),
}


def _why(result: Result, lines: RulingLines, read: Reading) -> Iterator[tuple[str, Link | None]]:
    """The path to a ruling as a sentence: words, each with the link after them."""
    path = result.why
    relations = tuple(step.relation for step in path)
    if relations == ("resembles",):
        yield "Its words mean nearly what the question says.", None
    elif relations == ("names", "worksLike", "about"):
        yield "The question names", _card(path[0].to, lines)
        yield "; a card that works like it is", _card(path[1].to, lines)
        yield ", which this ruling was published on.", None
    elif len(path) == 2 and relations[0] == "names" and relations[1] in _LAST:
        named, (before, after) = path[0].to, _LAST[relations[1]]
        is_card = relations[1] == "about" or (relations[1] == "mentions" and named in read.cards)
        yield before, _card(named, lines) if is_card else _concept(named, lines)
        yield after, None
    else:
        yield "; ".join(f"{step.start} {step.relation} {step.to}" for step in path) + ".", None
