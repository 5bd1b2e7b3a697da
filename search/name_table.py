"""The table of all card names for reading questions: exact look-up by hash, words for partial and misspelt names."""

import re
import shutil
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rulings.ingest import Card, Corpus
from rulings.search.hashing import name_hash
from rulings.search.plain_words import plain_counts
from rulings.search.typos import WordSpeller, trigram_postings
from rulings.search.words import STOP_WORDS, german_stem, split_words, stem

if TYPE_CHECKING:
    from scipy import sparse

LANGUAGES = ("en", "de", "fr", "es", "it", "pt")
"""The languages whose names are known; names in scripts without spaces are looked up whole."""

_SHORT = re.compile(r"^([^,]+),|^(.+?) (?:of|the|von|der|die|das|du|de|la|le|des|del|di|da|do)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NameTable:
    """All names as arrays. A row is one name of one card in one language.

    ``hashes`` is sorted; ``cards`` holds positions in `Corpus.cards`; ``languages`` positions in `LANGUAGES`;
    ``short`` is true for a legend's first name. ``words`` are all words of names; ``word_rows`` is a matrix of words
    by rows, ``weights`` each word's rarity, ``totals`` the sum of a row's weights. ``ordinary`` is how usual a word
    is in plain text, 0..1. ``plain`` holds hashes of all words of plain text, sorted; ``stems`` hashes of German
    stems with the words in ``stem_words``.
    """

    hashes: NDArray[np.uint64]
    cards: NDArray[np.int32]
    languages: NDArray[np.uint8]
    short: NDArray[np.bool_]
    totals: NDArray[np.float32]
    sharing: NDArray[np.int32]
    words: tuple[str, ...]
    positions: dict[str, int]
    weights: NDArray[np.float32]
    ordinary: NDArray[np.float32]
    plain: NDArray[np.uint64]
    stems: NDArray[np.uint64]
    stem_words: NDArray[np.int32]
    word_rows: "sparse.csr_matrix"
    speller: WordSpeller

    def rows(self, values: NDArray[np.uint64]) -> dict[int, range]:
        """The rows whose whole name some hashes of words are, by the place of the hash; the others are left out."""
        if not len(self.hashes):
            return {}
        starts = np.searchsorted(self.hashes, values)
        hits = np.flatnonzero(self.hashes[np.minimum(starts, len(self.hashes) - 1)] == values)
        stops = np.searchsorted(self.hashes, values[hits], "right")
        ranges = map(range, starts[hits].tolist(), stops.tolist())
        return dict(zip(hits.tolist(), ranges, strict=True))

    def is_plain(self, word: str) -> bool:
        """Whether a word stands in plain text (and so is not a misspelt name)."""
        values = np.array([name_hash((word,)), name_hash((stem(word),))], np.uint64)
        places = np.searchsorted(self.plain, values)
        return bool((self.plain[np.minimum(places, len(self.plain) - 1)] == values).any()) if len(self.plain) else False

    def same_stem(self, word: str) -> list[int]:
        """The words of names that differ from a word only in a German ending."""
        value = np.uint64(name_hash((german_stem(word),)))
        start, stop = np.searchsorted(self.stems, value, "left"), np.searchsorted(self.stems, value, "right")
        return [int(place) for place in self.stem_words[start:stop]]


def write_name_table(folder: Path, corpus: Corpus, former: Path | None = None) -> None:
    """Write the table of a corpus's names into ``folder``.

    ``former`` is the index of another corpus with the same cards and printed names: of it all is taken but how usual
    each word is.
    """
    if former is None:
        arrays = _arrays(folder, corpus)
    else:
        shutil.copyfile(former / "name_words.txt", folder / "name_words.txt")
        with np.load(former / "names.npz") as written:
            arrays = dict(written)
    counts = plain_counts(folder, corpus)
    known = {w for code in ("en", "de", "fr") for w in _ordinary_words(code)} | STOP_WORDS
    plain = {name_hash((form,)) for w, n in counts.items() if n >= 3 for form in (w, stem(w))} | {
        name_hash((w,)) for w in known
    }
    vocabulary = (folder / "name_words.txt").read_text("utf-8").split("\n")
    arrays["ordinary"] = np.array([1.0 if w in known else _usual(counts[w]) for w in vocabulary], np.float32)
    arrays["plain"] = np.array(sorted(plain), np.uint64)
    ordered: dict[str, Any] = {name: arrays[name] for name in sorted(arrays)}
    np.savez(folder / "names.npz", **ordered)


def _arrays(folder: Path, corpus: Corpus) -> dict[str, NDArray[Any]]:
    """What depends on names alone; their words are written into ``folder``."""
    from scipy import sparse

    rows = _rows(corpus)
    hashes = np.array([name_hash(words) for words, *_ in rows], np.uint64)
    order = np.argsort(hashes, kind="stable")
    rows = [rows[n] for n in order]
    vocabulary = sorted({word for words, *_ in rows for word in words})
    position = {word: n for n, word in enumerate(vocabulary)}
    in_names = Counter(word for words, _, _, short in rows if not short for word in set(words))
    weights = np.array([np.log(1 + len(rows) / (1 + in_names[word])) for word in vocabulary], np.float32)
    weights[[position[word] for word in STOP_WORDS if word in position]] *= 0.1
    places = np.fromiter((position[w] for words, *_ in rows for w in words), np.int32)
    owners = np.repeat(np.arange(len(rows), dtype=np.int32), [len(words) for words, *_ in rows])
    matrix = sparse.csr_matrix((np.ones(len(places), np.int8), (places, owners)), shape=(len(vocabulary), len(rows)))
    matrix.sum_duplicates()
    matrix.data[:] = 1
    postings = trigram_postings(vocabulary)
    stems = np.array([name_hash((german_stem(word),)) for word in vocabulary], np.uint64)
    by_stem = np.argsort(stems, kind="stable")
    sharing = Counter(hashes.tolist())
    (folder / "name_words.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    return {
        "hashes": hashes[order],
        "cards": np.array([card for _, card, _, _ in rows], np.int32),
        "languages": np.array([language for _, _, language, _ in rows], np.uint8),
        "short": np.array([short for *_, short in rows], np.bool_),
        "totals": np.asarray(matrix.T.astype(np.float32) @ weights, np.float32),
        "sharing": np.array([sharing[value] for value in hashes[order].tolist()], np.int32),
        "weights": weights,
        "stems": stems[by_stem], "stem_words": by_stem.astype(np.int32),
        "rows_indptr": matrix.indptr, "rows_indices": matrix.indices,
        "grams_indptr": postings.indptr, "grams_indices": postings.indices,
    }  # fmt: skip


def read_name_table(folder: Path) -> NameTable:
    """Open the table that `write_name_table` wrote."""
    words = tuple((folder / "name_words.txt").read_text("utf-8").split("\n"))
    with np.load(folder / "names.npz") as a:
        count = len(a["cards"])
        word_rows = _ones(a["rows_indptr"], a["rows_indices"], (len(words), count))
        postings = _ones(a["grams_indptr"], a["grams_indices"], (WordSpeller.BUCKETS, len(words)))
        return NameTable(
            hashes=a["hashes"],
            cards=a["cards"],
            languages=a["languages"],
            short=a["short"],
            totals=a["totals"],
            sharing=a["sharing"],
            words=words,
            positions={word: n for n, word in enumerate(words)},
            weights=a["weights"],
            ordinary=a["ordinary"],
            plain=a["plain"],
            stems=a["stems"],
            stem_words=a["stem_words"],
            word_rows=word_rows,
            speller=WordSpeller(words, postings),
        )


def _ones(indptr: NDArray[np.int32], indices: NDArray[np.int32], shape: tuple[int, int]) -> "sparse.csr_matrix":
    from scipy import sparse

    return sparse.csr_matrix((np.ones(len(indices), np.int8), indices, indptr), shape=shape)


def _rows(corpus: Corpus) -> list[tuple[tuple[str, ...], int, int, bool]]:
    """Distinct (words, card, language, is short), in a fixed order."""
    position = {oracle_id: n for n, oracle_id in enumerate(corpus.cards)}
    seen: dict[tuple[tuple[str, ...], int, int, bool], None] = {}
    for name in corpus.names():
        if name.language not in LANGUAGES or name.name.startswith("A-"):
            continue
        card = corpus.cards[name.oracle_id]
        language = LANGUAGES.index(name.language)
        for text in {name.name, *name.name.split(" // ")} if " // " in name.name else (name.name,):
            words = tuple(split_words(text))
            if words:
                seen[words, position[name.oracle_id], language, False] = None
            for part in _short_names(text, card):
                short = tuple(split_words(part))
                if short and short != words:
                    seen[short, position[name.oracle_id], language, True] = None
    return list(seen)


def _short_names(text: str, card: Card) -> Iterable[str]:
    """What players call a legend: the name before its comma or its "of" or "the", else the first word."""
    if "Legendary" not in card.type_line or "//" in text:
        return
    found = _SHORT.match(text)
    first = (found.group(1) or found.group(2)) if found else text.split(" ", maxsplit=1)[0]
    for name in (
        first.removeprefix("The "),
        text.rsplit(" ", maxsplit=1)[-1] if not found and "Creature" in card.type_line else "",
    ):
        if len(name) > 2 and name.isalpha():
            yield name


def _usual(count: int) -> float:
    """How usual a word of so many texts is: 1 from fifty on."""
    return min(1.0, float(np.log1p(count) / np.log(51)))


def _ordinary_words(language: str) -> list[str]:
    """Words that players use in questions, written small."""
    return (resources.files("rulings.search") / "data" / f"ordinary.{language}.txt").read_text("utf-8").split()
