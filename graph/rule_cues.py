"""Turns of phrase by which rulings apply a rule: read from data, matched to the newest edition, found in statements."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from math import log

import ahocorasick

from rulings.graph.rule_editions import RuleHistory
from rulings.ingest import Edition, Rule, fold

_FILE = "data/ruling_cues.tsv"
MANY = 3_000
"""Among so many texts a cue that is in none is as rare as can be."""
_LITERAL = re.compile(r"[a-z][a-z' -]*[a-z]")


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern over a levelled statement, and the rule that it points to in the newest edition."""

    rule: str
    pattern: re.Pattern[str]
    hints: tuple[str, ...]
    """Where any are given, a text with none of them can't match."""


class CueFinder:
    """Finds all cues of a text in one pass over it for their hints."""

    def __init__(self, cues: Sequence[Cue]) -> None:
        self._cues = cues
        self._always = [place for place, cue in enumerate(cues) if not cue.hints]
        places: dict[str, list[int]] = {}
        for place, cue in enumerate(cues):
            for hint in cue.hints:
                places.setdefault(hint, []).append(place)
        self._hints = ahocorasick.Automaton()
        for hint, found in places.items():
            self._hints.add_word(hint, found)
        self._hints.make_automaton()

    def find(self, text: str) -> Iterator[tuple[int, re.Match[str]]]:
        """Yield the place of each cue that is in the text, in their order, and the match."""
        hinted = [place for _, found in self._hints.iter(text) for place in found] if len(self._hints) else []
        for place in sorted({*self._always, *hinted}):
            match = self._cues[place].pattern.search(text)
            if match:
                yield place, match


def read_cues(edition: Edition, history: RuleHistory | None = None) -> tuple[Cue, ...]:
    """Read the cues whose rule the edition has.

    A number is followed from the edition that the file was written for, if ``history`` has it; the rule must hold the
    words
    given with it, else the rule of the same chapter that holds them is taken, else the cue is left out.
    """
    written = date.min
    cues = []
    for line in files("rulings.graph").joinpath(_FILE).read_text(encoding="utf-8").splitlines():
        if line.startswith("# edition"):
            written = date.fromisoformat(line.split("\t")[1])
        if not line or line.startswith("#"):
            continue
        number, words, pattern = line.split("\t")
        if history is not None and written in history.editions:
            number = history.follow(number, written) or number
        found = _placed(number, words.lower().split(","), edition)
        if found is not None:
            cues.append(Cue(found, re.compile(rf"\b(?:{pattern})"), _hints(pattern)))
    return tuple(cues)


def rarity(cues: Sequence[Cue], found: Sequence[Iterable[int]]) -> Mapping[int, float]:
    """Give the weight of each cue by its place: the log of how rare it is among some texts, 0..1, in hundredths.

    ``found`` are the places of the cues of each text. 1 stands for a cue in none of `MANY` texts, or of all if fewer.
    """
    counts = Counter(place for places in found for place in places)
    most = log(min(len(found), MANY) + 1)
    return {
        i: min(1.0, round(log((1 + len(found)) / (1 + counts[i])) / most, 2)) if most else 0.0 for i in range(len(cues))
    }


def _placed(number: str, words: list[str], edition: Edition) -> str | None:
    if number in edition.rules and _holds(edition, edition.rules[number], words):
        return number
    chapter = number.partition(".")[0]
    if chapter not in edition.rules:
        return None
    there = (
        rule
        for rule in edition.rules.values()
        if rule.number.startswith(f"{chapter}.") and _holds(edition, rule, words)
    )
    return next((rule.number for rule in there), None)


def _holds(edition: Edition, rule: Rule, words: list[str]) -> bool:
    above = edition.rules.get(rule.parent or "")
    text = fold(" ".join((rule.text, *rule.examples, above.text if above else ""))).lower()
    return all(word in text for word in words)


def _hints(pattern: str) -> tuple[str, ...]:
    """One literal of each alternative; () where an alternative has none that is long enough."""
    hints = []
    for alternative in _alternatives(pattern):
        literals = _LITERAL.findall(_outside_groups(alternative))
        if not literals or len(best := max(literals, key=len)) < 3:
            return ()
        hints.append(best)
    return tuple(dict.fromkeys(hints))


def _alternatives(pattern: str) -> Iterator[str]:
    depth, start = 0, 0
    for i, char in enumerate(pattern):
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "|" and not depth:
            yield pattern[start:i]
            start = i + 1
    yield pattern[start:]


def _outside_groups(pattern: str) -> str:
    """Blank out groups, classes, escapes, and letters that a quantifier makes optional."""
    text = re.sub(r"\\.|\[[^\]]*\][*+?]?|[^)][?*]", "\0", re.sub(r"\(\?:", "(", pattern))
    while True:
        inner = re.sub(r"\([^()]*\)[?*+]?", "\0", text)
        if inner == text:
            return text
        text = inner
