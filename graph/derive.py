"""Working out everything about a corpus: concepts, links, relations; each stage a function of the ones before."""

from collections import Counter
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

from rulings.graph.card_uses import card_uses
from rulings.graph.clarifies import Clarifier
from rulings.graph.concepts import ConceptScheme
from rulings.graph.copy_kinds import copies_of
from rulings.graph.examine import Context
from rulings.graph.kept import Kept
from rulings.graph.outdated import with_replaced
from rulings.graph.records import Analysis, CardLinks, CardUse, Derived, Vectors
from rulings.graph.restates import find_restatements
from rulings.graph.rule_editions import RuleHistory, align
from rulings.graph.rule_links import link_rules
from rulings.graph.runner import Runner
from rulings.graph.works_like import works_like
from rulings.ingest import Corpus

Timer = Callable[[str], AbstractContextManager[None]]
"""Called with the name of a stage; the stage runs inside what it gives."""


def derive_cards(corpus: Corpus, scheme: ConceptScheme, timer: Timer | None = None) -> CardLinks:
    """Work out the links of cards alone: what they have, use and copy, and which of them work alike."""
    stage = timer or (lambda _: nullcontext())
    with stage("card uses"):
        uses = derive_uses(corpus, scheme)
    with stage("works like"):
        return CardLinks(uses, works_like(corpus))


def derive_uses(corpus: Corpus, scheme: ConceptScheme) -> tuple[CardUse, ...]:
    """Work out what cards have, use and copy."""
    return (*card_uses(corpus, scheme), *_card_copies(corpus, scheme))


def derive(
    corpus: Corpus,
    vectors: Vectors | None = None,
    scheme: ConceptScheme | None = None,
    timer: Timer | None = None,
    cards: Callable[[], CardLinks] | None = None,
    kept: Kept | None = None,
    runner: Runner | None = None,
    told: Callable[[Collection[Analysis]], None] | None = None,
) -> Derived:
    """Work out the links and relations of a corpus; the same corpus and vectors give the same result.

    ``vectors`` sharpen which rules a statement rests on; nothing needs them. ``scheme`` is made from the corpus where
    it isn't given. ``cards`` is called last, for what `derive_cards` gives where another process works that out.
    ``kept`` has what was told of the same statements before: the result is the same, and sooner there. ``runner`` runs
    what is told of statements, batch by batch, elsewhere (None: here). ``told`` is called as soon as the statements are
    analysed, with all but the rules that they rest on and what outdates them.
    """
    stage = timer or (lambda _: nullcontext())
    with stage("concepts"):
        scheme = scheme or ConceptScheme.from_corpus(corpus)
    with stage("editions"):
        kept = kept or Kept(Path(), "", anew=True)
        kept.load(corpus)
        same_rules = kept.same_rules(lambda: align(corpus))
        history = RuleHistory(corpus.editions, same_rules)
    with stage("mentions"):
        examined = kept.examine(Context(corpus, scheme, history), runner)
        named = ({mention.concept for mention in one.mentions_concepts} for one in examined.values())
        clarifier = Clarifier(scheme, Counter(slug for slugs in named for slug in slugs), len(examined))
        analyses = {key: one.analysis(key, clarifier) for key, one in examined.items()}
    if told:
        told(analyses.values())
    with stage("restatements"):
        forms = {key: one.form for key, one in examined.items()}
        restatements, groups = find_restatements(corpus, forms=forms)
    with stage("rules"):
        words = {key: one.words for key, one in examined.items()}
        rules = link_rules(
            corpus, scheme, analyses, groups, vectors, history, words=words, kept=kept.links, runner=runner
        )
    with stage("outdated"):
        outdated = with_replaced(corpus, {key: one.outdated for key, one in examined.items()}, groups)
        finished = {
            key: replace(analysis, rules=rules.get(key, ()), outdated=outdated.get(key, ()))
            for key, analysis in analyses.items()
        }
    links = cards() if cards else derive_cards(corpus, scheme, timer)
    return Derived(scheme.concepts, finished, restatements, groups, same_rules, links.uses, links.works_like)


def _card_copies(corpus: Corpus, scheme: ConceptScheme) -> list[CardUse]:
    """What each card's rules text copies, for the kinds that are concepts."""
    found = []
    for oracle_id, card in corpus.cards.items():
        for kind in copies_of(card):
            slug = next(iter(scheme.find(kind.copied, "en")), None)
            if slug:
                found.append(CardUse(oracle_id, slug, "copies"))
    return found
