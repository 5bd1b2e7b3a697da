"""What the page of a ruling shows: one wording, all it is published on, and all that is known of it."""

from collections.abc import Iterable
from datetime import date
from itertools import groupby
from typing import Any

from starlette.requests import Request

from rulings.app.web.pages.linked_text import linked
from rulings.app.web.pages.ruling_lines import Link, RulingLines
from rulings.app.web.serving import Served
from rulings.graph.lookup import Node
from rulings.ingest import PublishedRuling

MOST_CARDS = 60


def ruling_values(request: Request, served: Served, node: Node) -> dict[str, Any]:
    """The wording with its cards by day, what it is about, the rules it rests on, and its other wordings."""
    made = served.generation
    lines = RulingLines(made.archive, made.analyses)
    statement = made.archive.statement(node.name)
    if statement is None:
        raise LookupError(node.name)
    analysis = made.analyses.analysis(node.name)
    others = [line for key in made.analyses.group(node.name) if key != node.name and (line := lines.line(key))]
    clarified = {about.concept for about in analysis.clarifies}
    named = (m.concept for m in analysis.mentions_concepts if m.concept not in clarified)
    whole = request.query_params.get("cards") == "all"
    shown = statement.rulings if whole else statement.rulings[:MOST_CARDS]
    return {
        "ruling": statement,
        "outdated": tuple(lines.outdated(analysis)),
        "published": tuple(_by_day(lines, shown)),
        "more_cards": len(statement.rulings) - len(shown),
        "sources": sorted({source for ruling in statement.rulings for source in ruling.sources}),
        "clarifies": lines.concepts(about.concept for about in analysis.clarifies),
        "mentions": lines.concepts(named),
        "mentioned_cards": tuple(
            lines.card(oracle_id) for oracle_id in dict.fromkeys(m.oracle_id for m in analysis.mentions_cards)
        ),
        "rules": lines.rules(link.number for link in analysis.rules),
        "copies": analysis.copies,
        "carried": analysis.carried,
        "others": others,
        "linked": lambda text: linked(text, made.archive, None, [cite.written for cite in analysis.cites]),
    }


def _by_day(lines: RulingLines, rulings: Iterable[PublishedRuling]) -> Iterable[tuple[date, tuple[Link, ...]]]:
    for day, found in groupby(rulings, lambda ruling: ruling.published):
        yield day, tuple(lines.card(r.oracle_id, f"on {r.face}" if r.face else "") for r in found)
