"""Cards that a file holds once for every printing, told apart from those that come for the first time."""

from rulings.ingest.records import Card
from rulings.ingest.text import fold_name


class Repeats:
    """Remembers the cards of one file by oracle id (else by name), and the sets they came in."""

    def __init__(self) -> None:
        self._sets: dict[str, set[str]] = {}

    def has(self, oracle_id: object, set_code: object) -> bool:
        """Whether a card came already, and in this set (a code in any case; None where it isn't told)."""
        known = self._sets.get(oracle_id, set()) if isinstance(oracle_id, str) else set()
        return bool(known) and (set_code is None or (isinstance(set_code, str) and set_code.upper() in known))

    def new(self, card: Card) -> Card | None:
        """What a card brings that wasn't there: all of it at first, later only the sets, None if nothing."""
        known = self._sets.setdefault(card.oracle_id or fold_name(card.name), set())
        first = not known
        fresh = set(card.sets) - known
        # A mark beside the sets, so that a card without sets counts as seen.
        known.update(card.sets, ("",))
        if first:
            return card
        return Card(card.name, card.oracle_id, "", sets=tuple(sorted(fresh))) if fresh else None
