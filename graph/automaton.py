"""Finds many phrases in one pass over a text, at word boundaries, with offsets into the text as written."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import ahocorasick

from rulings.ingest.text import fold_name

T = TypeVar("T")

# Signs that fold to exactly one character, so that offsets stay as they are.
_ONE_TO_ONE = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "‐": "-", "‑": "-", "′": "'", "ʼ": "'", "`": "'", "´": "'"}
    | dict.fromkeys("\n\t\r\xa0\u2009\u202f", " ")
)
_LOWER_FOLD = {"ae": "Ae", "oe": "Oe", "ss": "ss"}


@dataclass(frozen=True, slots=True)
class Folded:
    """A text folded for look-up, case kept.

    ``offsets`` has the place in the text of each folded character; None: the same place.
    """

    text: str
    offsets: Sequence[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Give the span in the text as written of a span of the folded text."""
        if self.offsets is None:
            return start, end
        return self.offsets[start], self.offsets[end - 1] + 1


def folded(text: str) -> Folded:
    """Fold quotes, accents, ligatures and trademark signs but not case, and keep track of offsets.

    Args:
        text: Any text.

    Returns:
        The folded text with the offsets of its characters, as code points of ``text``.
    """
    simple = text.translate(_ONE_TO_ONE)
    if simple.isascii():
        return Folded(simple)
    characters: list[str] = []
    offsets: list[int] = []
    for place, character in enumerate(simple):
        piece = character if character.isascii() or character in "—–…" else _spelled(character)
        characters.append(piece)
        offsets.extend([place] * len(piece))
    return Folded("".join(characters), offsets)


def _spelled(character: str) -> str:
    """One sign spelled with plain letters, its case kept where it has one.

    A combining sign or trademark gives nothing.
    """
    plain = unicodedata.normalize("NFKD", character)
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    if plain.isascii() and plain and character not in "™®":
        return plain
    lower = fold_name(character)
    return _LOWER_FOLD.get(lower, lower.upper()) if character.isupper() else lower


class Phrases(Generic[T]):
    """Phrases with what each stands for, found together in linear time (Aho-Corasick)."""

    def __init__(self, phrases: Iterable[tuple[str, T]]) -> None:
        """Take phrases as they stand in a folded text; one phrase may come several times, with several meanings."""
        meanings: dict[str, list[T]] = {}
        for phrase, meaning in phrases:
            if phrase:
                meanings.setdefault(phrase, []).append(meaning)
        self._meanings = meanings
        self._automaton = ahocorasick.Automaton()
        for phrase in meanings:
            self._automaton.add_word(phrase, phrase)
        self._automaton.make_automaton()

    def __len__(self) -> int:
        return len(self._meanings)

    def __contains__(self, phrase: str) -> bool:
        return phrase in self._meanings

    def meanings(self, phrase: str) -> Sequence[T]:
        """Give what a phrase stands for; nothing for an unknown one."""
        return self._meanings.get(phrase, ())

    def find(self, text: str, endings: frozenset[str] = frozenset()) -> Iterator[tuple[int, int, Sequence[T]]]:
        """Find all phrases in a text, overlapping ones too.

        Args:
            text: A folded text.
            endings: Letters that may follow a phrase to the end of its word ("s" for plurals); they belong to the span.

        Yields:
            Start, end and meanings of each phrase that begins and ends at a word boundary, in order of their ends.
        """
        if not self._meanings:
            return
        size = len(text)
        for last, phrase in self._automaton.iter(text):
            end = last + 1
            start = end - len(phrase)
            if start and text[start - 1].isalnum() and phrase[0].isalnum():
                continue
            if end < size and text[end].isalnum() and phrase[-1].isalnum():
                stop = end + 1
                while stop < size and stop < end + 3 and text[stop].isalnum():
                    stop += 1
                if text[end:stop] not in endings:
                    continue
                end = stop
            yield start, end, self._meanings[phrase]


def longest(spans: Iterable[tuple[int, int, T]]) -> list[tuple[int, int, T]]:
    """Keep the longest of overlapping spans (ties: the one given first), in order of their start."""
    kept: list[tuple[int, int, T]] = []
    for span in sorted(spans, key=lambda s: (s[0] - s[1], s[0])):
        if all(span[1] <= other[0] or other[1] <= span[0] for other in kept):
            kept.append(span)
    return sorted(kept, key=lambda s: (s[0], s[1]))
