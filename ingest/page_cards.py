"""Telling of the card that a saved page is about: by its heading, rulings already known, and the cards they name."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from rulings.ingest.records import Card, Printing, Report, Ruling, SavedPage
from rulings.ingest.restore import SymbolRestorer
from rulings.ingest.text import fold_name, key

_HALVES = re.compile(r"\s*//+\s*|\s+/\s+")
_PARTS = re.compile(r"\s*[|•·»→]+\s*|\s+[–—-]+\s+|\s*:\s+|\s*[(\[]|[)\]]\s*|[“”\"„«»]+")
_WORDS = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_ASIDES = re.compile(r"\([^)]*\)|\b(?:for example|such as|e\.g\.)[^.]*", re.IGNORECASE)
_SHORT = re.compile(r"^(.+?)(?:,| the | of ) ?")
_LONGEST_NAME = 8
_REMEDY = "build it again with --card NAME to name the card, or add the source that has the card"


@dataclass(frozen=True, slots=True)
class Known:
    """What is known when pages are placed: the cards, what each folded name stands for, each card's rulings."""

    cards: Mapping[str, Card]
    printings: Mapping[str, tuple[Printing, ...]]
    by_name: Mapping[str, tuple[str, ...]]
    rulings: list[tuple[str, Ruling]]


def place_pages(
    pages: Iterable[SavedPage], known: Known, report: Report
) -> tuple[list[tuple[str, Ruling]], tuple[SavedPage, ...]]:
    """Give each page its card and its rulings their lost symbols.

    Returns:
        The rulings with the oracle ids of their cards, and the pages whose card can't be told; each of these is a
        problem in the report.
    """
    waiting = sorted(dict.fromkeys(pages), key=lambda page: (page.place.file, page.heading, page.place.position))
    if not waiting:
        return [], ()
    teller = _Teller(known)
    restorer = SymbolRestorer(sorted({ruling.text for _, ruling in known.rulings}))
    placed: list[tuple[str, Ruling]] = []
    unplaced: list[SavedPage] = []
    for page in waiting:
        restored = replace(
            page, rulings=tuple(r if teller.knows(r) else _restored(r, restorer, page, report) for r in page.rulings)
        )
        told = teller.tell(restored)
        if told is None:
            report.problem(page.place, _untold(page))
            unplaced.append(page)
            continue
        oracle_id, how = told
        if how:
            report.note(page.place, f"taken as a page about {known.cards[oracle_id].name}: {how}")
        placed += ((oracle_id, ruling) for ruling in restored.rulings)
        report.count("Ruling", len(restored.rulings))
    return placed, tuple(unplaced)


def _untold(page: SavedPage) -> str:
    if page.card:
        return (
            f"no single card that was read is named {page.card!r}; correct --card or add the source that has the card"
        )
    headed = f" headed {page.heading.splitlines()[0]!r}" if page.heading else ""
    return f"the card of this page{headed} can't be told from what was read; {_REMEDY}"


def _restored(ruling: Ruling, restorer: SymbolRestorer, page: SavedPage, report: Report) -> Ruling:
    found = restorer.restore(ruling.text)
    if not found:
        return ruling
    report.note(page.place, f"{found.note}: {found.text[:60]!r}")
    return replace(ruling, text=found.text, restored=found.note)


