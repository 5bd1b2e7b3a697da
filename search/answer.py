"""An answer: what was understood, the rulings that settle the question, and the rules that bear on it."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read out of the question, by English names: shown, so that a wrong reading can be seen.

    ``negated`` are those of the concepts that it says are not there, ``intent`` is one of
    `rulings.search.intent.intents`.
    """

    cards: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    negated: tuple[str, ...] = ()
    intent: str = "whether"


@dataclass(frozen=True, slots=True)
class CardRef:
    """A card that a ruling is published on, and the day (ISO 8601)."""

    name: str
    oracle_id: str
    published: str


@dataclass(frozen=True, slots=True)
class RuleRef:
    """A rule in force: its number, the edition (ISO 8601) and, beside the rulings, its text."""

    number: str
    edition: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the path through the graph that led to a result."""

    start: str
    relation: str
    to: str


@dataclass(frozen=True, slots=True)
class Result:
    """One ruling.

    Other wordings of the same ruling are in ``same_as``. ``score`` is in 0..1, ``outdated`` None or the reason.
    """

    rank: int
    score: float
    id: str
    key: str
    text: str
    same_as: tuple[str, ...] = ()
    cards: tuple[CardRef, ...] = ()
    concepts: tuple[str, ...] = ()
    rules: tuple[RuleRef, ...] = ()
    outdated: str | None = None
    why: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question.

    Where ``answered`` is false, ``results`` are only the nearest rulings. ``took_ms`` is wall time.
    """

    question: str
    language: str
    answered: bool
    confidence: float
    reading: Reading = field(default_factory=Reading)
    results: tuple[Result, ...] = ()
    rules: tuple[RuleRef, ...] = ()
    took_ms: float = 0.0
    id: str | None = None

    def timed(self, took_ms: float) -> "Answer":
        """The same answer with the time it took."""
        return replace(self, took_ms=took_ms)

    def to_json(self) -> dict[str, Any]:
        """The answer as plain dicts and lists, in the order and names that others rely on."""
        head = {"id": self.id} if self.id is not None else {}
        return head | {
            "question": self.question,
            "language": self.language,
            "answered": self.answered,
            "confidence": self.confidence,
            "reading": {
                "cards": list(self.reading.cards),
                "concepts": list(self.reading.concepts),
                "rules": list(self.reading.rules),
                "negated": list(self.reading.negated),
                "intent": self.reading.intent,
            },
            "results": [_result_json(result) for result in self.results],
            "rules": [{"number": rule.number, "text": rule.text, "edition": rule.edition} for rule in self.rules],
            "took_ms": self.took_ms,
        }

    def _repr_html_(self) -> str:
        return "".join(_html(self))


def _result_json(result: Result) -> dict[str, Any]:
    return {
        "rank": result.rank,
        "score": result.score,
        "id": result.id,
        "key": result.key,
        "text": result.text,
        "same_as": list(result.same_as),
        "cards": [{"name": c.name, "oracle_id": c.oracle_id, "published": c.published} for c in result.cards],
        "concepts": list(result.concepts),
        "rules": [{"number": rule.number, "edition": rule.edition} for rule in result.rules],
        "outdated": result.outdated,
        "why": [{"from": step.start, "relation": step.relation, "to": step.to} for step in result.why],
    }


def _html(answer: Answer) -> Iterator[str]:
    """A table of the results for a notebook; every text is escaped."""
    yield f"<p><b>{escape(answer.question)}</b></p>"
    if not answer.answered:
        yield "<p>No ruling found that settles this. The nearest:</p>"
    yield "<table><thead><tr><th></th><th>Ruling</th><th>Cards</th><th>About</th></tr></thead><tbody>"
    for result in answer.results:
        text = escape(result.text) + (f"<br><i>Outdated: {escape(result.outdated)}</i>" if result.outdated else "")
        cards = "<br>".join(f"{escape(card.name)} ({card.published})" for card in result.cards[:4])
        about = ", ".join([*map(escape, result.concepts), *(f"rule {escape(rule.number)}" for rule in result.rules)])
        yield f'<tr><td>{result.rank}</td><td style="text-align:left">{text}</td><td>{cards}</td><td>{about}</td></tr>'
    yield "</tbody></table>"
    if answer.rules:
        yield f"<p>Rules of {escape(answer.rules[0].edition)}:</p><ul>"
        yield from (f"<li><b>{escape(rule.number)}</b> {escape(rule.text)}</li>" for rule in answer.rules)
        yield "</ul>"
