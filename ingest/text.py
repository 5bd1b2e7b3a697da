"""Folding of text: what makes two wordings, or two names, the same."""

import hashlib
import re
import unicodedata

_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
_NAME_SIGNS = str.maketrans(
    {
        "Æ": "Ae",
        "æ": "ae",
        "Œ": "Oe",
        "œ": "oe",
        "ß": "ss",
        "ø": "o",
        "Ø": "O",
        "ł": "l",
        "Ł": "L",
        "™": "",
        "®": "",
        "‐": "-",
        "‑": "-",
        "–": "-",
        "—": "-",
        "…": "...",
        "´": "'",
        "`": "'",
        "ʼ": "'",
        "′": "'",
        "„": '"',
        "«": '"',
        "»": '"',
    }
)

_MAYBE_COMBINING = re.compile("[\u0300-\U0010ffff]")
"""No character below U+0300 combines; asking for each of the others is slow enough to matter."""


def fold(text: str) -> str:
    """Fold a wording for comparison: NFC, straight quotes, single spaces, stripped."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(_QUOTES)
    return " ".join(text.split())


def key(text: str) -> str:
    """First 12 hex digits of the sha1 of the folded text: the key of a statement."""
    return hashlib.sha1(fold(text).encode(), usedforsecurity=False).hexdigest()[:12]


def fold_name(name: str) -> str:
    """Fold a name for look-up: no accents, ligatures split, straight quotes, lower case, single spaces.

    The result may be shorter or longer than ``name``; offsets don't carry over.
    """
    if name.isascii():
        return " ".join(name.replace("`", "'").split()).lower()
    text = fold(name).translate(_NAME_SIGNS)
    if not text.isascii():
        text = _MAYBE_COMBINING.sub(_uncombined, unicodedata.normalize("NFKD", text))
    return " ".join(text.split()).casefold()


def _uncombined(char: re.Match[str]) -> str:
    return "" if unicodedata.combining(char[0]) else char[0]
