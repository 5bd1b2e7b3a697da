"""What a question wants to know, and which of the concepts it names it says are not there."""

import re
from collections.abc import Sequence
from functools import cache
from importlib import resources

from rulings.search.question_concepts import NamedConcept

WHETHER = "whether"
"""What is wanted where nothing says otherwise: whether something is so."""
_ASKED = r"(?:^|[.?!,;:–—(\n]\s*|\b(?:and|so|but|then|und|aber|dann|et|mais|alors|donc)\s+)"
_NEGATIONS = """
    not no without never cant cannot doesnt dont didnt isnt arent wasnt wont wouldnt hasnt havent lacks lacking
    nicht kein keine keinen keiner keinem keines ohne nie niemals pas sans jamais aucun aucune
"""
_NOT = frozenset(_NEGATIONS.split())
_REACH = 3
"""How many words after a negation a concept may stand."""
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "à": "a", "â": "a", "é": "e", "è": "e", "ê": "e", "ç": "c"})


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    text = (resources.files("rulings.search") / "data" / "intents.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return tuple((intent, re.compile(f"{_ASKED}(?:{pattern})")) for intent, pattern in rows)


def intents() -> tuple[str, ...]:
    """All that a question may want."""
    return (*dict.fromkeys(intent for intent, _ in _patterns()), WHETHER)


def read_intent(question: str) -> str:
    """One of `intents`: what the last thing asked is, for what stands before it tells the situation."""
    text = re.sub(r"[’‘]", "'", question.lower().translate(_UMLAUTS))
    found = [(match.start(), -n) for n, (_, pattern) in enumerate(_patterns()) for match in pattern.finditer(text)]
    return _patterns()[-max(found)[1]][0] if found else WHETHER


def negated(words: Sequence[str], concepts: Sequence[NamedConcept]) -> tuple[str, ...]:
    """The first concept after each word like "without", if near, by slug; ``words`` are folded."""
    starts = {named.start for named in concepts}
    denied = set()
    for place, word in enumerate(words):
        if word in _NOT:
            near = (place + step for step in range(1, _REACH + 1))
            denied.add(next((start for start in near if start in starts), None))
    return tuple(dict.fromkeys(named.concept for named in concepts if named.start in denied))
