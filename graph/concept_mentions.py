"""Finds the concepts that a statement names, by the surface forms of the scheme, the longest form at each place."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from rulings.graph.automaton import Folded, Phrases, longest
from rulings.graph.concepts import ConceptScheme, Surface
from rulings.graph.homonyms import at_sentence_start
from rulings.graph.records import ConceptMention
from rulings.ingest import Card

WEAK = 0.35
"""Surfaces below are everyday words; a statement, which speaks of nothing but the rules, may still mean the concept."""

_FLAVOR = re.compile(r"(?:^|\n|• |; )([A-Z][^—\n{}\"(.,;:]{2,48}?) — ?")
_ABILITY_BEFORE = re.compile(
    r"\b(?:has|have|had|having|gains?|gained|with|without|loses?|lost|grants?|gives?|multiple|another) $"
)
_ABILITY_AFTER = re.compile(r"^ (?:abilit|cost|counter|keyword|trigger)")
_PLAIN_ENGLISH = frozenset(
    [
        "if",
        "you",
        "your",
        "during",
        "become",
        "becomes",
        "becoming",
        "became",
        "match",
        "matched",
        "matches",
        "matching",
        "pass",
        "passed",
        "passes",
        "passing",
        "move",
        "moved",
        "moves",
        "moving",
        "prize",
        "prizes",
        "option",
        "options",
        "y",
        "world",
        "general",
        "generals",
        "status",
        "independent",
        "infinity",
    ]
)
_SELDOM = {"variant", "obsolete term", "event", "designation", "keyword"}
_KEYWORDS = {"keyword ability", "keyword action", "ability word", "keyword"}
_NUMBER_BEFORE = re.compile(r"(?:^|[\s(\"])(?:[+-]\d+/[+-]\d+|\d+)$")


class ConceptFinder:
    """Finds concepts in folded texts, with all English surface forms in one automaton."""

    def __init__(self, scheme: ConceptScheme) -> None:
        best: dict[str, list[Surface]] = {}
        for surface in scheme.surfaces():
            if surface.language == "en":
                best.setdefault(surface.text.replace("-", " "), []).append(surface)
        self._phrases = Phrases((text, max(found, key=lambda s: s.weight)) for text, found in best.items())
        self._kinds = {slug: concept.kind for slug, concept in scheme.concepts.items()}
        # Abilities are printed as words of their own; actions such as "search" are spoken of in plain sentences.
        self._printed = {
            slug for slug, kind in self._kinds.items() if kind in ("keyword ability", "ability word", "keyword")
        }
        self._terms = frozenset(best) | {s.text for found in best.values() for s in found}
        self._by_keyword = {text: found[0].concept for text, found in best.items()}

    @property
    def terms(self) -> frozenset[str]:
        """All surface forms in lower case, as they are and with hyphens as spaces."""
        return self._terms

    def keyword(self, text: str) -> str | None:
        """Give the slug of a keyword as a card has it."""
        return self._by_keyword.get(text.lower().replace("’", "'").replace("-", " "))

    def find(
        self,
        text: Folded,
        taken: Sequence[tuple[int, int]] = (),
        cards: Sequence[Card] = (),
        keywords: Collection[str] = (),
    ) -> tuple[ConceptMention, ...]:
        """Find the concepts named in a folded text.

        Args:
            text: The folded text.
            taken: Spans (of the text as written) that are card names: no concept is looked for in them.
            cards: The own cards; the flavor words on them aren't keywords.
            keywords: Slugs of the own cards' keywords: an everyday word that names one of them is taken.

        Returns:
            Mentions in order, never overlapping; offsets are of the text as written.
        """
        plain = text.text
        blocked = [*taken, *(text.span(s, e) for s, e in flavor_spans(plain, cards))]
        spans: list[tuple[int, int, Surface]] = []
        for start, end, (surface,) in self._phrases.find(plain.lower().replace("-", " ")):
            if (
                surface.weight < WEAK
                and surface.concept not in keywords
                and not self._meant(plain, start, end, surface)
            ):
                continue
            if not self._fits(plain, start, end, surface, keywords):
                continue
            spans.append((start, end, surface))
        found = []
        for start, end, surface in longest(spans):
            begin, stop = text.span(start, end)
            if all(stop <= s or e <= begin for s, e in blocked):
                found.append(ConceptMention(surface.concept, begin, stop, round(surface.weight, 3), surface.method))
        return tuple(found)

    def _meant(self, text: str, start: int, end: int, surface: Surface) -> bool:
        """Whether an everyday word stands for the concept.

        A keyword must be spoken of as an ability; other terms count unless they are plain English.
        """
        kind = self._kinds.get(surface.concept, "")
        if surface.method == "synonym" or surface.text in _PLAIN_ENGLISH or kind in _SELDOM:
            return False
        if kind in _KEYWORDS and surface.concept in self._printed:
            return bool(
                _ABILITY_BEFORE.search(text, max(0, start - 12), start) or _ABILITY_AFTER.match(text[end : end + 10])
            )
        return kind != "token" or text[start].isupper() or text.startswith(" token", end)

    def _fits(self, text: str, start: int, end: int, surface: Surface, keywords: Collection[str]) -> bool:
        if end - start == 1:
            return text[start].isupper()
        kind = self._kinds.get(surface.concept, "")
        if kind == "subtype" and not text[start].isupper():
            return False
        if kind in _KEYWORDS and text[start].isupper() and surface.concept not in keywords:
            # A keyword is capitalised only where a sentence begins or where it is a card's or token's name.
            after = text[end : end + 6].lower()
            return at_sentence_start(text, start) or after.startswith(" token")
        return not (start > 1 and text[start - 1] == "-" and _NUMBER_BEFORE.search(text, 0, start - 1))


def flavor_words(cards: Iterable[Card]) -> set[str]:
    """Give the words before dashes in the rules text of cards: flavor words and ability words, as printed."""
    words: set[str] = set()
    for card in cards:
        if "—" in card.text:
            words.update(match[1].replace("’", "'") for match in _FLAVOR.finditer(card.text))
    return words


def flavor_spans(text: str, cards: Sequence[Card]) -> list[tuple[int, int]]:
    """Give the spans where a folded statement uses flavor words (of several words) of its cards."""
    spans = []
    for words in flavor_words(cards) if cards else ():
        if " " not in words:
            continue
        start = text.find(words)
        while start >= 0:
            spans.append((start, start + len(words)))
            start = text.find(words, start + 1)
    return spans


def by_concept(mentions: Iterable[ConceptMention]) -> Mapping[str, list[ConceptMention]]:
    """Group mentions by concept, in order of the first."""
    groups: dict[str, list[ConceptMention]] = {}
    for mention in mentions:
        groups.setdefault(mention.concept, []).append(mention)
    return groups
