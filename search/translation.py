"""Glossing of German and French questions into English words: curated phrases, learned words, compounds split."""

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from pathlib import Path

from rulings.search.words import german_stem, split_words

LONGEST = 4
_FRENCH_ENDINGS = ("ees", "es", "ee", "er", "ez", "ent", "s", "e", "nt")
_LINKS = ("", "s", "n", "en", "es", "er")
_SHORTEST_PART = 4
_SURE = 0.25
"""A second translation is taken along only if it is at least this likely."""


class Glosser:
    """Glosses questions in one language.

    Args:
        language: "de" or "fr"; "en" has only the table of everyday words.
        learned: the file that `write_word_table` wrote for it, if any.
    """

    def __init__(self, language: str, learned: Path | None) -> None:
        self.language = language
        self._phrases = _curated(language)
        self._learned: dict[str, str] = {}
        if learned and learned.is_file():
            for line in learned.read_text("utf-8").splitlines():
                word, _, found = line.partition("\t")
                self._learned[word] = found
        self._stems: dict[str, str] = {}
        for word in sorted(self._learned, key=lambda w: (len(w), w)):
            self._stems.setdefault(self._stem(word), word)

    def gloss(
        self, words: Sequence[str], known: Sequence[tuple[int, int, str]] = (), *, only_known: bool = False
    ) -> str:
        """English words for folded words of a question.

        ``known`` are spans already understood (card names, concepts) with their English; they are put in as they are.
        Words that nothing is known about stay, for they are names or English, unless ``only_known`` is set.
        """
        spans = {start: (stop, english) for start, stop, english in reversed(known)}
        out: list[str] = []
        place = 0
        while place < len(words):
            if place in spans:
                stop, english = spans[place]
                out.append(english)
                place = stop
                continue
            limit = min([LONGEST, len(words) - place, *(start - place for start in spans if start > place)])
            for length in range(limit, 0, -1):
                phrase = self._phrases.get(" ".join(words[place : place + length]))
                if phrase is not None:
                    out.append(phrase)
                    place += length
                    break
            else:
                out.append("" if only_known else self._word(words[place]))
                place += 1
        return re.sub(r"\s+", " ", " ".join(out)).strip()

    def _word(self, word: str) -> str:
        found = self._one(word)
        if found is None and self.language == "de":
            found = self._compound(word)
        return word if found is None else found

    @lru_cache(maxsize=4096)  # noqa: B019 (one glosser a language lives as long as its index)
    def _one(self, word: str) -> str | None:
        curated = self._phrases.get(word)
        if curated is not None:
            return curated
        if word in self._learned:
            return _likely(self._learned[word])
        near = self._stems.get(self._stem(word))
        return _likely(self._learned[near]) if near and len(word) > 3 else None

    def _stem(self, word: str) -> str:
        if self.language == "de":
            return (
                german_stem(word.removeprefix("ge"))
                if word.startswith("ge") and word.endswith("t")
                else german_stem(word)
            )
        for ending in _FRENCH_ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= 4:
                return word[: -len(ending)]
        return word

    def _compound(self, word: str) -> str | None:
        """A German compound as the English of its two parts, the longer first part preferred."""
        for cut in range(len(word) - _SHORTEST_PART, _SHORTEST_PART - 1, -1):
            last = self._one(word[cut:])
            if last is None:
                continue
            for link in _LINKS:
                if word[:cut].endswith(link):
                    first = self._one(word[: cut - len(link)] if link else word[:cut])
                    if first is not None and cut - len(link) >= 3:
                        return f"{first} {last}"
        return None


def _likely(found: str) -> str:
    pairs = [pair.rpartition(":") for pair in found.split(" ")]
    return " ".join(word for n, (word, _, chance) in enumerate(pairs) if n == 0 or float(chance) >= _SURE)


def _curated(language: str) -> dict[str, str]:
    text = (resources.files("rulings.search") / "data" / f"words.{language}.tsv").read_text("utf-8")
    table = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            word, _, english = line.partition("\t")
            table[" ".join(split_words(word))] = english
    return table
