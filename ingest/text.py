"""Folding of text: what makes two wordings, or two names, the same."""

import hashlib
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
    text = fold(name).translate(_NAME_SIGNS)
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join(text.split()).casefold()
