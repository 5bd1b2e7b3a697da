"""The glossary of a rules book: heads and their texts, with or without blank lines between them."""

import re
from collections.abc import Iterator

from rulings.ingest.text import fold_name

_SENSE = re.compile(r"\d{1,2}[.)]\s")
_TEXT_END = re.compile(r"[.!?:;,][\"\u201d\u2019')\]]*$")
_EMPHASIS = re.compile(r"(?<!\w)_([^_]+)_(?!\w)")


def glossary(lines: list[str]) -> Iterator[tuple[int, str, str]]:
    """Yield (index of its line, term, text) of each entry; newlines part the paragraphs and senses of a text."""
    written = [(n, line.strip()) for n, line in enumerate(lines)]
    filled = [(n, line) for n, line in written if line]
    at, term, text = 0, "", list[str]()
    for i, (n, line) in enumerate(filled):
        blank_before = i == 0 or filled[i - 1][0] != n - 1
        following = filled[i + 1][1] if i + 1 < len(filled) else ""
        if not term or (text and _is_head(line, following, term, text[-1], blank_before=blank_before)):
            if term:
                yield at, term, "\n".join(text)
            at, term, text = n, _EMPHASIS.sub(r"\1", line), []
        else:
            text.append(line)
    if term:
        yield at, term, "\n".join(text)


def _is_head(line: str, following: str, term: str, before: str, *, blank_before: bool) -> bool:
    """Whether a line starts a new entry. Without a blank line before it, it must also fit the alphabet."""
    if not _looks_like_head(line.rstrip("!") if blank_before else line) or not following:
        return False
    if blank_before:
        return True
    return bool(_TEXT_END.search(before)) and not _looks_like_head(following) and fold_name(line) > fold_name(term)


def _looks_like_head(line: str) -> bool:
    return (
        0 < len(line) <= 70
        and len(line.split()) <= 9
        and not _TEXT_END.search(line)
        and not _SENSE.match(line)
        and not line.startswith("See ")
        and not line[0].islower()
    )
