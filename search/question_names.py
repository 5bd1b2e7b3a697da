"""Finding the cards that a question names: whole names, legends' first names, words in any order, small typos."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rulings.search.hashing import name_hash, span_hashes
from rulings.search.name_table import LANGUAGES, NameTable
from rulings.search.words import STOP_WORDS, split_words

LONGEST = 9
MOST_ROWS = 80
"""A word in more names than this says nothing about which card is meant."""
WINDOW = 6
"""How many words apart the words of one name may stand."""
WEAKEST = 0.2
_RARE_ENOUGH, _COVERED_ENOUGH = 0.5, 0.3
"""Of how rare a word, and how much of a name, one word alone can be."""
_SHORT_COVERED = 0.85
_REMEMBERED = 1 << 14
"""Words whose readings are kept."""
_Hit = tuple[int, int, float]
"""A word of a question read as a word of names: its place, the other's position, their likeness."""

_ENDINGS = ("s", "d", "ed")

_TOKEN = re.compile(r"\S+")
_EDGE = re.compile(r"[^\w]+$")
_BETWEEN = frozenset({"vs", "versus", "plus", "und", "mit", "gegen", "et", "avec", "contre"})
"""What stands between names in a question that has nothing else, beside English small words."""


@dataclass(frozen=True, slots=True)
class NamedCard:
    """A card that a question names.

    Its position in `Corpus.cards`, the words read as its name, and how sure that is (0..1).
    """

    card: int
    words: tuple[str, ...]
    start: int
    stop: int
    strength: float


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    capital: bool
    first: bool
    marked: bool


