"""Alignment of two editions of the rules: which number of the older holds which rule of the newer."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulings.graph.tfidf import Tfidf, nearest, shingled
from rulings.ingest import Edition, Rule, fold

NUMBER = re.compile(r"\b\d{3}(?:\.\d+[a-z]?)?(?![\w.]*\d)")
_WORD = re.compile(r"[a-z0-9']+|\{[^}]*\}|#")
LEAST_ALIKE = 0.58
LEAST_WITH_PLACE = 0.2
_CONTAINED = 0.7


@dataclass(frozen=True, slots=True)
class Match:
    """A rule of the newer edition for one of the older, with how it was found."""

    number: str
    confidence: float
    method: str


def masked(text: str) -> str:
    """Fold a rule's text for comparison, its rule numbers masked."""
    return NUMBER.sub("#", fold(text)).lower()


def align_editions(old: Edition, new: Edition) -> dict[str, Match]:
    """Match the numbers of an edition to those of a later one; a number left out is gone.

    Same text (numbers masked) first, then the most alike in words and place, each number of ``new`` taken once; at
    last, rules
    whose words stand whole inside a rule of ``new`` (merged).
    """
    found: dict[str, Match] = {}
    taken: set[str] = set()

    def take(number: str, other: str, confidence: float, method: str) -> None:
        found[number] = Match(other, confidence, method)
        taken.add(other)

    for number, other in _same_text(old, new):
        take(number, other, 1.0, "same text")
    candidates = _Candidates(old, new)
    # Each round knows more of what stands around a rule; the last ones accept less.
    for least in (0.95, 0.8, 0.7, LEAST_ALIKE, LEAST_ALIKE):
        place = _Place(old, new, {number: match.number for number, match in found.items()})
        ranked = sorted(
            (
                (-score, number, other)
                for number, other, alike in candidates.open(found, taken)
                if (score := _score(number, other, alike, place)) >= least
            ),
        )
        for score, number, other in ranked:
            if number not in found and other not in taken:
                take(number, other, round(min(0.99, -score), 3), "same number" if number == other else "alike")
    for number, other in _of_parts(old, new, found):
        if number not in found and other not in taken and number.count(".") == other.count("."):
            take(number, other, 0.7, "its parts")
    for number, other, share in candidates.containing(found):
        if share >= _CONTAINED:
            found[number] = Match(other, round(share * 0.8, 3), "merged")
    return found


def _score(number: str, other: str, alike: float, place: "_Place") -> float:
    if alike < LEAST_WITH_PLACE and not (
        number == other and place.parent_of(number) == place.new_parent(other) and alike > 0.1
    ):
        return 0.0
    score = alike + 0.05 * (number == other)
    parent = place.parent_of(number)
    if parent is not None:
        score += 0.16 if parent == place.new_parent(other) else -0.12
    return score + 0.12 * place.neighbours(number, other)


def _same_text(old: Edition, new: Edition) -> Iterator[tuple[str, str]]:
    """Pairs of numbers with the same text; where several share it, by parent and number, then by parent, in order."""
    texts: tuple[dict[str, list[str]], dict[str, list[str]]] = (defaultdict(list), defaultdict(list))
    for groups, edition in zip(texts, (old, new), strict=True):
        for number, rule in edition.rules.items():
            groups[f"{number.count('.')} {masked(rule.text)}"].append(number)
    for text, numbers in texts[0].items():
        others = texts[1].get(text, [])
        if len(numbers) == len(others) == 1:
            yield numbers[0], others[0]
        elif others and len(text) > 3:
            yield from _several(numbers, others, old, new)


def _of_parts(old: Edition, new: Edition, found: Mapping[str, Match]) -> Iterator[tuple[str, str]]:
    """Where the larger part of a rule's children went, for rules and headings whose own words changed."""
    went = _parents(old, new, {number: match.number for number, match in found.items()})
    children: dict[str | None, list[str]] = defaultdict(list)
    for number, rule in old.rules.items():
        children[rule.parent].append(number)
    for number, other in went.items():
        stayed = sum(1 for c in children[number] if c in found and new.rules[found[c].number].parent == other)
        if 2 * stayed > len(children[number]):
            yield number, other


def _several(numbers: list[str], others: list[str], old: Edition, new: Edition) -> Iterator[tuple[str, str]]:
    left_old, left_new = list(numbers), list(others)
    for context in (_title, _context):
        by_context: dict[str, list[str]] = defaultdict(list)
        for other in left_new:
            by_context[context(new, other)].append(other)
        for number in list(left_old):
            here = by_context.get(context(old, number), [])
            if here:
                other = number if number in here else here[0]
                here.remove(other)
                left_old.remove(number)
                left_new.remove(other)
                yield number, other


