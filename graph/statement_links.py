"""Links statements to the cards and concepts they name and the concepts they are about, in one pass over a corpus."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulings.graph.automaton import Folded, folded
from rulings.graph.card_mentions import CardLinker, CardLinks, Hits
from rulings.graph.clarifies import Clarifier
from rulings.graph.concept_mentions import ConceptFinder
from rulings.graph.concepts import ConceptScheme
from rulings.graph.records import Analysis, ConceptMention
from rulings.ingest import Corpus, Statement

_MOST_CARDS = 12
"""How many of a statement's cards are looked at for keywords and flavor words; they resemble each other."""


@dataclass(frozen=True, slots=True)
class NamedConcepts:
    """A folded statement with the cards and concepts named in it, and the slugs of its cards' keywords."""

    text: Folded
    cards: CardLinks
    mentions: tuple[ConceptMention, ...]
    keywords: frozenset[str]


@dataclass(frozen=True, slots=True)
class AllNamed:
    """What all statements name, by key, and in how many of them each concept is named."""

    statements: Mapping[str, NamedConcepts]
    frequency: Mapping[str, int]


class Namer:
    """Finds the cards and concepts that statements name, one statement at a time."""

    def __init__(self, corpus: Corpus, scheme: ConceptScheme) -> None:
        self._cards, self._finder = corpus.cards, ConceptFinder(scheme)
        self.linker = CardLinker(corpus, self._finder.terms)
        self._keywords: dict[str, frozenset[str]] = {}

    def name(self, statement: Statement, text: Folded, hits: Hits, lower: Mapping[str, int]) -> NamedConcepts:
        """Find the cards and concepts that a statement names; ``hits`` and ``lower`` as for `CardLinker.decide`."""
        links = self.linker.decide(statement, text, hits, lower)
        taken = [(m.start, m.end) for m in links.mentions]
        taken += [(own_name.start, own_name.end) for own_name in links.self_references]
        own = [self._cards[oracle_id] for oracle_id in statement.oracle_ids[:_MOST_CARDS]]
        has = frozenset(slug for card in own for slug in _keywords(card.keywords, self._finder, self._keywords))
        return NamedConcepts(text, links, self._finder.find(text, taken, own, has), has)


def name_concepts(corpus: Corpus, scheme: ConceptScheme) -> AllNamed:
    """Find the cards and concepts named in all statements."""
    namer = Namer(corpus, scheme)
    lower = namer.linker.rule_uses()
    seen: list[tuple[Statement, Folded, Hits]] = []
    for statement in corpus.statements.values():
        text = folded(statement.text)
        hits, uses = namer.linker.hits(text)
        seen.append((statement, text, hits))
        lower.update(uses)
    found = {statement.key: namer.name(statement, text, hits, lower) for statement, text, hits in seen}
    frequency = Counter(slug for one in found.values() for slug in {mention.concept for mention in one.mentions})
    return AllNamed(found, frequency)


def link_statements(corpus: Corpus, scheme: ConceptScheme) -> dict[str, Analysis]:
    """Analyse all statements: cards and concepts named, own names, and what each is about.

    Args:
        corpus: All cards and statements.
        scheme: The concepts of the newest rules.

    Returns:
        An analysis per key in the order of `Corpus.statements`; citations, rules, copying and age are left empty.
    """
    named = name_concepts(corpus, scheme)
    clarifier = Clarifier(scheme, named.frequency, len(corpus.statements))
    return {
        key: Analysis(
            key,
            mentions_cards=one.cards.mentions,
            self_references=one.cards.self_references,
            mentions_concepts=one.mentions,
            clarifies=clarifier.clarify(one.text, one.mentions, one.keywords),
        )
        for key, one in named.statements.items()
    }


def _keywords(words: tuple[str, ...], finder: ConceptFinder, known: dict[str, frozenset[str]]) -> Iterator[str]:
    for word in words:
        if word not in known:
            slug = finder.keyword(word)
            known[word] = frozenset({slug} if slug else ())
        yield from known[word]