class NameReader:
    """Reads card names out of questions with a `NameTable`."""

    def __init__(self, table: NameTable) -> None:
        self._table = table
        self._rarest = float(table.weights.max(initial=1.0))
        # questions are made of the same words again and again
        self._readings = lru_cache(maxsize=_REMEMBERED)(self._readings_of)

    def read(self, question: str, language: str, limit: int = 8) -> list[NamedCard]:
        """The cards that a question in ``language`` names, surest first, ties by position."""
        words = _words(question)
        allowed = {LANGUAGES.index(code) for code in (language, "en") if code in LANGUAGES}
        taken = [False] * len(words)
        found = self._whole(words, allowed, taken, language)
        found += self._partial(words, allowed, taken, language)
        best: dict[int, NamedCard] = {}
        for named in found:
            former = best.get(named.card)
            if former and set(former.words) < set(named.words):
                # a first name and more of the same card's words: two signs for it
                both = 1 - (1 - former.strength) * (1 - named.strength)
                best[named.card] = replace(named, strength=min(0.98, both))
            elif named.strength >= WEAKEST and (former is None or former.strength < named.strength):
                best[named.card] = named
        return sorted(best.values(), key=lambda n: (-round(n.strength, 4), n.card))[:limit]

    def _whole(self, words: list[_Word], allowed: set[int], taken: list[bool], language: str) -> list[NamedCard]:
        """Names written whole, longest first; their words are taken."""
        table = self._table
        found: list[NamedCard] = []
        texts = [word.text for word in words]
        spans, values = span_hashes(texts, LONGEST)
        if not spans:
            return found
        # where the whole is no name, its last word without an ending: "the Ranger's", "Form of the Dragon'd"
        last = [stop - 1 for _, stop in spans]
        shorter = [np.array([_without(end, text) for text in texts], np.uint64)[last] for end in _ENDINGS]
        every = table.rows(np.concatenate([values, *(values + change for change in shorter)]))
        for n in sorted({place % len(spans) for place in every}):
            start, stop = spans[n]
            # one word with a verb's ending is more often a plain verb ("exiled") than a name
            forms = range(n, len(spans) * (1 + (len(_ENDINGS) if stop - start > 1 else 1)), len(spans))
            same = next((every[form] for form in forms if form in every), range(0))
            rows = [r for r in same if table.languages[r] in allowed or (stop - start > 2 and not table.short[r])]
            if not rows or any(taken[start:stop]):
                continue
            span = tuple(texts[start:stop])
            full = {int(table.cards[r]) for r in rows if not table.short[r]}
            short = {int(table.cards[r]) for r in rows} - full
            strength = self._evidence(words[start:stop], language)
            # a whole name may be a legend's first name too; such a legend is meant now and then
            shared = strength * (0.3 if full else 0.95 / len(short) ** 0.5) if short else 0.0
            if full and strength >= WEAKEST:
                # the words of shortened legends stay open to more words ("heretic Thalia")
                taken[start:stop] = [True] * (stop - start)
            found += [NamedCard(card, span, start, stop, strength) for card in sorted(full)]
            found += [NamedCard(card, span, start, stop, shared) for card in sorted(short)]
        return found

    def _evidence(self, span: list[_Word], language: str) -> float:
        """How likely these words are meant as a name: how usual they are in plain text, how they are written."""
        plain = (
            max((self._usual(word) for word in span), default=1.0)
            if len(span) == 1
            else min(self._usual(w) for w in span)
        )
        if len(span) > 1:
            content = sum(w.text not in STOP_WORDS for w in span)
            capitals = sum(w.capital for w in span) / len(span)
            return min(1.0, (0.5 if content < 2 else 0.75) + 0.3 * (1 - plain) + 0.25 * capitals) if content else 0.15
        word = span[0]
        if len(word.text) < 3 and not word.marked:
            return 0.0
        if plain < 0.2:
            return 0.95
        written = (0.45 if word.capital and not word.first and language != "de" else 0.0) + (
            0.3 if word.marked else 0.0
        )
        return min(0.9, (1 - plain) * 0.6 + written)

    def _usual(self, word: _Word) -> float:
        position = self._table.positions.get(word.text)
        if position is None:
            return 0.0
        usual = float(self._table.ordinary[position])
        return usual * 0.7 if word.capital and not word.first and usual < 1 else usual

    def _written(self, word: _Word) -> float:
        """How usual a word is in plain text, however it is written."""
        position = self._table.positions.get(word.text)
        return 0.0 if position is None else float(self._table.ordinary[position])

    def _partial(self, words: list[_Word], allowed: set[int], taken: list[bool], language: str) -> list[NamedCard]:
        """Names of which some words stand near each other, in any order, a letter wrong now and then."""
        table = self._table
        hits: list[_Hit] = []
        rows: list[NDArray[np.int32]] = []
        codes = np.zeros(len(LANGUAGES), np.bool_)
        codes[list(allowed)] = True
        for place, word in enumerate(words):
            if taken[place] or len(word.text) < 3 or not word.text[0].isalpha():
                continue
            for position, likeness in self._readings(word.text, language):
                if table.weights[position] < 1.5:
                    continue
                start, stop = table.word_rows.indptr[position : position + 2]
                if stop - start > MOST_ROWS * 4:
                    continue
                found = table.word_rows.indices[start:stop]
                hits.append((place, position, likeness))
                rows.append(found[codes[table.languages[found]]])
        if not hits:
            return []
        scored = (self._score(row, places, words) for row, places in self._promising(hits, rows, words))
        return _less_for_rivals([named for named in scored if named])

    def _promising(
        self, hits: Sequence[_Hit], rows: Sequence[NDArray[np.int32]], words: list[_Word]
    ) -> Iterator[tuple[int, list[_Hit]]]:
        """The names with their hits, in the order they were met, less those of which one word is too little."""
        table = self._table
        every = np.concatenate(rows)
        of = np.repeat(np.arange(len(hits)), [len(found) for found in rows])
        weight = np.array([float(table.weights[p]) * likeness for _, p, likeness in hits])
        usual = np.array([max(float(table.ordinary[p]), self._written(words[place])) for place, p, _ in hits])
        names, first, local, count = np.unique(every, return_index=True, return_inverse=True, return_counts=True)
        alone = of[first]
        coverage = weight[alone] / table.totals[names].astype(np.float64)
        enough = (1 - usual[alone] >= _RARE_ENOUGH) & (coverage >= _COVERED_ENOUGH)
        wanted = (count > 1) | (enough & ~(table.short[names] & (coverage < _SHORT_COVERED)))
        order = np.argsort(local, kind="stable")
        stops = np.cumsum(count)
        for n in np.flatnonzero(wanted)[np.argsort(first[wanted])].tolist():
            yield int(names[n]), [hits[of[place]] for place in order[stops[n] - count[n] : stops[n]].tolist()]

    def _readings_of(self, word: str, language: str) -> list[tuple[int, float]]:
        """The words of names that a word may be.

        Itself, else its plural or genitive without the s, else near spellings.
        """
        positions = self._table.positions
        # a card's name made a verb: "Chaos Warped", "Form of the Dragon'd"
        roots = [word.removesuffix(end) for end in ("ed", "d", "ing") if word.endswith(end) and len(word) > 5]
        as_verb = [(positions[root], 0.85) for root in roots if root in positions]
        known = positions.get(word)
        if language == "de":
            inflected = [(p, 0.95) for p in self._table.same_stem(word) if p != known][:6]
            if known is not None or inflected:
                return [(known, 1.0), *inflected] if known is not None else inflected
        if known is not None:
            return [(known, 1.0), *as_verb]
        if as_verb:
            return as_verb
        if word.endswith("s") and word[:-1] in self._table.positions:
            return [(self._table.positions[word[:-1]], 0.97)]
        if self._table.is_plain(word):
            return []
        return [
            (p, likeness * 0.95) for p, likeness in self._table.speller.nearest(word) if self._table.ordinary[p] < 0.9
        ]

    def _score(self, row: int, places: list[_Hit], words: list[_Word]) -> NamedCard | None:
        table = self._table
        anchor = max(places, key=lambda p: (table.weights[p[1]] * p[2], -p[0]))
        best: dict[int, tuple[int, float]] = {}
        for place, position, likeness in places:
            if abs(place - anchor[0]) <= WINDOW and (position not in best or best[position][1] < likeness):
                best[position] = (place, likeness)
        weight = sum(float(table.weights[p]) * likeness for p, (_, likeness) in best.items())
        coverage = weight / float(table.totals[row])
        # an ordinary word stays one when it is read as another form of a rarer word
        usual = {p: max(float(table.ordinary[p]), self._written(words[place])) for p, (place, _) in best.items()}
        rarity = 1 - min(usual.values())
        rare = sum((1 - usual[p]) * float(table.weights[p]) * likeness for p, (_, likeness) in best.items())
        capitals = sum(words[place].capital and not words[place].first for place, _ in best.values()) / len(best)
        if table.short[row] and coverage < _SHORT_COVERED:
            return None
        if len(best) == 1 and (rarity < _RARE_ENOUGH or coverage < _COVERED_ENOUGH):
            return None
        spread = max(p for p, _ in best.values()) - min(p for p, _ in best.values()) + 1
        together = min(1.0, (len(best) + 1) / (spread + 1))
        strength = coverage * (0.35 + 0.5 * rarity + 0.15 * capitals) * (0.7 + 0.3 * together)
        strength *= min(1.0, 0.55 + rare / (2.2 * self._rarest))
        if table.short[row]:
            strength *= 0.9 / float(table.sharing[row]) ** 0.5
        start, stop = min(p for p, _ in best.values()), max(p for p, _ in best.values()) + 1
        texts = tuple(words[place].text for place, _ in sorted(best.values()))
        return NamedCard(int(table.cards[row]), texts, start, stop, min(0.95, strength))


