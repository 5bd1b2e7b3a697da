"""Dated blocks of a page: which lines carry a date, which text belongs to it, and what stands outside."""

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import pairwise

from rulings.ingest.decoding import joined
from rulings.ingest.page_dates import WrittenDate, dates
from rulings.ingest.page_language import language_of

# A lone minus, plus or star may also start a text about -1/-1 counters or a */* creature.
_BULLET = re.compile(r"^(?:(?:[•·▪◦●○■□‣»➤#>|]+|[-*+\u2010-\u2015](?=\s)|\*\*)\s*)+")
_COUNT = re.compile(r"^\(?\d{1,3}[.)]\s+")
_OPENING = " \t([<|*_•·—–-~"
_CLOSING = re.compile(r"^(?:[\s)\]>:|_·•—–,;~]|-(?!\d)|\*\*|\*(?![\d/+*]))*")
_SENTENCE_END = re.compile(r"[.!?…][\"“”’'»)\]*_]*$")
_MARKED = re.compile(
    r"©|\(c\)|copyright|https?://|\bwww\.|\ball rights\b|wizards of the coast|fan content|unofficial|cookie|privacy",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Block:
    """A date with its text: ``line`` is the index of the date's line, ``extra`` what else stands beside the date."""

    line: int
    written: WrittenDate
    texts: list[str] = field(default_factory=list)
    extra: str = ""

    @property
    def text(self) -> str:
        """The text, its wrapped lines joined."""
        return joined(self.texts)


@dataclass(slots=True)
class Blocks:
    """The blocks of a page; what stands ``before`` the first; what stands ``outside`` anywhere (``before`` too)."""

    dated: list[Block]
    before: list[str]
    outside: list[str]


@dataclass(slots=True)
class _Line:
    """A line: "text", "date" (with at most a label), "start" (a date, then text) or "end" (text, then a date)."""

    index: int
    kind: str
    text: str
    gap: int = 0
    written: WrittenDate | None = None
    before: str = ""
    after: str = ""
    bulleted: bool = False


def is_sentence(text: str) -> bool:
    """Whether a text ends as a sentence does."""
    return bool(_SENTENCE_END.search(text.strip()))


def blocks(lines: list[str]) -> Blocks:
    """Find the dated blocks. The page's own habit tells whether a date stands before or after its text."""
    written = _lines(lines)
    if not any(line.written for line in written):
        return Blocks([], [line.text for line in written], [line.text for line in written])
    if _date_comes_after(written):
        # Read backwards, a date after its text is one before it.
        found, before, after = _gather(_turned(written), "end")
        for block in found:
            block.texts.reverse()
        return Blocks(found[::-1], after[::-1], (before + after)[::-1])
    found, before, after = _gather(written, "start")
    return Blocks(found, before, before + after)


def _lines(lines: list[str]) -> list[_Line]:
    found: list[_Line] = []
    gap = 1
    for n, raw in enumerate(lines):
        text = raw.strip()
        if not text or not text.strip("-–—=_*#| "):
            gap += 1
            continue
        found.append(_classified(n, text, gap))
        gap = 0
    return found


def _classified(n: int, text: str, gap: int) -> _Line:
    bare = _BULLET.sub("", text)
    found = dates(bare)
    if not found:
        return _Line(n, "text", bare, gap, bulleted=bare != text)
    if (
        found[0].start
        and (counted := _COUNT.match(bare))
        and (own := dates(bare[counted.end() :]))
        and not own[0].start
    ):
        bare, found = bare[counted.end() :], own
    first, last = found[0], found[-1]
    before, after = bare[: first.start].strip(_OPENING), _CLOSING.sub("", bare[first.end :]).rstrip(" \t|_*")
    leads = not before or (len(before) <= 30 and before.endswith(":"))
    if len(before) <= 40 and not is_sentence(before) and _is_label(after) and len(before.split()) <= 5:
        return _Line(n, "date", text, gap, first, before, after)
    if leads and after:
        return _Line(n, "start", after, gap, first, before)
    body, tail = bare[: last.start].strip().rstrip(_OPENING), _CLOSING.sub("", bare[last.end :]).rstrip(" \t|_*)]")
    if len(body) >= 15 and len(tail) <= 30 and _is_label(tail) and not bare[last.end :].startswith("."):
        return _Line(n, "end", body, gap, last, after=tail)
    return _Line(n, "text", text, gap)


def _is_label(text: str) -> bool:
    """Whether what stands beside a date only says where it comes from."""
    return len(text) <= 40 and len(text.split()) <= 6 and not is_sentence(text)


def _date_comes_after(written: list[_Line]) -> bool:
    count = Counter(line.kind for line in written)
    if count["end"] != count["start"] and max(count["end"], count["start"]) * 2 > count["date"]:
        return count["end"] > count["start"]
    votes = 0
    for i, line in enumerate(written):
        if line.kind != "date":
            continue
        above = written[i - 1] if i else None
        below = written[i + 1] if i + 1 < len(written) else None
        has_above = above is not None and above.kind == "text"
        has_below = below is not None and below.kind == "text"
        if has_above != has_below:
            votes += 1 if has_above else -1
        elif has_above and below is not None and line.gap != below.gap:
            votes += 1 if line.gap < below.gap else -1
    if votes:
        return votes > 0
    # Both ends have a text too many: one of them is boilerplate.
    return _is_boilerplate(written[-1].text, written) and not _is_boilerplate(written[0].text, written)


def _is_boilerplate(text: str, written: list[_Line]) -> bool:
    """Whether a text is unlike those between the dates: marked as the site's own, no sentence, another language."""
    if _MARKED.search(text) or not is_sentence(text):
        return True
    middle = language_of(line.text for line in written if line.kind != "date" and line.text != text)
    own = language_of([text])
    return bool(own and middle and own != middle)


def _turned(written: list[_Line]) -> list[_Line]:
    """The lines in reverse order, their gaps counted to the line that was below."""
    gaps = [*(line.gap for line in written[1:]), 1]
    return [replace(line, gap=gap) for line, gap in zip(written, gaps, strict=True)][::-1]


def _gather(written: list[_Line], glued: str) -> tuple[list[Block], list[str], list[str]]:
    """Blocks of a page whose dates come first; ``glued`` is the kind of line that has its text beside the date.

    Gives the blocks, the texts before the first, and what else belongs to none.
    """
    found: list[Block] = []
    groups: list[list[_Line]] = []
    before: list[str] = []
    outside: list[str] = []
    for i, line in enumerate(written):
        follower = written[i + 1] if i + 1 < len(written) else None
        if line.written and line.kind in {glued, "date"}:
            own: list[_Line] = []
            if line.kind == glued:
                own.append(line)
            elif follower is None or follower.kind != "text":
                # A short text beside the date, and none below it: the text is the ruling, a label alone is the site's.
                beside, label = (line.after, line.before) if glued == "start" else (line.before, line.after)
                if label and not beside:
                    (outside if found else before).append(line.text)
                    continue
                own += [_Line(line.index, "text", beside)] if beside else []
            found.append(Block(line.index, line.written, extra=f"{line.before} {line.after}".strip()))
            groups.append(own)
        elif found:
            groups[-1].append(line)
        else:
            before.append(line.text)
    outside += _cut_last(groups)
    repeated = Counter(line.text for group in groups for line in group[1:])
    parted: list[Block] = []
    for block, group in zip(found, groups, strict=True):
        kept = [line for i, line in enumerate(group) if i == 0 or repeated[line.text] < 3 or len(line.text) > 40]
        parts = _parts(kept) if glued == "start" else [kept]
        parted += (replace(block, texts=[line.text for line in part]) for part in parts)
    found = parted
    if len(found) > 1 and _is_page_date(found[0], found[1:]):
        before += [found[0].extra, *found.pop(0).texts]
    return found, before, outside


def _is_page_date(first: Block, others: list[Block]) -> bool:
    """Whether the first date is that of the page, with the page's heading below it."""
    if not first.extra or first.extra in {block.extra for block in others}:
        return False
    return len(first.text.split()) <= 8 and not is_sentence(first.text) and any(is_sentence(b.text) for b in others)


def _parts(group: list[_Line]) -> list[list[_Line]]:
    """The rulings below one date: each bullet starts one, and so does a paragraph after a full sentence."""
    parts: list[list[_Line]] = [group[:1]]
    for above, line in pairwise(group):
        if line.bulleted or (line.gap and is_sentence(above.text)):
            parts.append([])
        parts[-1].append(line)
    return parts


def _cut_last(groups: list[list[_Line]]) -> list[str]:
    """Take from the last group what is more than the others have, or looks like the site's own words."""
    if not groups or len(groups[-1]) < 2:
        return []
    last, others = groups[-1], groups[:-1]
    if last[1].bulleted and last[0].kind == "text":
        end = next((i for i, line in enumerate(last) if line.gap and not line.bulleted and i), len(last))
    elif others and all(len(group) <= 1 for group in others):
        end = 1
    elif others and not any(line.gap for group in others for line in group[1:]):
        end = next((i for i, line in enumerate(last) if i and line.gap), len(last))
    else:
        end = next((i for i, line in enumerate(last) if i and line.gap and _is_boilerplate(line.text, last)), len(last))
    end = next((i for i, line in enumerate(last[:end]) if i and (_MARKED.search(line.text) or line.written)), end)
    cut = [line.text for line in last[end:]]
    del last[end:]
    return cut
