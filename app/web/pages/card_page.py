"""What the page of a card shows."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from typing import Any

from starlette.requests import Request

from rulings.app.web.pages.linked_text import linked
from rulings.app.web.pages.ruling_lines import RulingLine, RulingLines
from rulings.app.web.serving import Served
from rulings.graph.describe import Describer
from rulings.graph.lookup import Node

MOST_MENTIONS, ALL_MENTIONS, MOST_ALIKE = 12, 120, 12


@dataclass(frozen=True, slots=True)
class FaceRulings:
    """The rulings on one face (or on the card as a whole: "") by day, the newest first."""

    face: str
    days: tuple[tuple[date, tuple[RulingLine, ...]], ...]


def card_values(request: Request, served: Served, node: Node) -> dict[str, Any]:
    """The card, its rulings by face and day, rulings elsewhere that name it, and cards that work like it."""
    made = served.generation
    lines = RulingLines(made.archive, made.analyses)
    described = Describer(made.archive, made.analyses, made.iris, limit=1).describe(node)
    uses = made.analyses.card_uses(node.name)
    keys = [key for _, key, _ in made.analyses.statements("card", node.name)]
    whole = request.query_params.get("mentions") == "all"
    elsewhere = list(lines.folded(keys))
    shown = elsewhere[: ALL_MENTIONS if whole else MOST_MENTIONS]
    return {
        "card": made.archive.card(node.name),
        "names": described["names"],
        "keywords": lines.concepts(use.concept for use in uses if use.relation == "hasKeyword"),
        "uses": lines.concepts(use.concept for use in uses if use.relation != "hasKeyword"),
        "groups": _groups(lines, node.name),
        "elsewhere": [line for key in shown if (line := lines.line(key))],
        "more_elsewhere": len(elsewhere) - len(shown),
        "alike": [lines.card(alike.oracle_id) for alike in made.analyses.alike(node.name)[:MOST_ALIKE]],
        "linked": lambda text: linked(text, made.archive, None),
    }


def _groups(lines: RulingLines, oracle_id: str) -> tuple[FaceRulings, ...]:
    groups: dict[str, dict[date, list[RulingLine]]] = defaultdict(lambda: defaultdict(list))
    for day, key in reversed(lines.archive.rulings(oracle_id)):
        line, statement = lines.line(key), lines.archive.statement(key)
        faces = (
            [r.face for r in statement.rulings if (r.oracle_id, r.published) == (oracle_id, day)] if statement else []
        )
        if line:
            groups[(faces or [None])[0] or ""][day].append(line)
    # In force before outdated, within a day.
    ordered = {face: {day: sorted(rows, key=_is_old) for day, rows in days.items()} for face, days in groups.items()}
    return tuple(
        FaceRulings(face, tuple((day, tuple(rows)) for day, rows in ordered[face].items())) for face in sorted(ordered)
    )


def _is_old(line: RulingLine) -> bool:
    return bool(line.outdated)
