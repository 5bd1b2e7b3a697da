"""Comparing two corpora: which rulings, cards, rules and concepts came, went, moved or were changed."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date

from rapidfuzz import fuzz

from rulings.graph.changes import CardChange, Changes, NewlyOutdated, RuleChange, RulingChange
from rulings.graph.concepts import ConceptScheme
from rulings.graph.records import Analysis
from rulings.graph.rule_alignment import NUMBER, align_editions
from rulings.ingest import Corpus, Edition, fold

REWORDED = 60.0
"""From this likeness on (0..100, of the words in their order) a ruling that went and one that came are one reworded."""


def compare(
    old: Corpus,
    new: Corpus,
    analyses: tuple[Mapping[str, Analysis], Mapping[str, Analysis]] | None = None,
) -> Changes:
    """Compare two corpora; ``analyses`` of both by statement key also tell what became outdated.

    Rules and concepts are compared only where both have an edition of the rules.
    """
    editions = old.newest, new.newest
    both = all(editions)  # concepts come from the rules
    labels = [
        {c.label for c in ConceptScheme.from_corpus(side).concepts.values()} if both else set() for side in (old, new)
    ]
    return Changes(
        editions=(editions[0].effective if editions[0] else None, editions[1].effective if editions[1] else None),
        rulings=tuple(_rulings(old, new)),
        cards=tuple(_cards(old, new)),
        rules=tuple(_rules(*editions)),
        concepts_came=tuple(sorted(labels[1] - labels[0])),
        concepts_went=tuple(sorted(labels[0] - labels[1])),
        outdated=tuple(_outdated(new, *analyses)) if analyses else None,
    )


def as_of(corpus: Corpus, day: date) -> Corpus:
    """The corpus as it was on a day: rulings published and rules in force until then; cards as they are now."""
    rulings = tuple(ruling for ruling in corpus.rulings if ruling.published <= day)
    statements = {}
    for key, statement in corpus.statements.items():
        until = tuple(ruling for ruling in statement.rulings if ruling.published <= day)
        if until:
            statements[key] = replace(statement, rulings=until)
    editions = {effective: edition for effective, edition in corpus.editions.items() if effective <= day}
    return Corpus(corpus.cards, corpus.printings, rulings, statements, editions)


def _rulings(old: Corpus, new: Corpus) -> Iterator[RulingChange]:
    """Rulings by card; one that went and one that came on the same card are one reworded where they are alike."""
    before, after = _by_card(old), _by_card(new)
    order = {**{i: c.name for i, c in old.cards.items()}, **{i: c.name for i, c in new.cards.items()}}
    for oracle_id in sorted(before.keys() | after.keys(), key=lambda i: (order[i], i)):
        gone = {pair: text for pair, text in before.get(oracle_id, {}).items() if pair not in after.get(oracle_id, {})}
        come = {pair: text for pair, text in after.get(oracle_id, {}).items() if pair not in before.get(oracle_id, {})}
        for old_pair, new_pair in _reworded(gone, come):
            yield RulingChange(order[oracle_id], oracle_id, new_pair[0], gone.pop(old_pair), come.pop(new_pair))
        for (published, _), text in sorted(gone.items()):
            yield RulingChange(order[oracle_id], oracle_id, published, old=text)
        for (published, _), text in sorted(come.items()):
            yield RulingChange(order[oracle_id], oracle_id, published, new=text)


_Pair = tuple[date, str]


def _by_card(corpus: Corpus) -> dict[str, dict[_Pair, str]]:
    found: dict[str, dict[_Pair, str]] = defaultdict(dict)
    for ruling in corpus.rulings:
        found[ruling.oracle_id][ruling.published, ruling.key] = corpus.statements[ruling.key].text
    return found


def _reworded(gone: Mapping[_Pair, str], come: Mapping[_Pair, str]) -> list[tuple[_Pair, _Pair]]:
    """The likeliest pairs first, each ruling once. The same words on another day are one too."""
    scored = sorted(
        (-fuzz.ratio(fold(text).split(), fold(other).split()), old_pair, new_pair)
        for old_pair, text in gone.items()
        for new_pair, other in come.items()
    )
    pairs: list[tuple[_Pair, _Pair]] = []
    for score, old_pair, new_pair in scored:
        taken = {pair for each in pairs for pair in each}
        if -score >= REWORDED and old_pair not in taken and new_pair not in taken:
            pairs.append((old_pair, new_pair))
    return pairs


def _cards(old: Corpus, new: Corpus) -> Iterator[CardChange]:
    for oracle_id in sorted(old.cards.keys() | new.cards.keys()):
        before, after = old.cards.get(oracle_id), new.cards.get(oracle_id)
        if before and after and before.name == after.name and fold(before.text) == fold(after.text):
            continue
        yield CardChange(
            oracle_id,
            before.name if before else "",
            after.name if after else "",
            before.text if before else "",
            after.text if after else "",
        )


def _rules(old: Edition | None, new: Edition | None) -> Iterator[RuleChange]:
    """Rules of both editions, in the order of the book; numbers inside texts that only followed a move don't count."""
    if old is None or new is None or old is new:
        return
    followed = align_editions(old, new)
    found = {match.number for match in followed.values()}
    for number, rule in old.rules.items():
        if number not in followed:
            yield RuleChange(old_number=number, old_text=rule.text)
            continue
        other = new.rules[followed[number].number]
        same = NUMBER.sub("#", fold(rule.text)) == NUMBER.sub("#", fold(other.text))
        if not same or other.number != number:
            yield RuleChange(number, other.number, rule.text, rule.text if same else other.text)
    for number, rule in new.rules.items():
        if number not in found:
            yield RuleChange(new_number=number, new_text=rule.text)


def _outdated(new: Corpus, before: Mapping[str, Analysis], after: Mapping[str, Analysis]) -> Iterator[NewlyOutdated]:
    for key, analysis in after.items():
        former = before.get(key)
        if analysis.outdated and former is not None and not former.outdated and key in new.statements:
            reasons = "; ".join(dict.fromkeys(each.reason for each in analysis.outdated))
            yield NewlyOutdated(key, new.statements[key].text, reasons)
