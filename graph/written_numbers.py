"""Finds rule numbers written in a statement."""

import re

_NUMBER = re.compile(
    r"(?P<cue>\b(?:[Ss]ee |[Cc]omprehensive |[Cc]omp\.? ?|CR ?|C\.R\. ?)?(?:[Rr]ules?|CR|"
    r"section)s?:? ?#? ?\(?|\bCR ?|\b[Ss]ee )?"
    r"(?<![\d.$/{])(?P<number>[1-9]\d{2}(?:\.\d{1,3}[a-z]?(?![a-z]))?)(?![\d/}%])"
)
_AND = re.compile(r"^(?:,|,? and|,? or|/|–|-|,? through|;) ?$")


def written_rule_numbers(text: str) -> list[tuple[str, int, int]]:
    """Find rule numbers in a text.

    "704.5k" is one wherever it stands; "702", with no dot, only after a word such as "rule", or in a list after one
    that is.

    Args:
        text: A statement as written.

    Returns:
        The number without a trailing dot, with start and end as code points, in order.
    """
    found: list[tuple[str, int, int]] = []
    for match in _NUMBER.finditer(text):
        number = match["number"]
        start, end = match.span("number")
        cue = (match["cue"] or "").strip().lower()
        listed = bool(found) and bool(_AND.match(text[found[-1][2] : start]))
        if "." in number or listed or (cue and cue != "see"):
            found.append((number, start, end))
    return found
