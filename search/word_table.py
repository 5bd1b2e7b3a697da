"""A table of German and French words with their English ones, learned from cards printed in both (IBM model 1)."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rulings.ingest import Corpus
from rulings.search.words import STOP_WORDS, split_words

ROUNDS = 6
LEAST = 0.12
"""Translations less likely than this are left out."""
MOST = 3
_RAREST = 3
_REMINDER = re.compile(r"\([^)]*\)")

Pair = tuple[tuple[str, ...], tuple[str, ...]]
Places = NDArray[np.int64]


def printed_pairs(corpus: Corpus, language: str) -> Iterator[Pair]:
    """The words of a name, a type or a line of text printed in ``language``, and of the same in English."""
    for oracle_id, printings in corpus.printings.items():
        card = corpus.cards[oracle_id]
        faces = {face.name: (face.text, face.type_line) for face in card.faces} | {
            card.name: (card.text, card.type_line)
        }
        for printing in printings:
            english, type_line = faces.get(printing.name, (card.text, card.type_line))
            if printing.language != language:
                continue
            for one, other in ((printing.printed_name, printing.name), (printing.printed_type, type_line)):
                pair = _content(one), _english(other)
                if all(pair):
                    yield pair
            if not printing.printed_text or not english:
                continue
            ours = _REMINDER.sub(" ", printing.printed_text.replace(printing.printed_name, "")).split("\n")
            theirs = _REMINDER.sub(" ", english.replace(printing.name, "")).split("\n")
            lines = zip(ours, theirs, strict=True) if len(ours) == len(theirs) else [(" ".join(ours), " ".join(theirs))]
            for foreign, line in lines:
                pair = _content(foreign), _english(line)
                if all(pair):
                    yield pair


@lru_cache(maxsize=1 << 16)
def _content(text: str) -> tuple[str, ...]:
    words = {word for word in split_words(text) if len(word) > 1 and not word[0].isdigit() and word[0] not in "+-"}
    return tuple(sorted(words))


@lru_cache(maxsize=1 << 16)
def _english(text: str) -> tuple[str, ...]:
    return tuple(word for word in _content(text) if word not in STOP_WORDS)


def learn_words(pairs: Sequence[Pair], rounds: int = ROUNDS) -> dict[str, list[tuple[str, float]]]:
    """For each foreign word its likeliest English words with their probability, best first.

    IBM model 1 in the direction from the foreign word to the English one, a word for "nothing" among the foreign ones.
    """
    foreign = sorted({word for pair in pairs for word in pair[0]})
    english = sorted({word for pair in pairs for word in pair[1]})
    f_place = {word: n + 1 for n, word in enumerate(foreign)}  # 0 stands for nothing
    e_place = {word: n for n, word in enumerate(english)}
    if not pairs:
        return {}
    f_all, e_all, s_all = _combined(
        [[0, *(f_place[word] for word in ours)] for ours, _ in pairs],
        [[e_place[word] for word in theirs] for _, theirs in pairs],
    )
    slots = int(s_all[-1]) + 1
    codes, inverse = np.unique(f_all * len(english) + e_all, return_inverse=True)
    owner = codes // len(english)
    chance: NDArray[np.float64] = np.ones(len(codes))
    for _ in range(rounds):
        each = chance[inverse]
        share = each / np.bincount(s_all, each, slots)[s_all]
        counts = np.bincount(inverse, share, len(codes))
        chance = counts / np.bincount(owner, counts, len(foreign) + 1)[owner]
    seen = np.bincount(np.array([f_place[word] for pair in pairs for word in pair[0]]), minlength=len(foreign) + 1)
    table: dict[str, list[tuple[str, float]]] = {}
    for code, p in zip(codes.tolist(), chance.tolist(), strict=True):
        f, e = divmod(code, len(english))
        if f and p >= LEAST and seen[f] >= _RAREST:
            table.setdefault(foreign[f - 1], []).append((english[e], p))
    return {word: sorted(found, key=lambda t: (-t[1], t[0]))[:MOST] for word, found in table.items()}


def _combined(ours: Sequence[Sequence[int]], theirs: Sequence[Sequence[int]]) -> tuple[Places, Places, Places]:
    """Every foreign word of a pair with every English one, pair after pair: both, and the place of the English one.

    The English words of all pairs are counted through, so that a place stands for one word of one pair.
    """
    widths = np.array([len(pair) for pair in theirs], np.int64)
    counts = np.array([len(pair) for pair in ours], np.int64) * widths
    owner = np.repeat(np.arange(len(ours)), counts)
    step = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    first_of_ours = np.cumsum(counts // np.maximum(widths, 1)) - counts // np.maximum(widths, 1)
    row, column = np.divmod(step, widths[owner])
    slot = (np.cumsum(widths) - widths)[owner] + column
    return _flat(ours)[first_of_ours[owner] + row], _flat(theirs)[slot], slot


def _flat(groups: Sequence[Sequence[int]]) -> Places:
    return np.fromiter((place for group in groups for place in group), np.int64)


def write_word_table(folder: Path, corpus: Corpus, languages: Sequence[str] = ("de", "fr")) -> None:
    """Learn the table of each language and write it: a line a word, then its English words with their probability."""
    for language in languages:
        table = learn_words(list(printed_pairs(corpus, language)))
        lines = (f"{word}\t" + " ".join(f"{e}:{p:.3f}" for e, p in found) for word, found in sorted(table.items()))
        (folder / f"learned.{language}.tsv").write_text("\n".join(lines), encoding="utf-8")
    for kept in (_content, _english):
        kept.cache_clear()
