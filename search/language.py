"""Telling the language of a question (English, German or French) by its small words and spelling."""

import re
from functools import cache
from importlib import resources

from rulings.search.words import STOP_WORDS, split_words

_GERMAN = re.compile(
    r"[äöüß]|sch|\b(?:der|die|das|und|nicht|ist|ich|wenn|kann|mein\w*|ein\w*|den|dem|mit|auf)\b", re.IGNORECASE
)
_FRENCH = re.compile(
    r"[éèêàçùœ]|\b(?:qu|[ldjcnsm])['’](?=\w{2})|"
    r"\b(?:le|la|les|des|une|est|que|qui|je|mon|ma|mes|dans|pour|sur|avec|il|elle|et|du|au|si)\b",
    re.IGNORECASE,
)
_ENGLISH = re.compile(r"\b(?:is|my|does|do|can|if|and|to|it|with|what|i|on|in|a|or|when|has|for)\b", re.IGNORECASE)


@cache
def _words(language: str) -> frozenset[str]:
    return frozenset(
        (resources.files("rulings.search") / "data" / f"ordinary.{language}.txt").read_text("utf-8").split()
    )


def detect_language(question: str) -> str:
    """Return "en", "de" or "fr"; "en" where nothing speaks for another one.

    Card names and game words of other languages inside a question weigh little against its function words.
    """
    words = [word for word in split_words(question) if word.isalpha()]
    scores = {}
    for language, marks in (("en", _ENGLISH), ("de", _GERMAN), ("fr", _FRENCH)):
        usual = sum(word in _words(language) for word in words)
        scores[language] = usual + 1.5 * len(marks.findall(question))
    scores["en"] += 0.5 * sum(word in STOP_WORDS for word in words) + 0.5
    return max(scores, key=lambda language: (scores[language], language == "en"))
