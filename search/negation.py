"""Which of the concepts that a question names it says are not there."""

import re
from collections.abc import Sequence

from rulings.search.question_concepts import NamedConcept
from rulings.search.words import STOP_WORDS, split_words

_TABLE = """
    no without lacks lacking neither ohne kein keine keinen keiner keinem keines sans aucun aucune
    not never nicht nie niemals pas jamais cannot
    cant doesnt dont didnt isnt arent wasnt werent wont wouldnt couldnt shouldnt hasnt havent hadnt
    why how when what who which so and but then if
    have has had having get gets getting got gain gains gained use uses using haben hat hatte avoir avait
    when if because unless while than only just wenn weil nur si quand parce seulement
    or nor oder noch ou ni
"""
_OF_THINGS, _OF_DEEDS, _AUXILIARIES, _ASKING, _HAVING, _ENDS, _OR = (
    frozenset(line.split()) for line in _TABLE.strip().splitlines()
)
"""
Negations of the thing after them; of a deed; those that stand before what they belong to in a question ("doesn't
lifelink stack" denies no lifelink), there after one of the fourth kind; verbs that say no more than that something is
there; words that begin another thing said, or with which a negation is none ("not only"); and what joins two things.
"""
_SMALL_OTHERS = """
    longer more such der die das den dem des ein eine einen einem eines mehr mein meine meinen im le la les l un une de
    d du des plus mon ma mes
"""
_SMALL = STOP_WORDS | frozenset(_SMALL_OTHERS.split())
_CLAUSE = re.compile(r"[.,;:?!()–—\n]+")


def negated(question: str, words: Sequence[str], concepts: Sequence[NamedConcept]) -> tuple[str, ...]:
    """The concepts that a question says are not there, by slug.

    A word like "without" belongs to the next thing named, one like "not" also to what is had or got; neither reaches
    over another word, a comma or a "when". A negation inside a concept's own words ("can't be blocked") is part of it.

    Args:
        question: as it was asked, for its commas.
        words: the same, folded and split.
        concepts: those read from the words, with their places.
    """
    starts = {named.start: named.stop for named in concepts}
    own = {place for named in concepts for place in range(named.start, named.stop)}
    bounds = _bounds(question, len(words))
    denied: set[int] = set()
    for place, word in enumerate(words):
        things, deeds = word in _OF_THINGS, word in _OF_DEEDS or word in _AUXILIARIES
        asked = word in _AUXILIARIES and (place in bounds or words[place - 1] in _ASKING)
        if place in own or asked or not (things or deeds):
            continue
        start = _next(words, starts, place + 1, bounds, having=deeds)
        while start is not None:
            denied.add(start)
            after = starts[start]
            joined = after < len(words) and words[after] in _OR and after not in bounds and after + 1 in starts
            start = after + 1 if joined else None
    return tuple(dict.fromkeys(named.concept for named in concepts if named.start in denied))


def _next(words: Sequence[str], starts: dict[int, int], place: int, bounds: set[int], having: bool) -> int | None:
    """Where the concept begins that a negation before ``place`` belongs to, None for none."""
    while place < len(words) and place not in bounds and words[place] not in _ENDS:
        if place in starts:
            return place
        if words[place] not in _SMALL and not (having and words[place] in _HAVING):
            return None
        place += 1
    return None


def _bounds(question: str, count: int) -> set[int]:
    """The places of words that begin a clause."""
    places = {0}
    total = 0
    for clause in _CLAUSE.split(question):
        total += len(split_words(clause))
        places.add(total)
    return places if total == count else {0}