class _Teller:
    def __init__(self, known: Known) -> None:
        self._known = known
        self._carriers: dict[str, set[str]] = defaultdict(set)
        keys: dict[str, str] = {}
        for oracle_id, ruling in known.rulings:
            # A wording stands on many cards: its key is made once.
            if (text := ruling.text) not in keys:
                keys[text] = key(text)
            self._carriers[keys[text]].add(oracle_id)
        self._by_language: dict[str, dict[str, set[str]]] = {}

    def knows(self, ruling: Ruling) -> bool:
        """Whether the wording is known from other sources."""
        return key(ruling.text) in self._carriers

    def tell(self, page: SavedPage) -> tuple[str, str] | None:
        """The oracle id and how it was told ("" for a plain heading), None where nothing tells it for sure."""
        carried = Counter(c for r in page.rulings for c in self._carriers.get(key(r.text), ()))
        headed = self._headed(page, carried)
        if headed:
            # The known rulings decide between several; a line of the card's own text may be the name of another card.
            return max(headed, key=lambda oracle_id: carried[oracle_id]), ""
        for gram in (gram for line in page.heading.splitlines() for gram in _grams(line)):
            ids = {i for i in self._stand_for((gram,), page.language) if carried[i]}
            if len(ids) == 1:
                return ids.pop(), f"the heading has the words {gram!r}, and some of its rulings are known on that card"
        return self._from_rulings(page, carried) or self._given(page)

    def _given(self, page: SavedPage) -> tuple[str, str] | None:
        ids = self._stand_for((page.card,), page.language) if page.card else set()
        return (ids.pop(), "named by the user") if len(ids) == 1 else None

    def _headed(self, page: SavedPage, carried: Counter[str]) -> list[str]:
        """The cards that lines of the heading are the names of, likeliest first."""
        found: list[str] = []
        for names in _heading_names(page.heading):
            ids = self._stand_for(names, page.language)
            best = next(iter(ids)) if len(ids) == 1 else _single_best({i: carried[i] for i in ids})
            found += [best] if best else []
        return found

    def _stand_for(self, names: tuple[str, ...], language: str) -> set[str]:
        """The cards that all the names stand for, those of the page's language before those of others."""
        for look_up in (self._in_language(language), self._known.by_name):
            found = [set(look_up.get(fold_name(name), ())) for name in names]
            if found and (ids := set.intersection(*found)):
                return ids
        return set()

    def _in_language(self, language: str) -> Mapping[str, Iterable[str]]:
        if language == "en":
            return self._known.by_name
        if language not in self._by_language:
            names = self._by_language[language] = defaultdict(set)
            for oracle_id, group in self._known.printings.items():
                for printing in group:
                    if printing.language == language:
                        for name in (printing.printed_name, *_HALVES.split(printing.printed_name)):
                            names[fold_name(name)].add(oracle_id)
        return self._by_language[language]

    def _from_rulings(self, page: SavedPage, carried: Counter[str]) -> tuple[str, str] | None:
        """The card that carries most of the rulings or is what they talk about, if no other comes as near."""
        named = self._named(page)
        count = len(page.rulings)
        points = {i: carried[i] + 2 * named[i] for i in {*carried, *named}}
        best = _single_best(points)
        if best is None:
            return None
        second = max((carried[i] for i in points if i != best), default=0)
        enough = (
            carried[best] * 5 >= count * 3
            or carried[best] >= max(3, 2 * second)
            or (named[best] and (carried[best] or named[best] * 3 >= count))
        )
        if not enough or (count == 1 and not named[best] and len(self._carriers[key(page.rulings[0].text)]) > 1):
            return None
        return best, f"{carried[best]} of its {count} rulings are known on it, {named[best]} name it"

    def _named(self, page: SavedPage) -> Counter[str]:
        """How many rulings name each card (legends by short names too); examples and asides don't count."""
        texts = [_ASIDES.sub(" ", ruling.text) for ruling in page.rulings]
        short = self._short_names(" ".join(texts))
        named: Counter[str] = Counter()
        for text in texts:
            found: set[str] = set()
            for gram in _grams(text):
                # A lone word at the start of a sentence has a capital letter whatever it means.
                if " " not in gram and not re.search(
                    rf"(?:[^.!?\s]\s+{re.escape(gram)}\b|{re.escape(gram)}['’]s)", text
                ):
                    continue
                folded = fold_name(gram)
                found.update(self._known.by_name.get(folded, ()), short.get(folded, ()))
            named.update(found)
        return named

    def _short_names(self, text: str) -> dict[str, set[str]]:
        """What legends' short names stand for, of those whose first word the text has."""
        words = set(_WORDS.findall(text)) | {w.removesuffix("'s").removesuffix("’s") for w in _WORDS.findall(text)}
        short: dict[str, set[str]] = defaultdict(set)
        for oracle_id, card in self._known.cards.items():
            match = _SHORT.match(card.name)
            if match and "Legendary" in card.type_line and match[1].split()[0] in words:
                short[fold_name(match[1])].add(oracle_id)
        return short


def _heading_names(heading: str) -> Iterator[tuple[str, ...]]:
    """The names that a heading may hold, whole lines before parts of lines. Several are the halves of one card."""
    lines = [line.strip(" /|") for line in heading.splitlines()]
    for line in lines:
        yield (line,)
        yield _halves(line)
    for line in lines:
        yield from (_halves(part) for part in _PARTS.split(line) if part.strip(" /") and part != line)


def _halves(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(half for half in _HALVES.split(text.strip(" /")) if half))


def _single_best(points: Mapping[str, int]) -> str | None:
    """The one with most points, None where it has none or shares its place."""
    ranked = sorted(points.items(), key=lambda item: -item[1])
    if not ranked or not ranked[0][1] or (len(ranked) > 1 and ranked[1][1] == ranked[0][1]):
        return None
    return ranked[0][0]


def _grams(text: str) -> Iterator[str]:
    """The runs of words that may be a name, longest first: from a capital letter on, without a possessive end."""
    words = [(m.start(), m.end()) for m in _WORDS.finditer(text)]
    for length in range(_LONGEST_NAME, 0, -1):
        for i in range(len(words) - length + 1):
            start, end = words[i][0], words[i + length - 1][1]
            if text[start].isupper() or text[start].isdigit():
                gram = text[start:end]
                yield gram
                if gram.endswith(("'s", "’s")):
                    yield gram[:-2]
