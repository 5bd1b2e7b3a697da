"""The same rule across editions: `SameRule` pairs, and numbers followed through moves and renumberings."""

from collections.abc import Iterable
from datetime import date

from rulings.graph.records import SameRule
from rulings.graph.rule_alignment import align_editions
from rulings.ingest import Corpus


def align(corpus: Corpus) -> tuple[SameRule, ...]:
    """Match the rules of each edition to those of the next one loaded, in order of edition and book.

    Every number of every edition but the newest has one entry; ``object_number`` is None where the rule is gone.
    """
    days = sorted(corpus.editions)
    pairs: list[SameRule] = []
    for day, later in zip(days, days[1:], strict=False):
        old = corpus.editions[day]
        found = align_editions(old, corpus.editions[later])
        for number in old.rules:
            match = found.get(number)
            if match is None:
                pairs.append(SameRule(day, number, later, None, 0.8, "nothing alike"))
            else:
                pairs.append(SameRule(day, number, later, match.number, match.confidence, match.method))
    return tuple(pairs)


class RuleHistory:
    """Follows rule numbers from the edition in force on a day to the newest one loaded.

    Args:
        editions: The days from which the editions hold.
        same: What `align` found between each edition and the next.
    """

    def __init__(self, editions: Iterable[date], same: Iterable[SameRule]) -> None:
        self.editions = tuple(sorted(editions))
        self._next: dict[date, dict[str, SameRule]] = {day: {} for day in self.editions}
        for pair in same:
            self._next[pair.edition][pair.number] = pair

    @classmethod
    def of(cls, corpus: Corpus) -> "RuleHistory":
        """Align the editions of a corpus and give their history."""
        return cls(corpus.editions, align(corpus))

    def edition_on(self, day: date) -> date | None:
        """Give the edition in force on a day: the last one before it, else the first one loaded; None where none is loaded."""
        before = [edition for edition in self.editions if edition <= day]
        return before[-1] if before else self.editions[0] if self.editions else None

    def follow(self, number: str, day: date) -> str | None:
        """Give today's number of what stood under ``number`` on ``day``; None where it is gone or was never there."""
        return self.path(number, day)[0]

    def path(self, number: str, day: date) -> tuple[str | None, float]:
        """Give today's number, as `follow`, with the confidence of the weakest step."""
        edition = self.edition_on(day)
        if edition is None:
            return None, 0.0
        confidence, here = 1.0, number
        for step in self.editions[self.editions.index(edition) : -1]:
            pair = self._next[step].get(here)
            if pair is None:
                return None, 0.0
            confidence = min(confidence, pair.confidence)
            if pair.object_number is None:
                return None, confidence
            here = pair.object_number
        return here, confidence
