"""Making an answer out of ranked statements: texts, cards, concepts, rules in force, what is outdated, and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from rulings.graph.archive import Analyses
from rulings.graph.records import Analysis
from rulings.graph.vocabulary import Iris
from rulings.ingest import Archive, Statement
from rulings.search.answer import Answer, CardRef, Reading, Result, RuleRef
from rulings.search.index import Index
from rulings.search.path import SHOWN, path
from rulings.search.question import Understood
from rulings.search.ranking import Ranked, one_a_group

MOST_SAME = 20
MOST_CARDS = 12
MOST_CONCEPTS = 5
MOST_RULES = 3
_WEAK_CONCEPT = 0.5
_BEARING = 0.45
"""Rules less near to the question, and to what the best results rest on, don't bear on it."""


@dataclass(frozen=True, slots=True)
class Presenter:
    """Makes answers from an index and the records of its generation."""

    index: Index
    archive: Archive
    analyses: Analyses
    iris: Iris

    def answer(self, read: Understood, ranked: Ranked, *, k: int, answered: bool, confidence: float) -> Answer:
        """The answer with at most ``k`` results."""
        groups = one_a_group(self.index, ranked, k)
        groups = self._newer_first(groups)[:k]
        top = max((value for _, value, _ in groups), default=0.0)
        results = tuple(
            self._result(n, float(np.exp(min(0.0, value - top) / 3)) * confidence, shown, others, read)
            for n, (shown, value, others) in enumerate(groups, 1)
        )
        rules = self._bearing(read, ranked, [shown for shown, _, _ in groups[:3]]) if answered else ()
        return Answer(read.question, read.language, answered, confidence, self._reading(read), results, rules)

    def _newer_first(self, groups: list[tuple[int, float, list[int]]]) -> list[tuple[int, float, list[int]]]:
        """Each outdated ruling with the newer one that replaced it, where that is known, right above it."""
        out: list[tuple[int, float, list[int]]] = []
        placed: set[int] = set()
        for shown, value, others in groups:
            if self.index.outdated[shown]:
                for newer in self._replacements(shown):
                    group = int(self.index.group[newer])
                    if group != int(self.index.group[shown]) and group not in placed:
                        placed.add(group)
                        out.append((newer, value, [int(m) for m in self.index.members(newer) if m != newer]))
            group = int(self.index.group[shown])
            if group not in placed:
                placed.add(group)
                out.append((shown, value, others))
        return out

    def _replacements(self, row: int) -> list[int]:
        found = [o.replaced_by for o in self.analyses.analysis(self.index.keys[row]).outdated if o.replaced_by]
        return [place for key in found if (place := self.index.place(key)) is not None]

    def _result(self, rank: int, score: float, shown: int, others: Sequence[int], read: Understood) -> Result:
        index, key = self.index, self.index.keys[shown]
        statement = self._statement(key)
        analysis = self.analyses.analysis(key)
        clarified = frozenset(about.concept for about in analysis.clarifies)
        same = [self._statement(index.keys[other]).text for other in others[:MOST_SAME]]
        return Result(
            rank,
            round(score, 4),
            self.iris.statement(key),
            key,
            statement.text,
            tuple(same),
            self._cards(statement, read),
            self._concepts(analysis),
            self._rules(analysis),
            "; ".join(dict.fromkeys(o.reason for o in analysis.outdated)) or None,
            path(index, read, shown, clarified),
        )

    def _statement(self, key: str) -> Statement:
        statement = self.archive.statement(key)
        if statement is None:
            raise LookupError(f"{self.archive.path}: no statement {key}; the index is of another generation")
        return statement

    def _cards(self, statement: Statement, read: Understood) -> tuple[CardRef, ...]:
        """The cards, named ones first, each with the day of its newest ruling of this wording."""
        named = {self.index.oracle_ids[card.card] for card in read.cards if card.strength >= SHOWN}
        newest: dict[str, date] = {}
        for ruling in statement.rulings:
            newest[ruling.oracle_id] = max(newest.get(ruling.oracle_id, ruling.published), ruling.published)
        ordered = sorted(newest, key=lambda oracle_id: oracle_id not in named)
        return tuple(
            CardRef(self._card_name(oracle_id), oracle_id, newest[oracle_id].isoformat())
            for oracle_id in ordered[:MOST_CARDS]
        )

    def _card_name(self, oracle_id: str) -> str:
        return self.index.card_names[self.index.card_places[oracle_id]]

    def _concepts(self, analysis: Analysis) -> tuple[str, ...]:
        slugs = dict.fromkeys(
            [*(c.concept for c in analysis.clarifies), *(m.concept for m in analysis.mentions_concepts)]
        )
        return tuple(self.index.concepts.label(slug) for slug in list(slugs)[:MOST_CONCEPTS])

    def _rules(self, analysis: Analysis) -> tuple[RuleRef, ...]:
        edition = self.index.edition
        return tuple(RuleRef(link.number, edition) for link in analysis.rules[:MOST_RULES]) if edition else ()

    def _reading(self, read: Understood) -> Reading:
        cards = dict.fromkeys(self.index.card_names[card.card] for card in read.cards if card.strength >= SHOWN)
        label = self.index.concepts.label
        slugs = dict.fromkeys(named.concept for named in read.concepts if named.weight >= _WEAK_CONCEPT)
        concepts = tuple(dict.fromkeys(map(label, slugs)))
        denied = tuple(dict.fromkeys(label(slug) for slug in read.negated if slug in slugs))
        return Reading(tuple(cards), concepts, read.rules, denied, read.intent)

    def _bearing(self, read: Understood, ranked: Ranked, shown: Sequence[int]) -> tuple[RuleRef, ...]:
        """The rules in force that bear on the question.

        Written in it, under the best results, or near it in meaning.
        """
        index = self.index
        if not index.edition or not index.rule_numbers:
            return ()
        weights = np.zeros(len(index.rule_numbers), np.float32)
        if len(index.rules):
            weights += index.rules @ ranked.scores.question
        for n, row in enumerate(shown):
            np.add.at(weights, index.rests.columns(row), index.rests.values(row) * np.float32(0.6 / (n + 1)))
        weights[~index.is_rule] = -1
        for number in read.rules:
            if number in index.rule_places:
                weights[index.rule_places[number]] = 9
        near = np.flatnonzero(weights > _BEARING)
        best = near[np.lexsort((near, -weights[near]))[:MOST_RULES]]
        found = []
        for place in best.tolist():
            rule = self.archive.rule(index.rule_numbers[place])
            if rule is not None:
                found.append(RuleRef(rule.number, rule.edition.isoformat(), rule.text))
        return tuple(found)
