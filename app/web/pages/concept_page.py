"""What the page of a concept shows."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from starlette.requests import Request

from rulings.app.web.pages.linked_text import linked
from rulings.app.web.pages.ruling_lines import Link, RulingLine, RulingLines
from rulings.app.web.serving import Served
from rulings.graph.lookup import Node
from rulings.ingest import fold_name

A_PAGE, MOST_PAGES = 25, 400
_LEVELS = 5


@dataclass(frozen=True, slots=True)
class Filters:
    """Which rulings of a concept are shown: ``how`` it is named, ``state``, words in the text or a card's name."""

    how: str = "any"
    state: str = "any"
    words: str = ""
    page: int = 1

    @classmethod
    def of(cls, request: Request) -> "Filters":
        """Read the address; what it can't mean is passed over."""
        given = request.query_params
        number = given.get("page", "")
        page = int(number) if number.isascii() and number.isdecimal() and len(number) < 4 else 1
        how, state = given.get("how", ""), given.get("state", "")
        return cls(
            how if how in {"about", "names"} else "any",
            state if state in {"force", "outdated"} else "any",
            " ".join(given.get("words", "").split())[:100],
            min(max(page, 1), MOST_PAGES),
        )

    def pairs(self, page: int) -> dict[str, object]:
        """The same as parameters of an address, for another page."""
        given = {"how": self.how, "state": self.state, "words": self.words, "page": page if page > 1 else ""}
        return {name: value for name, value in given.items() if value not in {"any", ""}}


def concept_values(request: Request, served: Served, node: Node) -> dict[str, Any]:
    """The concept, where it stands among the others, the rules that define it, and rulings that name it."""
    made = served.generation
    lines = RulingLines(made.archive, made.analyses)
    concept = made.analyses.concept(node.name)
    if concept is None:
        raise LookupError(node.name)
    labels: dict[str, list[str]] = {}
    for language, _, text in concept.labels:
        labels.setdefault(language, []).append(text)
    filters = Filters.of(request)
    start = (filters.page - 1) * A_PAGE
    found = list(islice(_rulings(lines, node.name, filters), start, start + A_PAGE + 1))
    statements, cards = made.analyses.concept_size(node.name)
    return {
        "concept": concept,
        "labels": labels,
        "above": _above(lines, node.name),
        "narrower": lines.concepts(made.analyses.narrower(node.name)),
        "related": lines.concepts(concept.related),
        "rules": lines.rules(concept.rules[:12]),
        "filters": filters,
        "rulings": found[:A_PAGE],
        "later": len(found) > A_PAGE,
        "statements": statements,
        "cards": cards,
        "linked": lambda text: linked(text, made.archive, None, concept.rules),
    }


def _above(lines: RulingLines, slug: str) -> tuple[Link, ...]:
    """The way down to a concept from the top of the tree."""
    way: list[str] = []
    concept = lines.analyses.concept(slug)
    while concept and concept.broader and concept.broader[0] not in way and len(way) < _LEVELS:
        way.insert(0, concept.broader[0])
        concept = lines.analyses.concept(concept.broader[0])
    return lines.concepts(way)


def _rulings(lines: RulingLines, slug: str, filters: Filters) -> Iterator[RulingLine]:
    """The rulings that pass the filters, those that are about the concept first; one of each group of wordings."""
    rows = lines.analyses.statements("concept", slug)
    wanted = {"about": ("clarifies",), "names": ("mentions",)}.get(filters.how, ("clarifies", "mentions"))
    keys = [key for relation in wanted for found, key, _ in rows if found == relation]
    words = fold_name(filters.words).split()
    for key in lines.folded(_passing(lines, keys, filters.state, words)):
        line = lines.line(key)
        if line:
            yield line


def _passing(lines: RulingLines, keys: list[str], state: str, words: list[str]) -> Iterator[str]:
    for key in keys:
        if words:
            statement = lines.archive.statement(key)
            ids = statement.oracle_ids if statement else ()
            text = " ".join([statement.text if statement else "", *(lines.card(i).words for i in ids)])
            if not all(word in fold_name(text) for word in words):
                continue
        if state != "any" and bool(lines.analyses.analysis(key).outdated) != (state == "outdated"):
            continue
        yield key
