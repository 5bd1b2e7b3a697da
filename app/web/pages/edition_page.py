"""What the page of an edition of the rules shows: its sections and chapters, and the other editions."""

from typing import Any

from starlette.requests import Request

from rulings.app.web.serving import Served
from rulings.graph.lookup import Node


def edition_values(request: Request, served: Served, node: Node) -> dict[str, Any]:  # noqa: ARG001 - as the others
    """The sections with their chapters."""
    archive = served.generation.archive
    day = node.edition
    if day is None:
        raise LookupError(node.name)
    sections = [rule for n in range(1, 10) if (rule := archive.rule(str(n), day))]
    return {
        "day": day,
        "rules": archive.rule_count(day),
        "sections": [(section, archive.below(section.number, day)) for section in sections],
        "newest": day == archive.editions[-1],
    }
