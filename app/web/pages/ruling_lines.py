"""Rulings, and what they name, as pages show them: with links in place of ids."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from rulings.app.web.pages.rendering import LOCAL
from rulings.graph.archive import Analyses
from rulings.graph.records import Analysis
from rulings.graph.vocabulary import Iris
from rulings.ingest import Archive, Rule, Statement

MOST_CARDS, MOST_BELOW = 6, 3


@dataclass(frozen=True, slots=True)
class Link:
    """Words that lead to a page; ``note`` stands beside them."""

    words: str
    url: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class RuleShown:
    """A rule that opens in place; where its text is a mere title, with the first rules ``below`` it."""

    number: str
    url: str
    text: str
    edition: date
    below: tuple[Rule, ...] = ()


@dataclass(frozen=True, slots=True)
class Outdated:
    """Why a ruling is no longer in force, and the one that replaced it, where known."""

    reason: str
    newer: Link | None = None


@dataclass(frozen=True, slots=True)
class RulingLine:
    """A ruling with what it is about. ``more_cards`` counts the cards that aren't among ``cards``."""

    key: str
    url: str
    text: str
    cards: tuple[Link, ...]
    more_cards: int
    days: tuple[date, ...]
    concepts: tuple[Link, ...]
    outdated: tuple[Outdated, ...]


class RulingLines:
    """Makes lines of rulings, and remembers names while one page is made."""

    def __init__(self, archive: Archive, analyses: Analyses) -> None:
        self.archive, self.analyses = archive, analyses
        self._cards: dict[str, Link] = {}
        self._concepts: dict[str, Link | None] = {}

    def card(self, oracle_id: str, note: str = "") -> Link:
        """A card by its name."""
        if oracle_id not in self._cards:
            card = self.archive.card(oracle_id)
            self._cards[oracle_id] = Link(card.name if card else oracle_id, LOCAL.card(oracle_id))
        found = self._cards[oracle_id]
        return Link(found.words, found.url, note) if note else found

    def concepts(self, slugs: Iterable[str]) -> tuple[Link, ...]:
        """Concepts by their labels, without repeats and unknown ones."""
        return tuple(link for slug in dict.fromkeys(slugs) if (link := self._concept(slug)))

    def _concept(self, slug: str) -> Link | None:
        if slug not in self._concepts:
            concept = self.analyses.concept(slug)
            self._concepts[slug] = Link(concept.label, LOCAL.concept(slug)) if concept else None
        return self._concepts[slug]

    def rules(self, numbers: Iterable[str], edition: date | None = None) -> tuple[RuleShown, ...]:
        """Rules of an edition (None: the newest) by their numbers, those that there are."""
        found = (self.archive.rule(number, edition) for number in dict.fromkeys(numbers))
        return tuple(self._rule(rule) for rule in found if rule)

    def _rule(self, rule: Rule) -> RuleShown:
        is_title = not rule.is_heading and not rule.text.endswith((".", ")", "”", '"'))
        below = self.archive.below(rule.number, rule.edition)[:MOST_BELOW] if is_title else ()
        return RuleShown(rule.number, LOCAL.rule(rule.edition, rule.number), rule.text, rule.edition, below)

    def line(self, key: str, most_concepts: int = 4) -> RulingLine | None:
        """The ruling with this key."""
        statement = self.archive.statement(key)
        if statement is None:
            return None
        analysis = self.analyses.analysis(key)
        ids = statement.oracle_ids
        return RulingLine(
            key,
            LOCAL.statement(key),
            statement.text,
            tuple(self.card(oracle_id, f"{_newest(statement, oracle_id)}") for oracle_id in ids[:MOST_CARDS]),
            max(0, len(ids) - MOST_CARDS),
            statement.dates,
            self.concepts(about.concept for about in analysis.clarifies[:most_concepts]),
            tuple(self.outdated(analysis)),
        )

    def outdated(self, analysis: Analysis) -> Iterator[Outdated]:
        """The reasons why a ruling is outdated, each once."""
        told: dict[str, Link | None] = {}
        for each in analysis.outdated:
            newer = self.archive.statement(each.replaced_by) if each.replaced_by else None
            link = Link(newer.text, LOCAL.statement(newer.key)) if newer else None
            told[each.reason] = told.get(each.reason) or link
        for reason, link in told.items():
            yield Outdated(reason, link)

    def folded(self, keys: Iterable[str]) -> Iterator[str]:
        """The first key of each group of wordings of one ruling."""
        seen: set[str] = set()
        for key in keys:
            if key not in seen:
                seen.update(self.analyses.group(key))
                yield key


def _newest(statement: Statement, oracle_id: str) -> date:
    return max(ruling.published for ruling in statement.rulings if ruling.oracle_id == oracle_id)


def iri_path(iri: str, iris: Iris) -> str | None:
    """The address here of a node's IRI; None for any other."""
    return "/id/" + iri.removeprefix(iris.base) if iri.startswith(iris.base) else None
