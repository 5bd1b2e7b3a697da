"""The numbered part of a rules book: sections, chapters, rules, subrules, with examples; typing errors mended."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from rulings.ingest.decoding import joined
from rulings.ingest.rules_references import LETTERS, order

_NUMBERED = re.compile(r"(\d{3})\s?[.,]\s?([1-9]\d{0,2})\s?\.?([a-z](?![a-z]))?[.:)]?\s*(\S.*)")
_HEADING = re.compile(r"([1-9]\d\d|[1-9])\b\.?\s*(\S.*)")
_EXAMPLE = re.compile(r"[*_]{0,3}Examples?(?:\s+\d+)?[*_]{0,3}\s*[:.][*_]{0,3}\s*(?=\S)", re.IGNORECASE)
# A line that ends so is wrapped: the number below it is one that it refers to.
_REFERRING = re.compile(r"\b(?:rules?|and|or|through|to|see|section)\s*$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?:][\"\u201d\u2019')\]_]*$")


@dataclass(slots=True)
class Entry:
    """A numbered line with what follows it: ``line`` its index, ``written`` the number as it stands there.

    ``spaced`` tells whether a blank line stands above, ``before_text`` is the start of the line up to its text.
    ``paragraphs`` and ``example_lines`` hold lines that are still to be joined.
    """

    line: int
    written: str
    number: str
    paragraphs: list[list[str]]
    spaced: bool = True
    before_text: str = ""
    example_lines: list[list[str]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text without its examples."""
        return "\n".join(map(joined, self.paragraphs))

    @property
    def examples(self) -> tuple[str, ...]:
        """The examples."""
        return tuple(map(joined, self.example_lines))

    @property
    def is_heading(self) -> bool:
        """Whether this is a section or a chapter."""
        return "." not in self.number


def numbered(line: str) -> tuple[str, str] | None:
    """The number and the text of a line that starts with a rule number, None for another line."""
    match = _NUMBERED.match(line.strip())
    if not match:
        return None
    return f"{match[1]}.{match[2]}{match[3] or ''}", match[4]


def heading(line: str) -> tuple[str, str] | None:
    """The number and the title of a line that looks like a section or chapter heading, None for another line."""
    match = _HEADING.match(line.strip())
    if not match or len(match[2]) > 100 or match[2][0].isdigit() or match[2].endswith((".", ";", ",")):
        return None
    return match[1], match[2]


def body_start(lines: list[str]) -> int | None:
    """The index of the line where the rules start, past the contents; None where there are no rules.

    That is the heading above the first rule N.1 that stands right below a heading of its own chapter.
    """
    last: list[tuple[int, str]] = []
    fallback = None
    for n, line in enumerate(lines):
        if not line.strip():
            continue
        rule = numbered(line)
        if rule:
            if last and last[-1][1] == rule[0].split(".")[0]:
                section = last[-2] if len(last) > 1 and last[-2][1] == rule[0][0] else last[-1]
                return section[0]
            fallback = n if fallback is None else fallback
        title = heading(line)
        last = [*last[-1:], (n, title[0])] if title else []
    return fallback


def entries(lines: list[str], start: int, end: int, mended: Callable[[Entry, str], None]) -> list[Entry]:
    """The entries of ``lines[start:end]`` in book order. ``mended`` is told each number not taken as written."""
    found: list[Entry] = []
    previous_blank, in_example = True, False
    for n in range(start, end):
        line = lines[n].strip()
        if not line:
            previous_blank = True
            continue
        entry = _entry(lines, n, line, found, spaced=previous_blank)
        if entry:
            found.append(entry)
            in_example = False
        elif found:
            in_example = _continue(found[-1], line, lines[n], in_example=in_example, blank_before=previous_blank)
        previous_blank = False
    return _mend(found, mended)


