"""What changed between two corpora, as records: rulings, cards, rules and concepts that came, went or were changed."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class RulingChange:
    """A ruling that came (``old`` is empty), went (``new`` is empty) or was reworded, on one card."""

    card: str
    oracle_id: str
    published: date
    old: str = ""
    new: str = ""

    @property
    def kind(self) -> str:
        """One of "came", "went", "reworded" and "republished"."""
        if not self.old or not self.new:
            return "went" if self.old else "came"
        return "republished" if self.old == self.new else "reworded"


@dataclass(frozen=True, slots=True)
class CardChange:
    """A card that came, went, was renamed or got new text; what it hadn't or hasn't is empty."""

    oracle_id: str
    old_name: str = ""
    new_name: str = ""
    old_text: str = ""
    new_text: str = ""

    @property
    def kind(self) -> str:
        """One of "came", "went", "renamed" and "new text"."""
        if not self.old_name or not self.new_name:
            return "went" if self.old_name else "came"
        return "renamed" if self.old_name != self.new_name else "new text"


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A rule that came, went, moved to another number or was changed, or several of these."""

    old_number: str = ""
    new_number: str = ""
    old_text: str = ""
    new_text: str = ""

    @property
    def kind(self) -> str:
        """One of "came", "went", "moved", "changed" and "moved and changed"."""
        if not self.old_number or not self.new_number:
            return "went" if self.old_number else "came"
        if self.old_number == self.new_number:
            return "changed"
        return "moved" if self.old_text == self.new_text else "moved and changed"


@dataclass(frozen=True, slots=True)
class NewlyOutdated:
    """A ruling that was in force before and is outdated now, with the reason."""

    key: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Changes:
    """All changes, each list in a fixed order.

    ``editions`` are the newest of both sides, None where one has no rules; ``outdated`` is None where it can't be
    told, for only built generations know it.
    """

    editions: tuple[date | None, date | None]
    rulings: tuple[RulingChange, ...] = ()
    cards: tuple[CardChange, ...] = ()
    rules: tuple[RuleChange, ...] = ()
    concepts_came: tuple[str, ...] = ()
    concepts_went: tuple[str, ...] = ()
    outdated: tuple[NewlyOutdated, ...] | None = None

    def __bool__(self) -> bool:
        """Whether anything changed."""
        return bool(
            self.rulings or self.cards or self.rules or self.concepts_came or self.concepts_went or self.outdated
        )
