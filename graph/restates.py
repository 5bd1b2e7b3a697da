"""Groups of statements that are the same ruling: on other cards, in another template, or in newer terms."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

import msgspec

from rulings.graph.records import Analysis, Restatement, Vectors
from rulings.graph.restate_guards import Fingerprint, Guards, verdict
from rulings.graph.restatement_text import mask_own, normal_form, pointers, proper_words
from rulings.graph.term_changes import outdated_terms
from rulings.ingest import Corpus, Statement, fold

Groups = tuple[tuple[str, ...], ...]
_REACH = 40
"""How many neighbours a statement is compared with among those of the same hard words: keeps the cost linear."""


class Form(msgspec.Struct, frozen=True, array_like=True):
    """What a statement is compared by.

    ``same`` is a hash, equal for statements that say the same; ``pointers`` tell which of its card's abilities it
    speaks of; ``hard``, ``soft``, ``stems`` and ``sentences`` are as in `Fingerprint`; ``old`` counts outdated terms.
    """

    same: bytes
    pointers: tuple[str, ...]
    hard: tuple[str, ...]
    soft: tuple[str, ...]
    stems: tuple[str, ...]
    sentences: int
    old: int


@dataclass(slots=True)
class _Ruling:
    """Statements that say the same, the newest first once sorted."""

    keys: list[str]
    print: Fingerprint
    places: list[tuple[set[tuple[str, date]], tuple[str, ...]]]
    """Cards and days of each, and to which of its card's abilities it points ("first", "last")."""

    def clashes(self, *places: tuple[set[tuple[str, date]], tuple[str, ...]]) -> bool:
        """Whether a ruling stands on the same card and day but points to another ability: it says another thing."""
        return any(here & there and to != other for here, to in self.places for there, other in places)


class Former:
    """Gives the forms of statements, one statement at a time; the names of all cards count, and the newest rules."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus, self._guards = corpus, Guards(corpus.newest)
        self._names = frozenset(fold(name.name) for name in corpus.names() if name.language == "en")

    def form(self, statement: Statement, analysis: Analysis | None = None) -> Form:
        """The form of a statement; the self-references of ``analysis`` are masked besides the names found here."""
        masked = mask_own(statement, self._corpus, analysis)
        form = normal_form(masked, self._names)
        print_ = self._guards.fingerprint(form.modern, form.sentences, proper_words(masked))
        return Form(
            hashlib.sha1(form.same_key.encode(), usedforsecurity=False).digest(),
            pointers(masked),
            print_.hard,
            tuple(print_.soft.elements()),
            print_.stems,
            print_.sentences,
            len(outdated_terms(statement.text)),
        )


def find_restatements(
    corpus: Corpus,
    analyses: Mapping[str, Analysis] | None = None,
    vectors: Vectors | None = None,
    forms: Mapping[str, Form] | None = None,
) -> tuple[tuple[Restatement, ...], Groups]:
    """Find the statements that are the same ruling.

    Statements whose levelled texts are equal restate each other. Those of equal hard words (numbers, negations,
    colours, types,
    keywords, outcomes, in order) and nearly equal others reword each other. Nothing else is compared, so the cost
    grows with the corpus.

    Args:
        corpus: The statements, their cards, and the rules whose keywords are guarded.
        analyses: Where given, their self-references are masked besides the names found here.
        vectors: Not needed; taken so that an encoder's nearest wordings may be used one day.
        forms: Where given, those of all statements by key.

    Returns:
        The pairs, each member of a ruling with its newest wording ("restates") and each older ruling with the newest
        of its group
        ("rewords", newer first), and the groups of two or more keys, the canonical one (newest) first, ordered by it.
    """
    del vectors
    forms = _forms(corpus, analyses or {}) if forms is None else forms
    rulings = _same(corpus, forms)
    # wordings in today's terms come first, then those published last, then by key
    newest = {key: (forms[key].old, -s.dates[-1].toordinal(), key) for key, s in corpus.statements.items()}
    for ruling in rulings:
        ruling.keys.sort(key=newest.__getitem__)
    joined = _Union(len(rulings))
    scores: dict[tuple[int, int], float] = {}
    for first, second, score in _near(rulings):
        scores[first, second] = score
    # The surest first; a join must hold between the rulings that stand for both groups: small steps must not add up.
    for (first, second), _ in sorted(
        scores.items(), key=lambda item: (-item[1], rulings[item[0][0]].keys[0], rulings[item[0][1]].keys[0])
    ):
        one, two = joined.find(first), joined.find(second)
        if one != two and verdict(rulings[one].print, rulings[two].print) is not None:
            joined.join(one, two, newer=newest[rulings[one].keys[0]] <= newest[rulings[two].keys[0]])
    members: dict[int, list[int]] = defaultdict(list)
    for i in range(len(rulings)):
        members[joined.find(i)].append(i)
    pairs: list[Restatement] = []
    groups: list[tuple[str, ...]] = []
    for head, inside in members.items():
        inside.sort(key=lambda i: newest[rulings[i].keys[0]])
        for i in inside:
            canonical, *others = rulings[i].keys
            pairs += [Restatement("restates", canonical, other, 1.0, "equal once levelled") for other in others]
            if i != head:
                found = verdict(rulings[head].print, rulings[i].print)
                score = found[1] if found else 0.5
                pairs.append(Restatement("rewords", rulings[head].keys[0], canonical, score, "equal hard words"))
        keys = [*rulings[head].keys, *(key for i in inside if i != head for key in rulings[i].keys)]
        if len(keys) > 1:
            groups.append(tuple(keys))
    pairs.sort(key=lambda p: (p.subject, p.relation, p.object))
    return tuple(pairs), tuple(sorted(groups))


def members(restatements: Iterable[Restatement], groups: Groups) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Give for each key of a group the keys it restates and the keys it rewords or is reworded by, all of its group."""
    joined: dict[str, str] = {}
    for pair in restatements:
        if pair.relation == "restates":
            joined[pair.object] = pair.subject
    found = {}
    for group in groups:
        for key in group:
            own = joined.get(key, key)
            same = tuple(other for other in group if other != key and joined.get(other, other) == own)
            found[key] = same, tuple(other for other in group if other != key and other not in same)
    return found


