"""Stems of words, and the lists of words in ``data/guarded_words.tsv``."""

from functools import cache
from importlib.resources import files


@cache
def words(kind: str) -> frozenset[str]:
    """Give the words of a kind in the data file."""
    lines = files("rulings.graph").joinpath("data/guarded_words.tsv").read_text(encoding="utf-8").splitlines()
    return frozenset(next(line.split("\t")[1] for line in lines if line.startswith(f"{kind}\t")).split())


# Forms that mean something else than their stem are kept: "tapped" is a state, "attacking creature" a kind of creature.
_KEPT = words("kept")
_IRREGULAR = dict(pair.split("=") for pair in words("irregular"))


@cache
def stem(word: str) -> str:
    """Cut a word's ending so that its forms compare equal; not a word of the language."""
    word = _IRREGULAR.get(word, word)
    if word in _KEPT or len(word) < 4 or word.endswith(("ss", "us")):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    for ending in ("ing", "ed", "es", "s"):
        root = word.removesuffix(ending)
        if root != word and len(root) > 2:
            if ending in {"ing", "ed"} and root[-1] == root[-2] and root[-1] not in "ls":
                root = root[:-1]
            return root.removesuffix("e")
    return word.removesuffix("e")
