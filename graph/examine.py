"""What can be told of each statement by itself: functions over batches of statements, the same on any machine."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from rulings.graph.automaton import Folded, folded
from rulings.graph.card_mentions import Hits
from rulings.graph.carried import carried
from rulings.graph.clarifies import Clarifier, Weighed
from rulings.graph.concepts import ConceptScheme
from rulings.graph.copies import copying
from rulings.graph.outdated import Ages
from rulings.graph.records import (
    Analysis,
    CardMention,
    Carried,
    Citation,
    ConceptMention,
    Copying,
    Outdating,
    SelfReference,
)
from rulings.graph.restates import Form, Former
from rulings.graph.rule_editions import RuleHistory
from rulings.graph.rule_words import RuleReader, RuleWords
from rulings.graph.statement_links import Namer
from rulings.ingest import Corpus, Statement


class Examined(msgspec.Struct, frozen=True, array_like=True):
    """What was told of one statement.

    It depends on the statement, on the cards and rules, and of the other statements only on what is in ``asked``: how
    often names stand in lower case in all of them.
    """

    asked: dict[str, int]
    mentions_cards: tuple[CardMention, ...]
    self_references: tuple[SelfReference, ...]
    mentions_concepts: tuple[ConceptMention, ...]
    weighed: tuple[Weighed, ...]
    cites: tuple[Citation, ...]
    copies: tuple[Copying, ...]
    carried: tuple[Carried, ...]
    outdated: tuple[Outdating, ...]
    form: Form
    words: RuleWords

    def analysis(self, key: str, clarifier: Clarifier) -> Analysis:
        """The statement's analysis, but for the rules it rests on and for later rulings in its place."""
        return Analysis(
            key,
            mentions_cards=self.mentions_cards,
            self_references=self.self_references,
            mentions_concepts=self.mentions_concepts,
            clarifies=clarifier.choose(self.weighed),
            cites=self.cites,
            copies=self.copies,
            carried=self.carried,
            outdated=self.outdated,
        )


class Asked(dict[str, int]):
    """Counts, 0 for what isn't there, that remember what they were asked for."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        super().__init__()
        self._counts = counts

    def get(self, name: str, default: int = 0) -> int:  # type: ignore[override]
        """Give the count of a name, and remember it."""
        found = self[name] = self._counts.get(name, default)
        return found


@dataclass(frozen=True, slots=True)
class Context:
    """What statements are examined with; can be sent to other machines, where an `Examiner` is made of it once."""

    corpus: Corpus
    scheme: ConceptScheme
    history: RuleHistory


class Examiner:
    """Examines statements, a batch at a time; what it gives for one doesn't depend on the others of its batch."""

    def __init__(self, context: Context) -> None:
        self._corpus, self._scheme = context.corpus, context.scheme
        self._namer = Namer(context.corpus, context.scheme)
        self._clarifier = Clarifier(context.scheme)
        self._former = Former(context.corpus)
        self._ages = Ages(context.corpus, context.history)
        newest = context.corpus.newest
        has_rules = newest is not None and bool(newest.rules)
        self._reader = RuleReader(context.corpus, newest, context.history) if newest and has_rules else None
        self._hits: dict[str, tuple[Folded, Hits]] = {}

    def rule_uses(self) -> Counter[str]:
        """How often each card name is used in lower case in the newest rules."""
        return self._namer.linker.rule_uses()

    def uses(self, batch: Sequence[Statement]) -> list[dict[str, int]]:
        """How often each card name is used in lower case, in each statement of a batch."""
        found = []
        for statement in batch:
            text = folded(statement.text)
            hits, lower = self._namer.linker.hits(text)
            self._hits[statement.key] = text, hits
            found.append(dict(lower))
        return found

    def examine(self, batch: Sequence[Statement], lower: Mapping[str, int]) -> list[Examined]:
        """Examine each statement of a batch; ``lower`` is the sum of `uses` over all statements and `rule_uses`."""
        return [self._examine(statement, lower) for statement in batch]

    def _examine(self, statement: Statement, lower: Mapping[str, int]) -> Examined:
        if statement.key not in self._hits:
            self.uses([statement])
        text, hits = self._hits.pop(statement.key)
        asked = Asked(lower)
        named = self._namer.name(statement, text, hits, asked)
        analysis = Analysis(
            statement.key, mentions_cards=named.cards.mentions, self_references=named.cards.self_references
        )
        cards = [self._corpus.cards[oracle_id] for oracle_id in statement.oracle_ids]
        return Examined(
            dict(asked),
            named.cards.mentions,
            named.cards.self_references,
            named.mentions,
            self._clarifier.weigh(text, named.mentions, named.keywords),
            self._ages.cites(statement),
            copying(statement, cards),
            carried(statement.text, lambda label: next(iter(self._scheme.find(label, "en")), None)),
            self._ages.reasons(statement, analysis),
            self._former.form(statement, analysis),
            self._reader.read(statement) if self._reader else RuleWords(),
        )