def _title(edition: Edition, number: str) -> str:
    parent = edition.rules[number].parent
    above = edition.rules.get(parent) if parent else None
    return f"{masked(above.text)} {number}" if above else number


def _context(edition: Edition, number: str) -> str:
    parent = edition.rules[number].parent
    above = edition.rules.get(parent) if parent else None
    return masked(above.text) if above else ""


class _Place:
    """What stands around a rule: its parent and its neighbours, and where they went."""

    def __init__(self, old: Edition, new: Edition, went: Mapping[str, str]) -> None:
        self._old, self._new, self._went = old, new, went
        self._before = [_order(edition) for edition in (old, new)]
        self._parents = _parents(old, new, went)

    def parent_of(self, number: str) -> str | None:
        """Where the parent of an old number went, as far as it is known."""
        parent = self._old.rules[number].parent
        return self._parents.get(parent) if parent else None

    def new_parent(self, other: str) -> str | None:
        """The parent of a new number."""
        return self._new.rules[other].parent

    def neighbours(self, number: str, other: str) -> float:
        """The share of the two neighbours (before and after, under the same parent) that are each other's."""
        share = 0.0
        for mine, its in zip(self._before[0][number], self._before[1][other], strict=True):
            if (mine is None and its is None) or (mine is not None and its is not None and self._went.get(mine) == its):
                share += 0.5
        return share


def _order(edition: Edition) -> dict[str, tuple[str | None, str | None]]:
    siblings: dict[str | None, list[str]] = defaultdict(list)
    for number, rule in edition.rules.items():
        siblings[rule.parent].append(number)
    return {
        number: (group[i - 1] if i else None, group[i + 1] if i + 1 < len(group) else None)
        for group in siblings.values()
        for i, number in enumerate(group)
    }


def _parents(old: Edition, new: Edition, went: Mapping[str, str]) -> dict[str, str]:
    """Where each parent went: as matched, else where most of its children went."""
    votes: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for number, other in went.items():
        parent, new_parent = old.rules[number].parent, new.rules[other].parent
        if parent and new_parent:
            votes[parent][new_parent] += 1
    voted = {parent: max(counts, key=lambda p: (counts[p], p)) for parent, counts in votes.items()}
    return voted | {number: other for number, other in went.items() if number in votes or other.count(".") == 0}


class _Candidates:
    """Pairs of rules that share words, with their cosine."""

    def __init__(self, old: Edition, new: Edition) -> None:
        self._old, self._new = list(old.rules.values()), list(new.rules.values())
        tokens = [[rule_tokens(rule) for rule in rules] for rules in (self._old, self._new)]
        weights = Tfidf([*tokens[0], *tokens[1]])
        self._rows = weights.rows[: len(self._old)], weights.rows[len(self._old) :]
        self._numbers = (
            {rule.number: i for i, rule in enumerate(self._old)},
            {rule.number: i for i, rule in enumerate(self._new)},
        )
        self._pairs: list[tuple[int, int, float]] | None = None

    def open(self, found: Mapping[str, Match], taken: set[str]) -> Iterator[tuple[str, str, float]]:
        """Pairs not yet matched: each rule's ten nearest, headings apart, and the rule of the same number."""
        mine = [i for i, rule in enumerate(self._old) if rule.number not in found]
        if self._pairs is None:
            free = [i for i, rule in enumerate(self._new) if rule.number not in taken]
            near = nearest(self._rows[0][mine], self._rows[1][free], 10, 0.1) if mine and free else ()
            self._pairs = [(mine[a], free[b], cosine) for a, b, cosine in near]
        near_pairs = {(a, b) for a, b, _ in self._pairs}
        for a, b, cosine in self._pairs:
            old, new = self._old[a], self._new[b]
            if old.number not in found and new.number not in taken and old.is_heading == new.is_heading:
                yield old.number, new.number, cosine
        for a in mine:
            number = self._old[a].number
            there = self._numbers[1].get(number)
            if there is not None and number not in taken and (a, there) not in near_pairs:
                yield number, number, float(self._rows[0][a].multiply(self._rows[1][there]).sum())

    def containing(self, found: Mapping[str, Match]) -> Iterator[tuple[str, str, float]]:
        """For each rule not matched, the new rule that holds the largest share of its words' weight."""
        left = [i for i, rule in enumerate(self._old) if rule.number not in found and not rule.is_heading]
        if not left:
            return
        rows = self._rows[0][left]
        squares = rows.multiply(rows)
        present = self._rows[1].copy()
        present.data[:] = 1
        for a, b, share in nearest(squares, present, 1, 0.0):
            if len(self._old[left[a]].text.split()) >= 8:
                yield self._old[left[a]].number, self._new[b].number, share


def rule_tokens(rule: Rule) -> list[str]:
    """Give the words of a rule, numbers masked, and their pairs."""
    return shingled(_WORD.findall(masked(rule.text)))
