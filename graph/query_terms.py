"""Terms of the vocabulary in a query: an unknown one can match nothing, so it is told, with the nearest known one."""

import re
from functools import cache
from pathlib import Path

from rapidfuzz import process

from rulings.graph.errors import UnknownTermError
from rulings.graph.vocabulary import VOCAB

_INERT = re.compile(
    r"<[^<>\"{}|^`\\\x00-\x20]*>|\"\"\"(?:\\.|[^\\])*?\"\"\"|'''(?:\\.|[^\\])*?'''"
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|#[^\n]*",
    re.DOTALL,
)
_TERM = re.compile(r"(?<![\w.:?$-])rul:(\w[\w.-]*\w|\w)")
_TEMPLATE = re.compile(r"\bCONSTRUCT\s*\{[^}]*\}", re.IGNORECASE)
_OWN_PREFIX = re.compile(r"\bPREFIX\s+rul:", re.IGNORECASE)
_SUBJECT = re.compile(r"^rul:(\w+) a ", re.MULTILINE)


def masked(query: str) -> str:
    """The query with blanks for its texts, comments and IRIs, every other character at its place."""
    return _INERT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), query)


@cache
def terms() -> frozenset[str]:
    """Local names of the classes, relations and attributes of the vocabulary."""
    text = Path(__file__).with_name("vocabulary.ttl").read_text(encoding="utf-8")
    return frozenset(_SUBJECT.findall(text))


def check_terms(query: str, bare: str) -> None:
    """Look for unknown ``rul:`` terms; those of a CONSTRUCT's template may be the user's own.

    Args:
        query: The query as given.
        bare: The same, as `masked` gives it.

    Raises:
        UnknownTermError: there is one; the message gives its place and the nearest known term.
    """
    own = _OWN_PREFIX.search(bare)
    if own and not query[own.end() :].lstrip().startswith(f"<{VOCAB}>"):
        return
    templates = [found.span() for found in _TEMPLATE.finditer(bare)]
    for found in _TERM.finditer(bare):
        if found[1] in terms() or any(start <= found.start() < end for start, end in templates):
            continue
        before = query[: found.start()]
        line, column = before.count("\n") + 1, found.start() - before.rfind("\n")
        near = process.extractOne(found[1], sorted(terms()), processor=str.casefold, score_cutoff=60)
        hint = f"did you mean rul:{near[0]}?" if near else "the vocabulary has no such term"
        raise UnknownTermError(f"rul:{found[1]} at line {line}, column {column}: {hint}")
