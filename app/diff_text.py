"""Changes between two corpora as lines for a terminal."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from rulings.app.output import wrapped
from rulings.app.word_marks import marked
from rulings.graph.changes import CardChange, Changes, NewlyOutdated, RuleChange, RulingChange

_T = TypeVar("_T")


def diff_lines(changes: Changes, most: int) -> Iterator[str]:
    """A section for each kind of change with its counts, and at most ``most`` entries."""
    if not changes:
        yield "Nothing changed."
        return
    yield from _section("Rulings", changes.rulings, lambda ruling: ruling.kind, _ruling, most)
    yield from _section("Cards", changes.cards, lambda card: card.kind, _card, most)
    old, new = (day.isoformat() if day else "none" for day in changes.editions)
    yield from _section(f"Rules of {old} and {new}", changes.rules, lambda rule: rule.kind, _rule, most)
    for words, labels in (("came", changes.concepts_came), ("went", changes.concepts_went)):
        if labels:
            more = f" and {len(labels) - 3 * most:,} more" if len(labels) > 3 * most else ""
            yield wrapped(f"Concepts: {len(labels):,} {words}: {', '.join(labels[: 3 * most])}{more}")
            yield ""
    if changes.outdated:
        yield from _section("Outdated now", changes.outdated, lambda _: "rulings", _outdated, most)


def _section(
    title: str, changes: Sequence[_T], kind: Callable[[_T], str], line: Callable[[_T], str], most: int
) -> Iterator[str]:
    if not changes:
        return
    counts = Counter(map(kind, changes))
    yield f"{title}: " + ", ".join(f"{count:,} {name}" for name, count in counts.most_common())
    for change in changes[:most]:
        yield wrapped(line(change), "  ")
    if len(changes) > most:
        yield f"  ... and {len(changes) - most:,} more; -k shows more, --json all"
    yield ""


def _signed(old: str, new: str) -> str:
    if not old or not new:
        return f"{'-' if old else '+'} {old or new}"
    return f"~ {marked(old, new)}" if old != new else f"= {new}"


def _ruling(change: RulingChange) -> str:
    return f"{change.card} ({change.published.isoformat()}) {_signed(change.old, change.new)}"


def _card(change: CardChange) -> str:
    name = change.new_name or change.old_name
    if change.kind == "renamed":
        name = f"{change.old_name} is now {change.new_name}"
    text = _signed(change.old_text, change.new_text) if change.old_text != change.new_text else ""
    return " ".join(_flat([name, f"[{change.kind}]", text]))


def _rule(change: RuleChange) -> str:
    number = change.new_number or change.old_number
    if change.old_number and change.new_number and change.old_number != change.new_number:
        number = f"{change.old_number} is now {change.new_number}"
    same = change.old_text == change.new_text
    return " ".join(_flat([number, "" if same else _signed(change.old_text, change.new_text)]))


def _outdated(change: NewlyOutdated) -> str:
    return f"{change.text} ({change.reason})"


def _flat(parts: Iterable[str]) -> list[str]:
    return [" ".join(part.split()) for part in parts if part]
