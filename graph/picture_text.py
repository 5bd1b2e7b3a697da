"""How wide text is when drawn, where no fonts can be asked, and how it breaks into lines."""

import re
import unicodedata

_NARROW = frozenset("iljtfrI.,;:'|!()[]{}/ -’‘")
_WIDE = frozenset("mwMWQOGCDNH@%&—…")
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML can't hold at all, not even escaped."""


def drawable(text: str) -> str:
    """Text without the characters that XML can't hold."""
    return _UNPRINTABLE.sub("\ufffd", text)


def width(text: str, size: float) -> float:
    """The width of a line in pixels at a font size, on the broad side for the usual sans-serif fonts."""
    return size * sum(map(_advance, text))


def _advance(char: str) -> float:
    if char in _NARROW:
        return 0.38
    if char in _WIDE:
        return 0.88
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return 1.05
    return 0.68 if char.isupper() else 0.61


def broken(text: str, size: float, room: float, most: int) -> list[str]:
    """Text as at most ``most`` lines that fit into ``room`` pixels, an ellipsis at the end of what was cut."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size) <= room:
            lines[-1] = longer
        elif len(lines) < most:
            lines.append(word if width(word, size) <= room else _cut(word, size, room))
        else:
            lines[-1] = _cut(lines[-1], size, room)
            break
    return lines or [""]


def _cut(text: str, size: float, room: float) -> str:
    text = text.rstrip("…")
    while text and width(text + "…", size) > room:
        text = text[: text.rfind(" ")] if " " in text else text[:-1]
    return text.rstrip(" ,;:.(") + "…"
