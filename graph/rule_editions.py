"""The same rule across editions: `SameRule` pairs, and numbers followed through moves and renumberings."""

from collections.abc import Collection, Iterable, Mapping
from datetime import date
from itertools import pairwise

from rulings.graph.records import SameRule
from rulings.graph.rule_alignment import align_editions, masked, rule_tokens
from rulings.graph.tfidf import Tfidf
from rulings.ingest import Corpus, Edition, Rule


def align(corpus: Corpus) -> tuple[SameRule, ...]:
    """Match the rules of each edition to those of the next one loaded, in order of edition and book.

    Every number of every edition but the newest has one entry; ``object_number`` is None where the rule is gone.
    """
    days = sorted(corpus.editions)
    pairs: list[SameRule] = []
    for day, later in pairwise(days):
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
        editions: The days from which the editions hold; with their rules, numbers older than the first one can be
            told by their words.
        same: What `align` found between each edition and the next.
    """

    def __init__(self, editions: Iterable[date] | Mapping[date, Edition], same: Iterable[SameRule]) -> None:
        self.editions = tuple(sorted(editions))
        self._texts: Mapping[date, Edition] = editions if isinstance(editions, Mapping) else {}
        self._next: dict[date, dict[str, SameRule]] = {day: {} for day in self.editions}
        for pair in same:
            self._next[pair.edition][pair.number] = pair

    @classmethod
    def of(cls, corpus: Corpus) -> "RuleHistory":
        """Align the editions of a corpus and give their history."""
        return cls(corpus.editions, align(corpus))

    def edition_on(self, day: date) -> date | None:
        """Give the edition in force on a day, else the first one loaded; None where none is loaded."""
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

    def meant(self, number: str, day: date, text: str, used: Collection[str] = ()) -> tuple[str, float]:
        """Say which number of the edition in force on ``day`` a text means by ``number``, and how surely.

        It is ``number`` itself, but where the text is older than the first edition loaded: then its words decide
        among the rules of
        the chapter, those of ``used`` left out, if another rule fits clearly better.
        """
        edition = self.edition_on(day)
        if edition is None or edition <= day or edition not in self._texts:
            return number, 1.0
        chapter = number.partition(".")[0]
        rules = [rule for rule in self._texts[edition].rules.values() if rule.number.startswith(f"{chapter}.")]
        if not rules:
            return number, 0.5
        best, fits = _best_fit(text, rules, used)
        own = next((fit for rule, fit in fits if rule.number == number), 0.0)
        if best[1] > 0.1 and best[1] > 2 * own:
            return best[0].number, 0.7
        return number, 0.9 if own else 0.6


def _best_fit(
    text: str, rules: list[Rule], used: Collection[str]
) -> tuple[tuple[Rule, float], list[tuple[Rule, float]]]:
    weights = Tfidf([rule_tokens(rule) for rule in rules])
    query = weights.transform([rule_tokens(Rule("", masked(text), rules[0].edition))])
    fits = [(rule, float(fit)) for rule, fit in zip(rules, (query @ weights.rows.T).toarray()[0], strict=True)]
    return max(
        (fit for fit in fits if fit[0].number not in used), key=lambda fit: fit[1], default=(rules[0], 0.0)
    ), fits
