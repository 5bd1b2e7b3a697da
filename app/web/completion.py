"""Completing what is typed: names of cards in every loaded language, concepts, and rule numbers.

A typed text completes names that begin with it, and names of which a word begins with it; the whole comparison is over
folded texts, so that case, accents and signs don't matter.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from rulings.graph.archive import Analyses
from rulings.graph.vocabulary import Iris
from rulings.ingest import Archive, fold_name

LONGEST = 200
"""Characters of a typed text that are read."""
_END = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class Entry:
    """A name to complete to.

    ``kind`` is "card", "concept" or "rule", ``id`` the IRI; ``label`` is the English name, of a rule the start of its
    text.
    """

    name: str
    kind: str
    id: str
    language: str
    label: str


class Completer:
    """Completes over the names of one generation."""

    def __init__(self, archive: Archive, analyses: Analyses, iris: Iris) -> None:
        """Read all names; takes a second or two on a large corpus."""
        entries = [*_concepts(analyses, iris), *_cards(archive, iris), *_rules(archive, iris)]
        self._entries = [entry for _, entry in entries]
        self._folded: list[str] = [folded for folded, _ in entries]
        # A place is where a word of a name starts; sorted by what follows, all that begin alike lie together.
        places = [(n, at) for n, folded in enumerate(self._folded) for at in _starts(folded)]
        places.sort(key=lambda place: self._folded[place[0]][place[1] :])
        self._places = np.array(places, np.int32).reshape(-1, 2)
        lengths = np.array([len(folded) for folded in self._folded], np.float32)
        order = {"concept": 0.0, "card": 1.0, "rule": 2.0}
        kinds = np.array([order[entry.kind] for entry in self._entries], np.float32)
        other = np.array([entry.language != "en" or _is_other(entry) for entry in self._entries], np.float32)
        # The name's own beginning goes before a later word's; then what is nearest to being typed in full, a usual name
        # before others of about its length.
        rows, at = self._places[:, 0], self._places[:, 1]
        self._costs = (at > 0) * np.float32(1000) + (lengths + kinds + 4 * other)[rows]

    def complete(self, typed: str, most: int = 10) -> list[Entry]:
        """The likeliest completions, the best first, each node once."""
        wanted = fold_name(typed[:LONGEST])
        if not wanted:
            return []
        low, high = self._edge(wanted), self._edge(wanted + _END)
        costs = self._costs[low:high]
        found: dict[str, Entry] = {}
        # A node has several names; some more are looked at than are wanted.
        near = min(len(costs), 20 * most)
        best = np.argpartition(costs, near - 1)[:near] if near else np.zeros(0, np.int64)
        for place in best[np.argsort(costs[best], kind="stable")]:
            entry = self._entries[self._places[low + place, 0]]
            found.setdefault(entry.id, entry)
            if len(found) == most:
                break
        return list(found.values())

    def _edge(self, text: str) -> int:
        return bisect_left(range(len(self._places)), text, key=self._after)

    def _after(self, place: int) -> str:
        n, at = self._places[place]
        folded: str = self._folded[n]
        return folded[at:]


def _is_other(entry: Entry) -> bool:
    """Whether this is a further name of a concept."""
    return entry.kind == "concept" and entry.name != entry.label


def _starts(folded: str) -> Iterator[int]:
    yield 0
    for at in range(1, len(folded)):
        if folded[at - 1] == " " and folded[at] != " ":
            yield at


def _cards(archive: Archive, iris: Iris) -> Iterable[tuple[str, Entry]]:
    names = list(archive.all_names())
    english = {name.oracle_id: name.name for _, name in reversed(names) if name.language == "en" and name.face is None}
    found: dict[tuple[str, str, str], Entry] = {}
    for folded, name in names:
        known = english.get(name.oracle_id, name.name)
        entry = Entry(name.name, "card", iris.card(name.oracle_id), name.language, known)
        found.setdefault((folded, entry.id, name.language), entry)
    return ((folded, entry) for (folded, *_), entry in found.items())


def _concepts(analyses: Analyses, iris: Iris) -> Iterable[tuple[str, Entry]]:
    labels: dict[str, str] = {}
    for slug, language, text in analyses.all_labels():
        # The English head of a concept is the first of its labels.
        head = labels.setdefault(slug, text)
        yield fold_name(text), Entry(text, "concept", iris.concept(slug), language, head)


def _rules(archive: Archive, iris: Iris) -> Iterable[tuple[str, Entry]]:
    for edition in archive.editions[-1:]:
        for rule in archive.rules(edition):
            entry = Entry(rule.number, "rule", iris.rule(edition, rule.number), "en", _shortened(rule.text))
            yield fold_name(rule.number), entry


def _shortened(text: str) -> str:
    return text if len(text) <= 80 else text[:79].rsplit(" ", 1)[0] + "…"