def _forms(corpus: Corpus, analyses: Mapping[str, Analysis]) -> dict[str, Form]:
    former = Former(corpus)
    return {key: former.form(statement, analyses.get(key)) for key, statement in corpus.statements.items()}


def _same(corpus: Corpus, forms: Mapping[str, Form]) -> list[_Ruling]:
    by_key: dict[tuple[bytes, tuple[str, ...]], _Ruling] = {}
    for key, statement in corpus.statements.items():
        form = forms[key]
        place = {(ruling.oracle_id, ruling.published) for ruling in statement.rulings}, form.pointers
        same: tuple[bytes, tuple[str, ...]] = (form.same, ())
        if same in by_key and by_key[same].clashes(place):
            same = (form.same, form.pointers)
        if same in by_key:
            by_key[same].keys.append(key)
            by_key[same].places.append(place)
        else:
            print_ = Fingerprint(form.hard, Counter(form.soft), form.stems, form.sentences)
            by_key[same] = _Ruling([key], print_, [place])
    return list(by_key.values())


def _near(rulings: list[_Ruling]) -> Iterator[tuple[int, int, float]]:
    """Pairs of rulings that reword each other, found among those of equal hard words."""
    buckets: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for i, ruling in enumerate(rulings):
        buckets[ruling.print.hard].append(i)
    for bucket in buckets.values():
        bucket.sort(key=lambda i: rulings[i].print.stems)
        for at, first in enumerate(bucket):
            for second in bucket[at + 1 : at + 1 + _REACH]:
                found = verdict(rulings[first].print, rulings[second].print)
                if found is not None and not rulings[first].clashes(*rulings[second].places):
                    yield first, second, found[1]


class _Union:
    """Disjoint sets whose head is the newest ruling of each."""

    def __init__(self, size: int) -> None:
        self._above = list(range(size))

    def find(self, i: int) -> int:
        while self._above[i] != i:
            self._above[i] = self._above[self._above[i]]
            i = self._above[i]
        return i

    def join(self, one: int, two: int, *, newer: bool) -> None:
        """Join two heads; ``newer``: the first one stays head."""
        if newer:
            self._above[two] = one
        else:
            self._above[one] = two
