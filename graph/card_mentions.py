"""Finds the cards that a statement names: its own, and others, each with the exact span."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from rulings.graph.automaton import Folded, Phrases, folded, longest
from rulings.graph.card_names import CardName, NameBook, OwnForm, own_forms
from rulings.graph.homonyms import Usage, name_score
from rulings.graph.records import CardMention, SelfReference
from rulings.graph.self_reference import own_hits
from rulings.ingest import Corpus, Statement

_ENDINGS = frozenset({"s", "es"})
_BETWEEN = re.compile(r"^(?:'s)?(?:,| or| and|, or|, and|/|//|,? then|\)? or| \+) (?:an? |the )?$")


@dataclass(frozen=True, slots=True)
class _Candidate:
    start: int
    end: int
    name: CardName
    score: float


@dataclass(frozen=True, slots=True)
class CardLinks:
    """The cards named in one statement."""

    mentions: tuple[CardMention, ...] = ()
    self_references: tuple[SelfReference, ...] = ()


Hits = list[tuple[int, int, CardName]]
"""Spans of a folded text, each with the name that it may be."""


class CardLinker:
    """Finds card names in statements, with all names of a corpus in one automaton.

    Args:
        corpus: All cards, for the names; the newest edition and all statements, for how words are used in lower case.
        terms: Rules terms in lower case, singular and plural.
    """

    def __init__(self, corpus: Corpus, terms: Iterable[str] = ()) -> None:
        self._corpus = corpus
        self._book = NameBook.from_corpus(corpus)
        self._phrases: Phrases[CardName] = Phrases(self._book.phrases())
        self._own: dict[str, tuple[OwnForm, ...]] = {}
        self._own_text: dict[str, str] = {}
        known = frozenset(terms)
        heads = {re.sub(r" (?:variant|token|step|phase|ability|game)s?$", "", term) for term in known}
        self._usage = Usage({}, known | heads, frozenset(self._book.subtypes))

    def link(self, statements: Iterable[Statement]) -> dict[str, CardLinks]:
        """Find the cards named in each statement.

        Args:
            statements: The statements to look at. How often a name is used in lower case is counted over them and the
                newest rules.

        Returns:
            Per key the mentions and self-references, in order of their start, never overlapping.
        """
        lower = self.rule_uses()
        found: list[tuple[Statement, Folded, Hits]] = []
        for statement in statements:
            text = folded(statement.text)
            hits, uses = self.hits(text)
            found.append((statement, text, hits))
            lower.update(uses)
        return {statement.key: self.decide(statement, text, hits, lower) for statement, text, hits in found}

    def rule_uses(self) -> Counter[str]:
        """How often each name is used in lower case in the newest rules."""
        lower: Counter[str] = Counter()
        if self._corpus.newest:
            for rule in self._corpus.newest.rules.values():
                self._capitalised(rule.text, lower)
        return lower

    def hits(self, text: Folded) -> tuple[Hits, Counter[str]]:
        """The names in a folded statement that are capitalised as names are; how often others are used in it."""
        lower: Counter[str] = Counter()
        return self._capitalised(text.text, lower), lower

    def decide(self, statement: Statement, text: Folded, hits: Hits, lower: Mapping[str, int]) -> CardLinks:
        """Tell which of the names found in a statement are cards; ``lower``: uses in lower case, by name.

        Of ``lower`` nothing but ``get`` is called: what was asked for is all that the answer depends on beside the
        statement and the cards.
        """
        self._usage = replace(self._usage, lower=lower)
        return self._decide(statement, text, hits)

    def _capitalised(self, text: str, lower: Counter[str]) -> Hits:
        """The names in a folded text that are capitalised as names are; the others are counted in ``lower``."""
        hits = []
        for start, end, (name,) in self._phrases.find(text.lower(), _ENDINGS):
            if text[start].isupper() == name.form[0].isupper() and _same_case(name.form, text[start:end]):
                hits.append((start, end, name))
            elif text[start].islower():
                lower[name.form.lower()] += 1
        return hits

    def _decide(self, statement: Statement, text: Folded, hits: Hits) -> CardLinks:
        own_ids = statement.oracle_ids
        own = own_hits(text.text, [(oracle_id, self._forms(oracle_id)) for oracle_id in own_ids], self._usage)
        if not hits and not own:
            return CardLinks()
        ids = set(own_ids)
        own_text = "\n".join(self._text(oracle_id) for oracle_id in own_ids[:12]) if hits else ""
        own_names = {self._corpus.cards[oracle_id].name for oracle_id in own_ids}
        candidates = [
            _Candidate(s, e, name, self._score(text.text, s, e, name, own_text))
            for s, e, name in hits
            if name.oracle_id not in ids and name.name not in own_names
        ]
        spans: list[tuple[int, int, object]] = [(h.start, h.end, h) for h in own]
        spans += [(c.start, c.end, c) for c in candidates]
        kept = longest(spans)
        others = [c for _, _, c in kept if isinstance(c, _Candidate)]
        mine = [(s, e, h.oracle_id) for s, e, h in kept if not isinstance(h, _Candidate)]  # type: ignore[attr-defined]
        others = _with_neighbours(text.text, others)
        mentions = [_mention(text, c) for c in others if c.score > 0]
        mine, partners = self._split_partners(text, own_ids, mine)
        mentions += partners
        selves = [SelfReference(oracle_id, *text.span(s, e)) for s, e, oracle_id in mine]
        mentions += self._again(text, mentions, [(s, e) for s, e, _ in mine])
        return CardLinks(tuple(sorted(mentions, key=lambda m: m.start)), tuple(selves))

    def _split_partners(
        self, text: Folded, own_ids: Sequence[str], mine: list[tuple[int, int, str]]
    ) -> tuple[list[tuple[int, int, str]], list[CardMention]]:
        """Where a statement stands on several cards and names more than one, only the first of them is its own."""
        forms = {oracle_id: {f.form for f in self._forms(oracle_id)} for oracle_id in own_ids[:12]}
        named = {o for s, e, o in mine if o in forms and sum(text.text[s:e] in f for f in forms.values()) == 1}
        if len(named) < 2:
            return mine, []
        first = next(oracle_id for oracle_id in own_ids if oracle_id in named)
        partners = [
            CardMention(o, self._corpus.cards[o].name, *text.span(s, e), 0.85, None, "partner")
            for s, e, o in mine
            if o in named and o != first
        ]
        return [one for one in mine if one[2] not in named or one[2] == first], partners

    def _forms(self, oracle_id: str) -> tuple[OwnForm, ...]:
        if oracle_id not in self._own:
            self._own[oracle_id] = own_forms(self._corpus.cards[oracle_id])
        return self._own[oracle_id]

    def _text(self, oracle_id: str) -> str:
        if oracle_id not in self._own_text:
            self._own_text[oracle_id] = folded(self._corpus.cards[oracle_id].text).text
        return self._own_text[oracle_id]

    def _score(self, text: str, start: int, end: int, name: CardName, own_text: str) -> float:
        score = name_score(text, start, end, name.form.lower(), self._usage, own_text)
        if name.oversized:
            score -= 1.5
        if name.kind == "short name":
            score -= 2.0 + (0.0 if len(self._book.names[name.form.lower()]) == 1 else 2.0)
        lower = name.form.lower()
        if name.form in own_text and lower not in self._usage.subtypes and not self._usage.is_term(lower):
            form = re.escape(name.form)
            is_token = re.search(rf"tokens?\b[^.]{{0,60}} named {form}\b|\b{form}, a legendary\b", own_text)
            score += 2.0 if not is_token or text[:start].endswith("the card ") else -5.0
        return score

    def _again(
        self, text: Folded, mentions: Sequence[CardMention], taken: Sequence[tuple[int, int]]
    ) -> list[CardMention]:
        """Shortened names of cards named in full before in the same statement."""
        more: list[CardMention] = []
        known: dict[str, CardMention] = {}
        for mention in mentions:
            known.setdefault(mention.oracle_id, mention)
        spans = [*taken, *((m.start, m.end) for m in mentions)]
        for oracle_id, first in known.items():
            first_form = folded(first.face or first.name).text
            for hit in own_hits(text.text, [(oracle_id, self._forms(oracle_id))], self._usage):
                start, end = text.span(hit.start, hit.end)
                if (
                    hit.form.form != first_form
                    and start > first.start
                    and all(end <= s or e <= start for s, e in spans)
                ):
                    more.append(CardMention(oracle_id, first.name, start, end, 0.8, first.face, "named before"))
                    spans.append((start, end))
        return more


def _same_case(form: str, surface: str) -> bool:
    """Whether all letters that are capitals in the form are capitals in the text too."""
    return surface.startswith(form) or all(s.isupper() for f, s in zip(form, surface, strict=False) if f.isupper())


def _with_neighbours(text: str, candidates: list[_Candidate]) -> list[_Candidate]:
    """Raise names that stand in a list with a sure name, or that are surely names elsewhere in the statement."""
    sure = {c.name.oracle_id for c in candidates if c.score > 1}
    raised = list(candidates)
    for n, candidate in enumerate(raised):
        bonus = 1.5 if candidate.score <= 1 and candidate.name.oracle_id in sure else 0.0
        before = raised[n - 1] if n else None
        after = raised[n + 1] if n + 1 < len(raised) else None
        listed = before and before.score > 1.5 and _BETWEEN.match(text[before.end : candidate.start])
        if listed or (after and after.score > 1.5 and _BETWEEN.match(text[candidate.end : after.start])):
            bonus = 2.0
        if bonus:
            raised[n] = _Candidate(candidate.start, candidate.end, candidate.name, candidate.score + bonus)
    return raised


def _mention(text: Folded, candidate: _Candidate) -> CardMention:
    start, end = text.span(candidate.start, candidate.end)
    name = candidate.name
    confidence = round(1 / (1 + math.exp(-candidate.score)), 3)
    method = name.kind if candidate.end - candidate.start == len(name.form) else "plural"
    return CardMention(name.oracle_id, name.name, start, end, confidence, name.face, method)


def link_cards(corpus: Corpus, terms: Iterable[str] = ()) -> Mapping[str, CardLinks]:
    """Find the cards named in all statements of a corpus; see `CardLinker`."""
    return CardLinker(corpus, terms).link(corpus.statements.values())
