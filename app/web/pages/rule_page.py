"""What the page of a rule of one edition shows."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher
from typing import Any

from starlette.requests import Request

from rulings.app.web.pages.linked_text import linked
from rulings.app.web.pages.rendering import LOCAL
from rulings.app.web.pages.ruling_lines import Link, RulingLine, RulingLines
from rulings.app.web.serving import Served
from rulings.graph.lookup import Node
from rulings.ingest import Archive, Rule

MOST_RULINGS, ALL_RULINGS = 12, 120
_LEVELS = 5


@dataclass(frozen=True, slots=True)
class Version:
    """The rule in one edition; ``changes`` are (how, words) against the edition before: "same", "gone" or "new"."""

    edition: date
    number: str
    url: str
    here: bool
    changes: tuple[tuple[str, str], ...]

    @property
    def unchanged(self) -> bool:
        """Whether its words are those of the edition before."""
        return all(how == "same" for how, _ in self.changes)


def rule_values(request: Request, served: Served, node: Node) -> dict[str, Any]:
    """The rule in its place, the rules below it, its text in other editions, and the rulings that rest on it."""
    made = served.generation
    archive = made.archive
    rule = archive.rule(node.name, node.edition)
    if rule is None:
        raise LookupError(node.name)
    lines = RulingLines(archive, made.analyses)
    newest = rule.edition == archive.editions[-1]
    keys = [key for _, key, _ in made.analyses.statements("rule", rule.number)] if newest else []
    folded = list(lines.folded(keys))
    shown = folded[: ALL_RULINGS if request.query_params.get("rulings") == "all" else MOST_RULINGS]
    found = [line for key in shown if (line := lines.line(key))]
    history = _history(lines, rule)
    return {
        "rule": rule,
        "above": _above(archive, rule),
        "below": archive.below(rule.number, rule.edition),
        "newest": newest,
        "now": next((v for v in reversed(history) if v.edition == archive.editions[-1]), None),
        "history": history,
        "rulings": _in_force_first(found),
        "more_rulings": len(folded) - len(shown),
        "refers_to": lines.rules((number for number in rule.see if number != rule.number), rule.edition)[:20],
        "linked": lambda one: linked(one.text, archive, rule.edition, one.see),
        "linked_text": lambda text: linked(text, archive, rule.edition, rule.see),
    }


def _in_force_first(lines: list[RulingLine]) -> list[RulingLine]:
    return sorted(lines, key=lambda line: bool(line.outdated))


def _above(archive: Archive, rule: Rule) -> tuple[Link, ...]:
    """The edition and the headings over a rule."""
    way: list[Link] = []
    parent = archive.rule(rule.parent, rule.edition) if rule.parent else None
    while parent is not None and len(way) < _LEVELS:
        words = f"{parent.number} {parent.text}" if len(parent.text) < 60 else parent.number
        way.insert(0, Link(words, LOCAL.rule(rule.edition, parent.number)))
        parent = archive.rule(parent.parent, rule.edition) if parent.parent else None
    return (Link(f"Rules of {rule.edition}", LOCAL.edition(rule.edition)), *way)


def _history(lines: RulingLines, rule: Rule) -> tuple[Version, ...]:
    """The same rule in every edition that has it, the oldest first."""
    found = {(rule.edition, rule.number): rule}
    waiting = [rule]
    while waiting:
        here = waiting.pop()
        for edition, number in _same(lines, here):
            other = lines.archive.rule(number, edition)
            if other is not None and (edition, number) not in found:
                found[edition, number] = other
                waiting.append(other)
    versions, before = [], None
    for version in sorted(found.values(), key=lambda each: (each.edition, each.number)):
        changes = _changes(before, version.text) if before is not None else (("same", version.text),)
        address = LOCAL.rule(version.edition, version.number)
        versions.append(Version(version.edition, version.number, address, version is rule, changes))
        before = version.text
    return tuple(versions)


def _same(lines: RulingLines, rule: Rule) -> Iterator[tuple[date, str]]:
    here = (rule.edition, rule.number)
    for same in lines.analyses.same_rules(rule.number):
        if (same.edition, same.number) == here and same.object_number:
            yield same.object_edition, same.object_number
        elif (same.object_edition, same.object_number) == here:
            yield same.edition, same.number


def _changes(before: str, after: str) -> tuple[tuple[str, str], ...]:
    """What became of a text, word by word."""
    old, new = before.split(" "), after.split(" ")
    parts: list[tuple[str, str]] = []
    for how, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if how == "equal":
            parts.append(("same", " ".join(new[c:d])))
            continue
        parts += [("gone", " ".join(old[a:b]))] if b > a else []
        parts += [("new", " ".join(new[c:d]))] if d > c else []
    return tuple(parts)
