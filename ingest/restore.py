"""Restoring of mana symbols that a saved page lost, where a known ruling shows which stood there."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from rulings.ingest.text import fold, key

_SYMBOL = re.compile(r"\{[^{}\s]{1,9}\}")
_NO_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Restored:
    """A text with its symbols back, and the note that says where they come from."""

    text: str
    note: str


class SymbolRestorer:
    """Restores lost symbols from known rulings.

    A text is restored only if its words are exactly those of a known ruling but for that one's symbols, and all known
    rulings with these words agree about the symbols. Whether the text itself is known is for the caller to ask first.
    """

    def __init__(self, known: Iterable[str]) -> None:
        self._with_symbols: dict[str, dict[str, str]] = defaultdict(dict)
        for text in known:
            if "{" in text and _SYMBOL.search(text):
                self._with_symbols[_skeleton(text)].setdefault(fold(text), text)

    def restore(self, text: str) -> Restored | None:
        """The text with its symbols back, None where nothing is lost or nothing shows what was."""
        folded = fold(text)
        candidates = self._with_symbols.get(_skeleton(text))
        if not candidates or folded in candidates:
            return None
        written = _SYMBOL.findall(folded)
        by_symbols: dict[tuple[str, ...], str] = {}
        for candidate, original in sorted(candidates.items()):
            by_symbols.setdefault(tuple(_SYMBOL.findall(candidate)), original)
        symbols, original = next(iter(by_symbols.items()))
        if len(by_symbols) != 1 or len(symbols) <= len(written) or not _within(written, symbols):
            return None
        lost = " ".join(_less(symbols, written))
        return Restored(original, f"{lost} restored from ruling {key(original)}")


def _skeleton(text: str) -> str:
    """The words of a text alone: the loss of a symbol also shifts spaces and punctuation."""
    return _NO_WORD.sub("", _SYMBOL.sub("", fold(text))).casefold()


def _within(part: list[str], whole: tuple[str, ...]) -> bool:
    """Whether the symbols come in the whole in the same order."""
    rest = iter(whole)
    return all(symbol in rest for symbol in part)


def _less(whole: tuple[str, ...], part: list[str]) -> list[str]:
    left = list(whole)
    for symbol in part:
        left.remove(symbol)
    return left
