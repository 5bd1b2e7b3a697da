"""Scores the rules of an edition for blocks of statements, by words, vectors, concepts and turns of phrase."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rulings.graph.concepts import ConceptScheme
from rulings.graph.records import Analysis, RuleLink, Vectors
from rulings.graph.rule_cues import rarity
from rulings.graph.rule_words import RuleReader, RuleWords
from rulings.graph.tfidf import Matrix
from rulings.ingest import Edition, Rule

TOP = 5
"""How many rules each statement is given."""
BLOCK = 512
"""How many statements are scored at once."""
_SAMPLE = 3000
_NEAR = 40


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each signal counts; words and vectors are standard scores over the rules of one statement."""

    words: float = 1.0
    words_alone: float = 1.6
    vectors: float = 1.0
    common: float = 0.4
    named: float = 1.0
    about: float = 1.0
    cue: float = 8.0
    heading: float = -1.0
    margin: float = 0.6
    """By how much the best subrule must lead the next one of its rule to be linked itself, not the rule."""


@dataclass(frozen=True, slots=True)
class Input:
    """All that the links of a statement depend on, beside the rules and what was learned of all statements.

    ``concepts`` are weights by the row of a concept, ``vector`` is its vector, where there are any.
    """

    words: RuleWords
    concepts: Mapping[int, float]
    vector: NDArray[np.float32] | None


