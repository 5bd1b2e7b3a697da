"""Words of a text for the lexical index and for matching names: folding, splitting and light stemming."""

import re
from collections.abc import Iterable
from functools import lru_cache

from rulings.ingest import fold_name

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)*|[+-][0-9x]+/[+-][0-9x]+")
_ELISION = re.compile(r"\b(?:[ldjmtsnc]|qu|jusqu|lorsqu|puisqu)'(?=[a-z])")
_SYMBOL = re.compile(r"\{([^}]+)\}")
_VOWEL = re.compile(r"[aeiouy]")

_STOP = """
    a an the and or of to in on at by for with from into as is are was were be been being it its this that these
    those i me my you your he she his her him they them their we our us do does did done doing have has had
    having will would can could may might shall should must if then than so such but not no nor just also only
    very any some each when while which who whom whose what how why where there here
"""
STOP_WORDS = frozenset(_STOP.split())
"""English words that say next to nothing about what a ruling is about."""


def split_words(text: str) -> list[str]:
    """Split a text into folded words.

    Lower case, no accents, no apostrophes ("Garruk's" gives "garruks", "l'arbre" gives "arbre").
    """
    folded = fold_name(_SYMBOL.sub(r" \1 ", text) if "{" in text else text)
    if "'" not in folded:
        return _WORD.findall(folded)
    return [word.replace("'", "") for word in _WORD.findall(_ELISION.sub("", folded))]


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Cut the endings of English inflection from a folded word; words of other languages pass nearly unchanged."""
    if len(word) <= 3 or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        root = word[: -len(ending)]
        if word.endswith(ending) and len(root) >= 3 and _VOWEL.search(root):
            if root[-1] == root[-2] and root[-1] not in "lsz":
                return root[:-1]
            return root
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def index_terms(text: str) -> list[str]:
    """The stems of a text's words without stop words: what the lexical index holds and is asked for."""
    return terms_of(split_words(text))


def terms_of(words: Iterable[str]) -> list[str]:
    """The same of words that were split already."""
    return [stem(word) for word in words if word not in STOP_WORDS]


def german_stem(word: str) -> str:
    """Cut the endings of German inflection from a folded word ("diebischen", "diebische" give "diebisch")."""
    for ending in ("en", "em", "er", "es", "e", "n", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
