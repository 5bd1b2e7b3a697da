"""Rules followed from edition to edition where the editions are spread over several generations."""

from collections.abc import Iterable, Sequence
from datetime import date

from rulings.graph.archive import Analyses
from rulings.graph.rule_alignment import align_editions
from rulings.ingest import Archive


class RuleLines:
    """All editions that any of some generations has, and how their rules follow on each other.

    What a generation worked out between two editions is taken from it; editions that stand side by side in none are
    aligned anew, which takes seconds.
    """

    def __init__(self, loaded: Sequence[tuple[Archive, Analyses]]) -> None:
        """Take the records and links of generations, the oldest first."""
        self._loaded = loaded
        self._archives = self.editions(archive for archive, _ in loaded)
        self.days = sorted(self._archives)
        self._aligned: dict[tuple[date, date], dict[str, tuple[str, float]]] = {}

    @staticmethod
    def editions(archives: Iterable[Archive]) -> dict[date, Archive]:
        """The editions of some archives, each with the last of those that have it."""
        return {day: archive for archive in archives for day in archive.editions}

    def text(self, day: date, number: str) -> str:
        """The text of a rule in an edition; empty where there is none."""
        rule = self._archives[day].rule(number, day)
        return rule.text if rule else ""

    def after(self, day: date, later: date, number: str) -> str | None:
        """The number of a rule in the next edition; None where it is gone."""
        known = self._analyses(day, later)
        if known is None:
            found = self._align(day, later).get(number)
            return found[0] if found else None
        pairs = (same for same in known.same_rules(number) if (same.edition, same.number) == (day, number))
        return next((same.object_number for same in pairs), None)

    def before(self, earlier: date, day: date, number: str) -> list[str]:
        """The numbers that a rule had in the edition before, the surest first; several where rules were merged."""
        known = self._analyses(earlier, day)
        if known is None:
            found = [(-sure, old) for old, (new, sure) in self._align(earlier, day).items() if new == number]
        else:
            found = [
                (-same.confidence, same.number)
                for same in known.same_rules(number)
                if (same.edition, same.object_number) == (earlier, number)
            ]
        return [old for _, old in sorted(found)]

    def _analyses(self, day: date, later: date) -> Analyses | None:
        for archive, analyses in reversed(self._loaded):
            days = archive.editions
            if day in days and days[days.index(day) + 1 :][:1] == (later,):
                return analyses
        return None

    def _align(self, day: date, later: date) -> dict[str, tuple[str, float]]:
        if (day, later) not in self._aligned:
            editions = (self._archives[each].edition(each) for each in (day, later))
            found = align_editions(*editions)
            self._aligned[day, later] = {old: (match.number, match.confidence) for old, match in found.items()}
        return self._aligned[day, later]
