"""The rule numbers that a text refers to: "rule 702.19b", "rules 601.2f-h and 602", "rules 613.1 through 613.7"."""

import re
from collections.abc import Iterator, Mapping

LETTERS = "abcdefghijkmnpqrstuvwxyz"
"""The letters of subrules in order: l and o are left out, being too like 1 and 0."""

_DASH = r"\s?[-\u2010-\u2015]\s?|\s+(?:through|thru|to)\s+"
_TITLE = r"(?:,?\s*[\"\u201c][^\"\u201d\n]{1,80}[\"\u201d])"
_NUMBER = r"\d{3}(?:\.\d{1,3}[a-z]?(?![a-z]))?"
_TAIL = r"(?:\d{3}(?:\.\d{1,3}[a-z]?)?|\d{1,3}[a-z]?|[a-z])(?![\w])"
_ITEM = rf"{_NUMBER}(?:(?:{_DASH}|/){_TAIL})*{_TITLE}?"
_MORE = rf"(?:(?:\s*(?:,?\s*(?:and|or|and/or)|,)|(?<=[\"\u201d]))\s+(?:rules?\s+)?(?:{_ITEM}|[b-z](?![\w'\u2019])))*"
# A subrule's number stands for itself without a word before it; a chapter's may be any number.
_RULES = re.compile(rf"(?:\b[Rr]ules?\s+(?={_NUMBER})|(?<![\w.,/$])(?=\d{{3}}\.\d))({_ITEM}{_MORE})")
_SECTIONS = re.compile(
    r"\b[Ss]ections?\s+([1-9](?![\d.]\d)(?:(?:,|\s+and|\s+or|\s?[-\u2013]|\s+through)\s*[1-9](?![\d.]\d))*)"
)
_PIECE = re.compile(
    rf"{_TITLE}|({_DASH}|/)|(?<![\w.])(\d{{3}}(?:\.\d{{1,3}}[a-z]?)?)(?!\w)|(?<![\w.])(\d{{1,2}})([a-z]?)(?!\w)|(?<![\w])([a-z])(?!\w)"
)
_SPLIT = re.compile(r"(\d{3})(?:\.(\d{1,3})([a-z]?))?")


def order(number: str) -> tuple[int, int, int]:
    """The place of a rule number in the book: chapter, rule, letter (0 where there is none)."""
    match = _SPLIT.fullmatch(number)
    if not match:
        return int(number) if number.isdigit() else 0, 0, 0
    return int(match[1]), int(match[2] or 0), ord(match[3]) - 96 if match[3] else 0


def references(text: str) -> list[str]:
    """The numbers and ranges written in a text, in order, without repeats. A range comes as ``"613.1-613.7"``."""
    found: list[tuple[int, str]] = []
    for match in _RULES.finditer(text):
        found += ((match.start(), number) for number in _numbers(match[1]))
    for match in _SECTIONS.finditer(text):
        found += ((match.start(), number) for number in re.findall(r"\d", match[1]))
    return list(dict.fromkeys(number for _, number in sorted(found, key=lambda item: item[0])))


def _numbers(listing: str) -> Iterator[str]:
    """The numbers of one listing; what is left out ("601.2f-h", "119.7-8", "608.3a and b") is filled in."""
    last, is_range = "", False
    pending = ""
    for piece in _PIECE.finditer(listing):
        dash, full, short, short_letter, letter = piece.groups()
        if dash:
            is_range = dash != "/"
            continue
        chapter, _, rest = last.partition(".")
        if full:
            number = full
        elif short and last:
            number = f"{chapter}.{short}{short_letter}"
        elif letter and rest:
            number = last.rstrip(LETTERS + "lo") + letter
        else:
            continue
        if is_range and pending:
            yield f"{pending}-{number}"
            pending = ""
        else:
            if pending:
                yield pending
            pending = number
        last, is_range = number, False
    if pending:
        yield pending


def resolve(written: list[str], rules: Mapping[str, object]) -> tuple[str, ...]:
    """Replace each range by the rules of an edition that lie in it; single numbers stay, known or not.

    A range between subrules holds subrules, one between rules holds rules, one between chapters holds chapters.
    """
    found: dict[str, None] = {}
    for reference in written:
        first, dash, last = reference.partition("-")
        if not dash:
            found[first] = None
            continue
        depth = _depth(first)
        low, high = order(first), order(last)
        inside = [number for number in rules if _depth(number) == depth and low <= order(number) <= high]
        found |= dict.fromkeys(inside or (first, last))
    return tuple(found)


def _depth(number: str) -> int:
    if "." not in number:
        return 0 if len(number) == 1 else 1
    return 3 if number[-1].isalpha() else 2