def _entry(lines: list[str], n: int, line: str, found: list[Entry], *, spaced: bool) -> Entry | None:
    rule = numbered(line)
    if rule and not spaced and _REFERRING.search(lines[n - 1]):
        return None
    if rule:
        return Entry(n, rule[0], rule[0], [[rule[1]]], spaced, line[: len(line) - len(rule[1])])
    title = heading(line)
    if not title:
        return None
    number = title[0]
    above = next((e.number for e in reversed(found) if e.is_heading and len(e.number) == len(number)), "0")
    if int(number) <= int(above):
        return None
    if len(number) == 1:
        below = next((heading(text) for text in lines[n + 1 : n + 6] if text.strip()), None)
        return Entry(n, number, number, [[title[1]]], spaced) if below and below[0][:-2] == number else None
    section = next((e.number for e in reversed(found) if len(e.number) == 1), number[0])
    return Entry(n, number, number, [[title[1]]], spaced) if number[0] == section else None


def _continue(entry: Entry, line: str, raw: str, *, in_example: bool, blank_before: bool) -> bool:
    """Add an unnumbered line to an entry; the result says whether the next one may go on with an example."""
    example = _EXAMPLE.match(line)
    if example:
        entry.example_lines.append([line[example.end() :]])
        return True
    indented = raw[:2].isspace()
    if in_example and not blank_before and not (indented and _SENTENCE_END.search(entry.example_lines[-1][-1])):
        entry.example_lines[-1].append(line)
        return True
    if blank_before:
        entry.paragraphs.append([line])
    else:
        entry.paragraphs[-1].append(line)
    return False


def _mend(found: list[Entry], mended: Callable[[Entry, str], None]) -> list[Entry]:
    """Mend numbers that are typing errors: out of order, while the number that is missing there is nearly the same."""
    written = {entry.written for entry in found}
    kept: list[Entry] = []
    seen: set[str] = set()
    chapter = ""
    for i, entry in enumerate(found):
        if entry.is_heading:
            chapter = entry.number
        else:
            before = kept[-1].number if kept else ""
            after = next((e.written for e in found[i + 1 : i + 2]), "")
            fits = entry.number not in seen and order(entry.number) > order(before)
            if not fits or not _follows(before, entry.number):
                expected = _missing(before, after, entry.written, written, seen, certain=not fits)
                if expected:
                    mended(
                        entry, f"number {entry.written} taken as {expected}, which was meant by its place in the book"
                    )
                    entry.number = expected
                elif (
                    entry.number in seen
                    or (not fits and not entry.spaced)
                    or (not entry.spaced and entry.number[:3] != chapter)
                ):
                    # No rule of its own: a wrapped line that happens to start with a number, or one given twice.
                    entry.paragraphs[0][0] = entry.before_text + entry.paragraphs[0][0]
                    if entry.spaced:
                        mended(entry, f"number {entry.written} stands twice; its text was added to rule {before}")
                    else:
                        kept[-1].paragraphs[-1] += entry.paragraphs.pop(0)
                    kept[-1].paragraphs += entry.paragraphs
                    kept[-1].example_lines += entry.example_lines
                    continue
        seen.add(entry.number)
        kept.append(entry)
    return kept


def _successors(number: str) -> list[str]:
    """The numbers that may come next in a book."""
    if "." not in number:
        return [f"{number}.1"] if len(number) == 3 else []
    chapter, rest = number.split(".")
    if rest[-1].isdigit():
        return [f"{number}a", f"{chapter}.{int(rest) + 1}"]
    after = [LETTERS[LETTERS.index(rest[-1]) + 1]] if rest[-1] in LETTERS[:-1] else []
    return [*(f"{number[:-1]}{letter}" for letter in after), f"{chapter}.{int(rest[:-1]) + 1}"]


def _follows(before: str, number: str) -> bool:
    return not before or number in _successors(before)


def _missing(
    before: str, after: str, written: str, all_written: set[str], seen: set[str], *, certain: bool
) -> str | None:
    """The number that must stand between two others, if what is written is within two signs of it."""
    for expected in _successors(before):
        if expected in seen or expected in all_written or _slips(expected, written) > 2:
            continue
        closes = after in _successors(expected)
        if closes and (certain or order(after) <= order(written) or written[:3] != expected[:3]):
            return expected
        if certain and not closes and (not after or "." not in after):
            return expected
    return None


def _slips(first: str, second: str) -> int:
    """How many signs differ, position by position, the difference in length counted too."""
    return sum(a != b for a, b in zip(first, second, strict=False)) + abs(len(first) - len(second))