def _without(ending: str, word: str) -> int:
    """What to add to a hash that ends in ``word`` to get the hash without the word's ending."""
    if not word.endswith(ending):
        return 0
    return (name_hash((word.removesuffix(ending),)) - name_hash((word,))) % (1 << 64)


def _less_for_rivals(scored: list[NamedCard]) -> list[NamedCard]:
    """Where several cards are read from the same words, the weaker ones lose and many equal ones share."""
    by_start: dict[tuple[str, ...], list[NamedCard]] = defaultdict(list)
    for named in scored:
        by_start[named.words].append(named)
    tops: dict[int, float] = defaultdict(float)
    for named in scored:
        for place in range(named.start, named.stop):
            tops[place] = max(tops[place], named.strength)
    kept = []
    for group in by_start.values():
        cards = {named.card for named in group}
        top = max(named.strength for named in group)
        for named in group:
            rivals = sum(other.strength >= 0.9 * top for other in group)
            share = 1.0 if len(cards) == 1 else max(0.3, rivals**-0.5)
            beaten = np.mean([named.strength / tops[p] for p in range(named.start, named.stop)])
            strength = named.strength * share * (1.0 if beaten > 0.95 else float(beaten) ** 2)
            kept.append(NamedCard(named.card, named.words, named.start, named.stop, strength))
    return kept


def _words(question: str) -> list[_Word]:
    """The question's words with how each is written: capital, first of a sentence, in quotes or before a colon."""
    words: list[_Word] = []
    first = True
    for token in _TOKEN.finditer(question):
        raw = token.group()
        parts = split_words(raw)
        letters = [char for char in raw if char.isalpha()]
        capital = (
            bool(letters) and letters[0].isupper() and not (len(letters) > 2 and all(c.isupper() for c in letters))
        )
        marked = raw.endswith((":", "'s", "’s")) or raw[0] in "\"“„«'" or "[[" in raw
        for n, part in enumerate(parts):
            words.append(_Word(part, capital or (n > 0 and capital), first and n == 0, marked))
        tail = _EDGE.search(raw)
        first = bool(tail and any(char in tail.group() for char in ".!?:"))
    return _named_only(words)


def _named_only(words: list[_Word]) -> list[_Word]:
    """The same; where all but small words have capitals ("Clone and Triskelion"), the first's says something too.

    So does that of a lone word.
    """
    if len(words) == 1 and words[0].capital:
        return [replace(words[0], first=False)]
    capitals = sum(word.capital for word in words)
    if capitals < 2 or words[0].text in STOP_WORDS | _BETWEEN or not words[0].capital:
        return words
    if any(not word.capital and word.text not in STOP_WORDS | _BETWEEN for word in words):
        return words
    return [replace(words[0], first=False), *words[1:]]
