"""Why a statement is outdated: terms, rules and numbers no longer in force, later rulings; and the numbers it cites."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.resources import files

from rulings.graph.concepts import ConceptScheme
from rulings.graph.obsolete_terms import ObsoleteTerm, obsolete_terms
from rulings.graph.records import Analysis, Citation, Outdating
from rulings.graph.replaced import replaced
from rulings.graph.rule_editions import RuleHistory
from rulings.graph.written_numbers import written_rule_numbers
from rulings.ingest import Corpus, Edition, Statement, fold

_FILE = "data/changed_rules.tsv"


@dataclass(frozen=True, slots=True)
class ChangedRule:
    """A way to state a rule that has since changed; ``rule`` is where today's stands."""

    rule: str
    since: int
    pattern: re.Pattern[str]
    change: str


def outdatings(
    corpus: Corpus,
    scheme: ConceptScheme,
    analyses: Mapping[str, Analysis],
    groups: Sequence[Sequence[str]],
    history: RuleHistory,
) -> dict[str, tuple[Outdating, ...]]:
    """Find why each outdated statement is so.

    Methods: "obsolete term" (so marked in the glossary), "vanished term" (a head of an older edition), "renamed term"
        (the table of
    older changes), "changed rule", "moved rule" (a number written in it), "replaced" (by a later ruling on all its
    cards).

    Args:
        corpus: The statements and all editions; with none loaded only replaced rulings are found.
        scheme: Not needed today; terms are found from the editions themselves.
        analyses: Their card mentions and self-references are left out of the search for terms; may lack some.
        groups: Keys of the same ruling.
        history: The rule numbers over time.

    Returns:
        The reasons by key, of outdated statements only, the surest first.
    """
    del scheme
    ages = Ages(corpus, history)
    told = {key: ages.reasons(statement, analyses.get(key)) for key, statement in corpus.statements.items()}
    return with_replaced(corpus, told, groups)


class Ages:
    """Tells what speaks against a statement, one statement at a time; but for later statements, see `with_replaced`."""

    def __init__(self, corpus: Corpus, history: RuleHistory) -> None:
        self._corpus, self._history, self._newest = corpus, history, corpus.newest
        self._terms = obsolete_terms(corpus, history)
        self._changes = read_changes(self._newest) if self._newest else ()

    def cites(self, statement: Statement) -> tuple[Citation, ...]:
        """The rule numbers written in a statement."""
        return citations(statement, written_rule_numbers(statement.text), self._history)

    def reasons(self, statement: Statement, analysis: Analysis | None = None) -> tuple[Outdating, ...]:
        """Why a statement is outdated, in the order found."""
        text = _searchable(statement, analysis, self._corpus)
        day = self._newest.effective if self._newest else None
        reasons = [*_terms(text, self._terms), *_changed(text, self._changes, statement, day)]
        for citation in self.cites(statement):
            reasons += _moved(citation, day)
        return tuple(reasons)


def with_replaced(
    corpus: Corpus, told: Mapping[str, Sequence[Outdating]], groups: Sequence[Sequence[str]]
) -> dict[str, tuple[Outdating, ...]]:
    """Add to what was told of each statement the later one that replaced it, and put the surest reason first."""
    later = replaced(corpus, groups)
    found = {}
    for key in corpus.statements:
        reasons = [*told.get(key, ()), *([later[key]] if key in later else [])]
        if reasons:
            found[key] = tuple(sorted(reasons, key=lambda reason: -reason.confidence))
    return found


def citations(
    statement: Statement, written_numbers: Iterable[tuple[str, int, int]], history: RuleHistory
) -> tuple[Citation, ...]:
    """Resolve the rule numbers written in a statement.

    Args:
        statement: Read with the rules in force on the day it was first published.
        written_numbers: Number, start and end as code points (`written_rule_numbers`).
        history: Where it has the rules' texts and the statement is older than the first edition loaded, the number is
            read as the rule
            of its chapter that the statement's words fit, if they fit another one clearly better.

    Returns:
        A citation a number, in their order; () where no edition is loaded.
    """
    day = statement.dates[0]
    edition = history.edition_on(day)
    if edition is None:
        return ()
    meant: list[tuple[str, float]] = []
    numbers = list(written_numbers)
    for written, _, _ in numbers:
        meant.append(history.meant(written, day, statement.text, {number for number, _ in meant}))
    # Numbers told by their words are written in the order of the book.
    told = [i for i, (number, _) in enumerate(meant) if number != numbers[i][0]]
    for i, pair in zip(told, sorted(meant[i] for i in told), strict=True):
        meant[i] = pair
    found = []
    for (written, start, end), (number, trust) in zip(numbers, meant, strict=True):
        today, confidence = history.path(number, day)
        found.append(Citation(written, edition, today, start, end, round(confidence * trust, 3)))
    return tuple(found)


def read_changes(edition: Edition) -> tuple[ChangedRule, ...]:
    """Read the rules that changed, those whose rule in an edition holds the words given with it."""
    changes = []
    for line in files("rulings.graph").joinpath(_FILE).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            rule, words, since, pattern, change = line.split("\t")
            text = edition.rules[rule].text.lower() if rule in edition.rules else ""
            if fold(text) and all(fold(word).strip('"') in fold(text) for word in words.split(",")):
                changes.append(ChangedRule(rule, int(since), re.compile(pattern), change))
    return tuple(changes)


def _searchable(statement: Statement, analysis: Analysis | None, corpus: Corpus) -> str:
    """The text in lower case with straight quotes, names of cards blanked; offsets stay those of the text."""
    text = statement.text
    if analysis is not None:
        spans = [(m.start, m.end) for m in analysis.mentions_cards]
        spans += [(m.start, m.end) for m in analysis.self_references]
    else:
        names = (corpus.cards[i].name for i in statement.oracle_ids if i in corpus.cards)
        spans = [match.span() for name in names for match in re.finditer(re.escape(name), text)]
    for start, end in spans:
        text = f"{text[:start]}{'_' * (end - start)}{text[end:]}"
    lowered = text.lower()
    return (lowered if len(lowered) == len(text) else text).translate(str.maketrans("’‘“”", "''\"\""))


def _terms(text: str, terms: Iterable[ObsoleteTerm]) -> list[Outdating]:
    reasons: list[Outdating] = []
    for term in terms:
        match = term.search(text)
        if match and not any(
            reason.start is not None and reason.start <= match.start() < (reason.end or 0) for reason in reasons
        ):
            start, end = match.span()
            reasons.append(
                Outdating(term.reason, term.method, term.confidence, term.edition, term.rule, start=start, end=end)
            )
    return reasons


def _changed(text: str, changes: Iterable[ChangedRule], statement: Statement, day: date | None) -> list[Outdating]:
    return [
        Outdating(
            f"{change.change} ({change.rule})",
            "changed rule",
            0.8,
            day,
            change.rule,
            start=match.start(),
            end=match.end(),
        )
        for change in changes
        if statement.dates[-1].year <= change.since and (match := change.pattern.search(text))
    ]


def _moved(citation: Citation, day: date | None) -> list[Outdating]:
    if citation.number == citation.written or day is None:
        return []
    where = f"is now {citation.number}" if citation.number else "is gone"
    reason = f"rule {citation.written} {where}"
    return [
        Outdating(
            reason, "moved rule", citation.confidence, day, citation.number, start=citation.start, end=citation.end
        )
    ]
