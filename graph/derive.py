"""Working out everything about a corpus: concepts, links, relations; each stage a function of the ones before."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from rulings.graph.card_uses import card_uses
from rulings.graph.carried import carried
from rulings.graph.concepts import ConceptScheme
from rulings.graph.copies import copying
from rulings.graph.copy_kinds import copies_of
from rulings.graph.outdated import citations, outdatings
from rulings.graph.records import Analysis, CardLinks, CardUse, Derived, Vectors
from rulings.graph.restates import find_restatements
from rulings.graph.rule_editions import RuleHistory, align
from rulings.graph.rule_links import link_rules
from rulings.graph.statement_links import link_statements
from rulings.graph.works_like import works_like
from rulings.graph.written_numbers import written_rule_numbers
from rulings.ingest import Corpus, Statement

Timer = Callable[[str], AbstractContextManager[None]]
"""Called with the name of a stage; the stage runs inside what it gives."""


def derive_cards(corpus: Corpus, scheme: ConceptScheme, timer: Timer | None = None) -> CardLinks:
    """Work out the links of cards alone: what they have, use and copy, and which of them work alike."""
    stage = timer or (lambda _: nullcontext())
    with stage("card uses"):
        uses = (*card_uses(corpus, scheme), *_card_copies(corpus, scheme))
    with stage("works like"):
        return CardLinks(uses, works_like(corpus))


def derive(
    corpus: Corpus,
    vectors: Vectors | None = None,
    scheme: ConceptScheme | None = None,
    timer: Timer | None = None,
    cards: Callable[[], CardLinks] | None = None,
) -> Derived:
    """Work out the links and relations of a corpus; the same corpus and vectors give the same result.

    ``vectors`` sharpen which rules a statement rests on; nothing needs them. ``scheme`` is made from the corpus where
    it isn't given. ``cards`` is called last, for what `derive_cards` gives where another process works that out.
    """
    stage = timer or (lambda _: nullcontext())
    with stage("concepts"):
        scheme = scheme or ConceptScheme.from_corpus(corpus)
    with stage("editions"):
        same_rules = align(corpus)
        history = RuleHistory(corpus.editions, same_rules)
    with stage("mentions"):
        analyses = link_statements(corpus, scheme)
    with stage("restatements"):
        restatements, groups = find_restatements(corpus, analyses, vectors)
    with stage("rules"):
        rules = link_rules(corpus, scheme, analyses, groups, vectors, history)
        outdated = outdatings(corpus, scheme, analyses, groups, history)
    with stage("copies"):
        finished = {
            key: replace(
                _with_copies(statement, analyses.get(key, Analysis(key)), corpus, scheme),
                rules=rules.get(key, ()),
                outdated=outdated.get(key, ()),
                cites=citations(statement, written_rule_numbers(statement.text), history),
            )
            for key, statement in corpus.statements.items()
        }
    links = cards() if cards else derive_cards(corpus, scheme, timer)
    return Derived(scheme.concepts, finished, restatements, groups, same_rules, links.uses, links.works_like)


def _with_copies(statement: Statement, analysis: Analysis, corpus: Corpus, scheme: ConceptScheme) -> Analysis:
    cards = [corpus.cards[oracle_id] for oracle_id in statement.oracle_ids]
    goes_along = carried(statement.text, lambda label: next(iter(scheme.find(label, "en")), None))
    return replace(analysis, copies=copying(statement, cards), carried=goes_along)


def _card_copies(corpus: Corpus, scheme: ConceptScheme) -> list[CardUse]:
    """What each card's rules text copies, for the kinds that are concepts."""
    found = []
    for oracle_id, card in corpus.cards.items():
        for kind in copies_of(card):
            slug = next(iter(scheme.find(kind.copied, "en")), None)
            if slug:
                found.append(CardUse(oracle_id, slug, "copies"))
    return found