class Scorer:
    """Scores all rules for blocks of statements; what it gives for one doesn't depend on the others of its block."""

    def __init__(
        self, edition: Edition, scheme: ConceptScheme, reader: RuleReader, weights: Weights, vectors: Vectors | None
    ) -> None:
        self._scheme, self._reader, self._weights = scheme, reader, weights
        self._rules = list(edition.rules.values())
        self._at = {rule.number: i for i, rule in enumerate(self._rules)}
        self._roots = [root(rule.number) for rule in self._rules]
        self._barred = np.array([rule.is_heading for rule in self._rules])
        self._titles = np.array([_is_title(rule) for rule in self._rules], dtype=np.float32)
        self._concepts, self._slugs = self._concept_rules()
        whole = vectors is not None and vectors.statements is not None and vectors.rules is not None
        self._vectors = vectors.rules if whole and vectors is not None else None
        self._cue_weights: Mapping[int, float] = {}
        self._concept_weights: dict[str, float] = {}
        self._common: NDArray[np.float32] = np.zeros(len(self._rules), dtype=np.float32)
        self._learned = b""

    def learn(self, keys: Sequence[str], words: Mapping[str, RuleWords], analyses: Mapping[str, Analysis]) -> None:
        """Learn how rare each cue and concept is, and from a sample which rules statements are nearest to.

        The sample is told by the keys, and what is learned is rounded, so that a few new statements change neither.
        """
        every = max(1, len(keys) // _SAMPLE)
        sample = [words[key] for key in keys if int(key[:6], 16) % every == 0]
        self._cue_weights = rarity(self._reader.cues, [[place for place, _ in words[key].cues] for key in keys])
        self._concept_weights = _rarities(analyses)
        shares = np.zeros(len(self._rules))
        for start in range(0, len(sample), BLOCK):
            scores = self._reader.scores(sample[start : start + BLOCK])
            scores[:, self._titles > 0] = 0
            sharp = np.exp(2 * (standard(scores) - standard(scores).max(axis=1, keepdims=True)))
            shares += (sharp / sharp.sum(axis=1, keepdims=True)).sum(axis=0)
        by_root: dict[str, float] = defaultdict(float)
        for number, share in zip(self._roots, shares, strict=True):
            by_root[number] += share / max(1, len(sample))
        common = [round(log(by_root[number] + 1e-5), 1) for number in self._roots]
        self._common = np.array(common, dtype=np.float32)
        learned = hashlib.sha1(repr(self._weights).encode() + self._common.tobytes(), usedforsecurity=False)
        if self._vectors is not None:
            learned.update(self._vectors.tobytes())
        self._learned = learned.digest()

    def input(self, words: RuleWords, analysis: Analysis | None, vector: NDArray[np.float32] | None) -> Input:
        """Gather what the links of a statement depend on."""
        given = self._given(analysis) if analysis is not None else {}
        return Input(words, given, vector if self._vectors is not None else None)

    def digest(self, one: Input) -> bytes:
        """A hash of all that the links of a statement depend on."""
        weighed = [self._cue_weights.get(i, 0.0) for i, _ in one.words.cues]
        found = hashlib.sha1(self._learned, usedforsecurity=False)
        found.update(msgspec.msgpack.encode((one.words, weighed, list(one.concepts.items()))))
        if one.vector is not None:
            found.update(one.vector.tobytes())
        return found.digest()

    def links(self, block: Sequence[Input]) -> list[tuple[RuleLink, ...]]:
        """Rank the rules for at most `BLOCK` statements."""
        weights = self._weights
        near = self._cosines([one.vector for one in block if one.vector is not None])
        words = standard(self._reader.scores([one.words for one in block]))
        total = words * (weights.words if near is not None else weights.words_alone)
        vectors = standard(near) if near is not None else None
        if vectors is not None:
            total = total + weights.vectors * vectors
        named = self._concept_scores(block)
        total += weights.common * self._common + weights.heading * self._titles + named
        cued, cues = self._cue_scores(block)
        total += cued
        total[:, self._barred] = -np.inf
        return [
            self._best(total[i], words[i], vectors[i] if vectors is not None else None, named[i], cues[i])
            for i in range(len(block))
        ]

    def _cosines(self, vectors: Sequence[NDArray[np.float32]]) -> NDArray[np.float32] | None:
        """Cosines (statements, rules); None where no vectors were made.

        The product is always of a whole block: the last bits of a short one, or of its last rows, may be others.
        """
        if self._vectors is None:
            return None
        whole = np.zeros((BLOCK, self._vectors.shape[1]), dtype=np.float32)
        whole[: len(vectors)] = vectors
        return np.asarray((whole @ self._vectors.T)[: len(vectors)], dtype=np.float32)

    def _best(
        self,
        total: NDArray[np.float32],
        words: NDArray[np.float32],
        vectors: NDArray[np.float32] | None,
        named: NDArray[np.float32],
        cues: Mapping[int, str],
    ) -> tuple[RuleLink, ...]:
        near = np.argpartition(-total, min(_NEAR, len(total) - 1))[:_NEAR]
        order = [int(i) for i in near[np.lexsort((near, -total[near]))] if np.isfinite(total[i])]
        inside: dict[str, list[int]] = defaultdict(list)
        for i in order:
            inside[self._roots[i]].append(i)
        links: list[RuleLink] = []
        for number, same in list(inside.items())[:TOP]:
            first = same[0]
            lead = float(total[first] - total[same[1]]) if len(same) > 1 else np.inf
            chosen = first if lead >= self._weights.margin or number not in self._at else self._at[number]
            method, evidence = self._evidence(same, words, vectors, named, cues)
            links.append(RuleLink(self._rules[chosen].number, _confidence(float(total[first])), method, evidence))
        return tuple(links)

    def _evidence(
        self,
        same: Sequence[int],
        words: NDArray[np.float32],
        vectors: NDArray[np.float32] | None,
        named: NDArray[np.float32],
        cues: Mapping[int, str],
    ) -> tuple[str, str]:
        cue = next((cues[i] for i in same if i in cues), None)
        if cue is not None:
            return "turn of phrase", cue
        first = same[0]
        if named[first] > 1.0:
            return "concept", self._concept_of.get(first, "")
        if vectors is not None and vectors[first] > words[first]:
            return "vectors", ""
        return "words", ""

    def _cue_scores(self, block: Sequence[Input]) -> tuple[NDArray[np.float32], list[dict[int, str]]]:
        scores = np.zeros((len(block), len(self._rules)), dtype=np.float32)
        spans: list[dict[int, str]] = []
        for row, one in enumerate(block):
            here: dict[int, str] = {}
            for i, found in one.words.cues:
                at = self._at[self._reader.cues[i].rule]
                weight = self._weights.cue * self._cue_weights.get(i, 0.0)
                if weight > scores[row, at]:
                    scores[row, at] = weight
                    here[at] = found
            spans.append(here)
        return scores, spans

    def _concept_rules(self) -> tuple[Matrix, dict[str, int]]:
        """A row a concept: its rules and what stands under them, the first named counting most."""
        under: dict[str, list[int]] = defaultdict(list)
        for i, rule in enumerate(self._rules):
            for number in {rule.number, self._roots[i], rule.number.split(".")[0]}:
                under[number].append(i)
        self._concept_of: dict[int, str] = {}
        entries: dict[tuple[int, int], float] = {}
        slugs = {slug: row for row, slug in enumerate(self._scheme.concepts)}
        for slug, row in slugs.items():
            for rank, number in enumerate(self._scheme.concepts[slug].rules[:5]):
                for i in under.get(number, ()):
                    share = 1.0 if self._rules[i].number == number else 0.8 if "." in number else 0.35
                    share /= 1 + 0.5 * rank
                    entries[row, i] = max(entries.get((row, i), 0.0), share)
                    self._concept_of.setdefault(i, slug)
        at = list(entries)
        shape = (len(slugs), len(self._rules))
        data = np.array([entries[pair] for pair in at], dtype=np.float32)
        matrix = sparse.csr_matrix((data, ([p[0] for p in at], [p[1] for p in at])), shape=shape)
        return matrix, slugs

    def _given(self, analysis: Analysis) -> dict[int, float]:
        weights = self._weights
        value: dict[str, float] = {}
        for mention in analysis.mentions_concepts:
            value[mention.concept] = weights.named * self._concept_weights.get(mention.concept, 0.0)
        for rank, about in enumerate(analysis.clarifies[:4]):
            value[about.concept] = value.get(about.concept, 0.0) + weights.about * max(0.3, 1.5 - 0.4 * rank)
        return {self._slugs[slug]: amount for slug, amount in value.items() if slug in self._slugs}

    def _concept_scores(self, block: Sequence[Input]) -> NDArray[np.float32]:
        rows = np.repeat(np.arange(len(block)), [len(one.concepts) for one in block])
        columns = [column for one in block for column in one.concepts]
        data = np.array([amount for one in block for amount in one.concepts.values()], dtype=np.float32)
        given = sparse.csr_matrix((data, (rows, columns)), shape=(len(block), len(self._slugs)))
        return np.asarray((given @ self._concepts).toarray(), dtype=np.float32)


def root(number: str) -> str:
    """Give the rule that a subrule belongs to; other numbers as they are."""
    return re.sub(r"[a-z]+$", "", number)


def standard(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give standard scores along each row."""
    spread = scores.std(axis=1, keepdims=True)
    return np.asarray((scores - scores.mean(axis=1, keepdims=True)) / np.maximum(spread, 1e-9), dtype=np.float32)


def _is_title(rule: Rule) -> bool:
    return rule.is_heading or (len(rule.text) < 40 and not rule.text.endswith("."))


def _rarities(analyses: Mapping[str, Analysis]) -> dict[str, float]:
    """How rare a concept is among the statements, 0..1, in hundredths."""
    counts: dict[str, int] = defaultdict(int)
    for analysis in analyses.values():
        for slug in {mention.concept for mention in analysis.mentions_concepts}:
            counts[slug] += 1
    most = log(len(analyses) + 1)
    return {slug: round(log((len(analyses) + 1) / (1 + n)) / most, 2) for slug, n in counts.items()} if most else {}


def _confidence(score: float) -> float:
    """Turn a total score into a confidence; fitted by eye on how often the first link is right."""
    return round(1 / (1 + exp(-(score - 7.0) / 3.0)), 3)
