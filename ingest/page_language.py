"""The language of a saved page, told from its small words."""

import re
from collections.abc import Iterable

_SMALL_WORDS = {
    "en": "the of and is to it you that with for are on this if by from an can any",
    "de": "der die das und ist nicht von auf mit ein eine wird den dem wenn nur zu für sind bei oder auch",
    "fr": "le la les des est une un et du que qui dans pas pour sur au aux ce cette par ou sont",
    "es": "el la los las del es una un y que en no por para con se su al como o esta este",
    "it": "il lo la gli le del della di che è una un e non per con nel si ha come o questa sono dei",
    "pt": "o a os as do da dos das é uma um e que em não por para com se no na ao como ou esta este",
}
_WEIGHTS: dict[str, dict[str, float]] = {}
for _language, _words in _SMALL_WORDS.items():
    for _word in _words.split():
        _WEIGHTS.setdefault(_word, {})[_language] = 1.0
for _shared in _WEIGHTS.values():
    # A word that four languages use says little.
    for _language in _shared:
        _shared[_language] = 1.0 / len(_shared)


def language_of(texts: Iterable[str], among: Iterable[str] = ()) -> str:
    """The language whose small words the texts use most, "" where they use none or two languages draw.

    Args:
        texts: what to look at.
        among: the languages that come into question; none given means all six.
    """
    scores = dict.fromkeys(among or _SMALL_WORDS, 0.0)
    for text in texts:
        for word in re.findall(r"[^\W\d_]+", text.casefold()):
            for language, weight in _WEIGHTS.get(word, {}).items():
                if language in scores:
                    scores[language] += weight
    ranked = sorted(scores.items(), key=lambda item: -item[1])
    return ranked[0][0] if ranked[0][1] > (ranked[1][1] if len(ranked) > 1 else 0.0) else ""
