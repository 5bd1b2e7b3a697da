"""The rules that a statement rests on, ranked: by words, vectors, concepts, turns of phrase, and over restatements."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rulings.graph.concepts import ConceptScheme
from rulings.graph.records import Analysis, RuleLink, Vectors
from rulings.graph.restatement_text import levelled, mask_own
from rulings.graph.rule_cues import CueFinder, rarity, read_cues
from rulings.graph.rule_editions import RuleHistory
from rulings.graph.stems import stem, words
from rulings.graph.tfidf import Bm25, Matrix, shingled
from rulings.ingest import Corpus, Edition, Rule, fold

TOP = 5
_WORD = re.compile(r"[a-z][a-z'-]*|\{[^}]*\}|\d+")
_STOP = words("stop")
_BLOCK = 512
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


def link_rules(
    corpus: Corpus,
    scheme: ConceptScheme,
    analyses: Mapping[str, Analysis],
    groups: Sequence[Sequence[str]],
    vectors: Vectors | None = None,
    history: RuleHistory | None = None,
    weights: Weights | None = None,
) -> dict[str, tuple[RuleLink, ...]]:
    """Rank the rules of the newest edition that each statement rests on, best first, `TOP` each.

    Args:
        corpus: The statements and rules; with no rules loaded nothing is linked.
        scheme: The concepts, with the rules that define them.
        analyses: What the statements clarify and mention; may lack some or all.
        groups: Keys of the same ruling (`find_restatements`): scored once, for the first key, and handed on.
        vectors: Where it has statements and rules, their closeness counts too.
        history: Follows the rule numbers of the cues to the newest edition.
        weights: Other weights than the built-in ones.

    Returns:
        Links by statement. A rule stands for its subrules where none of them leads clearly.
    """
    edition = corpus.newest
    if edition is None or not edition.rules:
        return {}
    scorer = _Scorer(corpus, edition, scheme, history, weights or Weights())
    head = {key: group[0] for group in groups for key in group if group[0] in corpus.statements}
    keys = [key for key in corpus.statements if head.get(key, key) == key]
    rows = {key: i for i, key in enumerate(corpus.statements)}
    scorer.learn_common(keys)
    found: dict[str, tuple[RuleLink, ...]] = {}
    for start in range(0, len(keys), _BLOCK):
        block = keys[start : start + _BLOCK]
        near = None
        if vectors is not None and vectors.statements is not None and vectors.rules is not None:
            near = vectors.statements[[rows[key] for key in block]] @ vectors.rules.T
        found.update(zip(block, scorer.links(block, analyses, near), strict=True))
    for key, first in head.items():
        if key != first:
            found[key] = tuple(
                RuleLink(link.number, round(link.confidence * 0.95, 3), "restates", first) for link in found[first]
            )
    return {key: found[key] for key in corpus.statements}


class _Scorer:
    """Scores all rules for blocks of statements."""

    def __init__(
        self, corpus: Corpus, edition: Edition, scheme: ConceptScheme, history: RuleHistory | None, weights: Weights
    ) -> None:
        self._corpus, self._scheme, self._weights = corpus, scheme, weights
        self._rules = list(edition.rules.values())
        self._at = {rule.number: i for i, rule in enumerate(self._rules)}
        self._roots = [root(rule.number) for rule in self._rules]
        self._words = Bm25([_tokens(" ".join((rule.text, *rule.examples))) for rule in self._rules])
        self._barred = np.array([rule.is_heading for rule in self._rules])
        self._titles = np.array([_is_title(rule) for rule in self._rules], dtype=np.float32)
        self._concepts, self._slugs = self._concept_rules()
        self._cues = read_cues(edition, history)
        self._finder = CueFinder(self._cues)
        self._cue_weights: Mapping[int, float] = {}
        self._concept_weights: dict[str, float] = {}
        self._common: NDArray[np.float32] = np.zeros(len(self._rules), dtype=np.float32)

    def learn_common(self, keys: Sequence[str]) -> None:
        """Learn from a fixed sample which rules the statements as a whole are nearest to, and how rare each cue is."""
        sample = keys[:: max(1, len(keys) // _SAMPLE)]
        texts = [self._text(key) for key in sample]
        self._cue_weights = rarity(self._cues, texts)
        shares = np.zeros(len(self._rules))
        for start in range(0, len(texts), _BLOCK):
            scores = self._words.scores([_tokens(text) for text in texts[start : start + _BLOCK]])
            scores[:, self._titles > 0] = 0
            sharp = np.exp(2 * (standard(scores) - standard(scores).max(axis=1, keepdims=True)))
            shares += (sharp / sharp.sum(axis=1, keepdims=True)).sum(axis=0)
        by_root: dict[str, float] = defaultdict(float)
        for number, share in zip(self._roots, shares, strict=True):
            by_root[number] += share / max(1, len(texts))
        self._common = np.array([log(by_root[number] + 1e-5) for number in self._roots], dtype=np.float32)

    def links(
        self, keys: Sequence[str], analyses: Mapping[str, Analysis], near: NDArray[np.float32] | None
    ) -> list[tuple[RuleLink, ...]]:
        """Rank the rules for some statements; ``near`` are cosines (statements, rules), None where none were made."""
        weights = self._weights
        texts = [self._text(key) for key in keys]
        words = standard(self._words.scores([_tokens(text) for text in texts]))
        total = words * (weights.words if near is not None else weights.words_alone)
        vectors = standard(near) if near is not None else None
        if vectors is not None:
            total = total + weights.vectors * vectors
        named = self._concept_scores(keys, analyses)
        total += weights.common * self._common + weights.heading * self._titles + named
        cued, cues = self._cue_scores(texts)
        total += cued
        total[:, self._barred] = -np.inf
        return [
            self._best(total[i], words[i], vectors[i] if vectors is not None else None, named[i], cues[i])
            for i in range(len(keys))
        ]

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

    def _text(self, key: str) -> str:
        return levelled(mask_own(self._corpus.statements[key], self._corpus))

    def _cue_scores(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], list[dict[int, str]]]:
        scores = np.zeros((len(texts), len(self._rules)), dtype=np.float32)
        spans: list[dict[int, str]] = []
        for row, text in enumerate(texts):
            here: dict[int, str] = {}
            for i, match in self._finder.find(text):
                at = self._at[self._cues[i].rule]
                weight = self._weights.cue * self._cue_weights.get(i, 0.0)
                if weight > scores[row, at]:
                    scores[row, at] = weight
                    here[at] = match[0]
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

    def _concept_scores(self, keys: Sequence[str], analyses: Mapping[str, Analysis]) -> NDArray[np.float32]:
        weights = self._weights
        if not self._concept_weights:
            self._concept_weights = _rarities(analyses)
        rows: list[int] = []
        columns: list[int] = []
        data: list[float] = []
        for row, key in enumerate(keys):
            analysis = analyses.get(key)
            if analysis is None:
                continue
            value: dict[str, float] = {}
            for mention in analysis.mentions_concepts:
                value[mention.concept] = weights.named * self._concept_weights.get(mention.concept, 0.0)
            for rank, about in enumerate(analysis.clarifies[:4]):
                value[about.concept] = value.get(about.concept, 0.0) + weights.about * max(0.3, 1.5 - 0.4 * rank)
            for slug, amount in value.items():
                if slug in self._slugs:
                    rows.append(row)
                    columns.append(self._slugs[slug])
                    data.append(amount)
        shape = (len(keys), len(self._slugs))
        given = sparse.csr_matrix((np.array(data, dtype=np.float32), (rows, columns)), shape=shape)
        return np.asarray((given @ self._concepts).toarray(), dtype=np.float32)


def root(number: str) -> str:
    """Give the rule that a subrule belongs to; other numbers as they are."""
    return re.sub(r"[a-z]+$", "", number)


def standard(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give standard scores along each row."""
    spread = scores.std(axis=1, keepdims=True)
    return np.asarray((scores - scores.mean(axis=1, keepdims=True)) / np.maximum(spread, 1e-9), dtype=np.float32)


def _tokens(text: str) -> list[str]:
    words = (stem(word.strip("'-").removesuffix("'s")) for word in _WORD.findall(fold(text).lower()))
    return shingled([word for word in words if word and word not in _STOP])


def _is_title(rule: Rule) -> bool:
    return rule.is_heading or (len(rule.text) < 40 and not rule.text.endswith("."))


def _rarities(analyses: Mapping[str, Analysis]) -> dict[str, float]:
    """How rare a concept is among the statements, 0..1."""
    counts: dict[str, int] = defaultdict(int)
    for analysis in analyses.values():
        for slug in {mention.concept for mention in analysis.mentions_concepts}:
            counts[slug] += 1
    most = log(len(analyses) + 1)
    return {slug: log((len(analyses) + 1) / (1 + n)) / most for slug, n in counts.items()} if most else {}


def _confidence(score: float) -> float:
    """Turn a total score into a confidence; fitted by eye on how often the first link is right."""
    return round(1 / (1 + exp(-(score - 7.0) / 3.0)), 3)
