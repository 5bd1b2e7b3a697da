"""Answers cut down for assistants: what to cite (ids, days, the edition) and the words, and little else."""

from typing import Any

from rulings.search.answer import Answer, Result

MOST_CARDS = 4
MOST_TEXT = 1200
"""Characters of a text; the longest rules are longer."""
_LISTS = 8
"""Entries of a list of neighbours."""

Small = dict[str, Any]


def small_answer(answer: Answer) -> Small:
    """An answer: the rulings with what to cite, and the rules in force that bear on the question."""
    reading = answer.reading
    told = {} if answer.answered else {"note": "No ruling settles this question; the nearest ones are shown."}
    return {
        "answered": answer.answered,
        "confidence": answer.confidence,
        **told,
        "understood": [
            *reading.cards,
            *(f"no {c}" if c in reading.negated else c for c in reading.concepts),
            *reading.rules,
        ],
        "rulings": [_ruling(result) for result in answer.results],
        "rules": [
            {"number": rule.number, "edition": rule.edition, "text": shortened(rule.text)} for rule in answer.rules
        ],
    }


def _ruling(result: Result) -> Small:
    cards = [{"name": card.name, "published": card.published} for card in result.cards[:MOST_CARDS]]
    more = len(result.cards) - len(cards)
    return {
        "id": result.id,
        "text": shortened(result.text),
        "cards": cards,
        **({"more_cards": more} if more > 0 else {}),
        "rules": [f"{rule.number} ({rule.edition})" for rule in result.rules],
        **({"outdated": result.outdated} if result.outdated else {}),
        "why": "; ".join(f"{step.start} {step.relation} {step.to}" for step in result.why),
    }


def small_node(described: Small) -> Small:
    """A described node without empty fields, its lists and texts cut, and how much was left out."""
    kept: Small = {}
    for field, value in described.items():
        if isinstance(value, list) and len(value) > _LISTS:
            kept[field] = [_entry(each) for each in value[:_LISTS]]
            kept[f"{field}_left_out"] = len(value) - _LISTS
        elif isinstance(value, list) and value:
            kept[field] = [_entry(each) for each in value]
        elif value not in (None, "", [], {}):
            kept[field] = shortened(value) if isinstance(value, str) else value
    return kept


def _entry(each: object) -> object:
    if not isinstance(each, dict):
        return each
    return {
        name: shortened(value) if isinstance(value, str) else value
        for name, value in each.items()
        if value not in (None, "", [], {}, 0)
    }


def shortened(text: str) -> str:
    """A text of bounded length, with a sign where it was cut."""
    return text if len(text) <= MOST_TEXT else text[: MOST_TEXT - 1] + "…"
