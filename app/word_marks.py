"""Which words of a text went and came: for showing a rewording."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Literal

Mark = tuple[Literal["same", "went", "came"], str]


def word_marks(old: str, new: str) -> Iterator[Mark]:
    """The runs of words that both texts have, and between them those that went and those that came."""
    before, after = re.findall(r"\S+\s*", old), re.findall(r"\S+\s*", new)
    plain = [word.strip() for word in before], [word.strip() for word in after]
    for kind, a, b, c, d in SequenceMatcher(None, plain[0], plain[1], autojunk=False).get_opcodes():
        if kind == "equal":
            yield "same", "".join(after[c:d]).strip()
            continue
        if a < b:
            yield "went", "".join(before[a:b]).strip()
        if c < d:
            yield "came", "".join(after[c:d]).strip()


def marked(old: str, new: str) -> str:
    """The same on a terminal, as wdiff writes it: ``[-went-]`` and ``{+came+}``."""
    signs = {"same": "{}", "went": "[-{}-]", "came": "{{+{}+}}"}
    return " ".join(signs[kind].format(words) for kind, words in word_marks(old, new))
