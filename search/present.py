"""Making an answer out of ranked statements: texts, cards, concepts, rules in force, what is outdated, and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from rulings.graph.archive import Analyses
from rulings.graph.vocabulary import Iris
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
_NEARLY = 0.03
"""By how much the scan's cosines may be wrong, amply."""


@dataclass(frozen=True, slots=True)
class Presenter:
    """Makes answers from an index and the links of its generation."""

    index: Index
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
        index, showing = self.index, self.index.showing
        key, slugs = index.keys[shown], index.concepts.slugs
        clarified = [slugs[place] for place in showing.clarified[shown].tolist()]
        return Result(
            rank,
            round(score, 4),
            self.iris.statement(key),
            key,
            showing.texts[shown],
            tuple([showing.texts[other] for other in others[:MOST_SAME]]),
            self._cards(shown, read),
            self._concepts(shown, clarified),
            self._rules(shown),
            self._outdated(shown),
            path(index, read, shown, frozenset(clarified)),
        )

    def _outdated(self, row: int) -> str | None:
        if not self.index.outdated[row]:
            return None
        outdated = self.analyses.analysis(self.index.keys[row]).outdated
        return "; ".join(dict.fromkeys(o.reason for o in outdated)) or None

    def _cards(self, row: int, read: Understood) -> tuple[CardRef, ...]:
        """The cards, named ones first, each with the day of its newest ruling of this wording."""
        named = {card.card for card in read.cards if card.strength >= SHOWN}
        cards = list(zip(self.index.showing.cards[row].tolist(), self.index.showing.days[row].tolist(), strict=True))
        if named:
            cards.sort(key=lambda pair: pair[0] not in named)
        names, oracle_ids = self.index.card_names, self.index.oracle_ids
        return tuple(
            [CardRef(names[n], oracle_ids[n], date.fromordinal(day).isoformat()) for n, day in cards[:MOST_CARDS]]
        )

    def _concepts(self, row: int, clarified: Sequence[str]) -> tuple[str, ...]:
        slugs, label = self.index.concepts.slugs, self.index.concepts.label
        mentioned = [slugs[place] for place in self.index.showing.mentioned[row].tolist()]
        return tuple([label(slug) for slug in list(dict.fromkeys([*clarified, *mentioned]))[:MOST_CONCEPTS]])

    def _rules(self, row: int) -> tuple[RuleRef, ...]:
        index = self.index
        places = index.showing.rules[row].tolist()[:MOST_RULES]
        return tuple([RuleRef(index.rule_numbers[place], index.edition) for place in places])

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
        weights = ranked.scores.rules.copy() if len(index.rules) else np.zeros(len(index.rule_numbers), np.float32)
        rests = np.zeros_like(weights)
        for n, row in enumerate(shown):
            rests[index.rests.columns(row)] += index.rests.values(row) * np.float32(0.6 / (n + 1))
        weights += rests
        weights[~index.is_rule] = -1
        near = np.flatnonzero(weights > _BEARING - _NEARLY)
        if len(index.rules):
            products = index.rules[near] * ranked.scores.question
            weights[near] = products.sum(axis=1) + rests[near]
        for number in read.rules:
            if number in index.rule_places:
                weights[index.rule_places[number]] = 9
        near = np.flatnonzero(weights > _BEARING)
        best = near[np.lexsort((near, -weights[near]))[:MOST_RULES]]
        return tuple(
            [RuleRef(index.rule_numbers[n], index.edition, index.showing.rule_texts[n]) for n in best.tolist()]
        )
