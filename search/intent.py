"""What a question wants to know."""

import re
from functools import cache
from importlib import resources

WHETHER = "whether"
"""What is wanted where nothing says otherwise: whether something is so."""
_ASKED = re.compile(r"^|[.?!,;:–—(\n]\s*|\b(?:and|so|but|then|und|aber|dann|et|mais|alors|donc)\s+")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "à": "a", "â": "a", "é": "e", "è": "e", "ê": "e", "ç": "c"})


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    text = (resources.files("rulings.search") / "data" / "intents.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return tuple((intent, re.compile(pattern)) for intent, pattern in rows)


def intents() -> tuple[str, ...]:
    """All that a question may want."""
    return (*dict.fromkeys(intent for intent, _ in _patterns()), WHETHER)


def read_intent(question: str) -> str:
    """One of `intents`: what the last thing asked is, for what stands before it tells the situation."""
    text = re.sub(r"[’‘]", "'", question.lower().translate(_UMLAUTS))
    for asked in reversed(list(_ASKED.finditer(text))):
        for intent, pattern in _patterns():
            if pattern.match(text, asked.end()):
                return intent
    return WHETHER
