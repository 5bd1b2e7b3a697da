"""Reading a question: its language, the cards, concepts and rules it names, and its words in English."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulings.search.answer import Reading
from rulings.search.index import Index
from rulings.search.intent import WHETHER, read_intent
from rulings.search.language import detect_language
from rulings.search.negation import negated
from rulings.search.question_concepts import NamedConcept
from rulings.search.question_names import NamedCard, NameReader
from rulings.search.translation import Glosser
from rulings.search.words import index_terms, split_words, terms_of

_RULE = re.compile(r"(?<![\d.{])([1-9]\d{2}(?:\.\d{1,3}[a-z]?)?)(?![\d}])")
_AFTER_RULE = re.compile(r"\b(?:rule|rules|cr|regel|règle|section)\s*$", re.IGNORECASE)
_CERTAIN = 0.8
"""From this strength on a card's name is put in English into the gloss of a question."""


@dataclass(frozen=True, slots=True)
class Understood:
    """What was read out of a question.

    ``english`` is the question itself, or its gloss where it is in another language. ``terms`` are the stems that the
    lexical index is asked for. ``rules`` are rule numbers as written, ``intent`` what is wanted
    (`rulings.search.intent`), ``negated`` the concepts that it says are not there, by slug.
    """

    question: str
    language: str
    english: str
    terms: tuple[str, ...]
    words: tuple[str, ...]
    cards: tuple[NamedCard, ...]
    concepts: tuple[NamedConcept, ...]
    rules: tuple[str, ...]
    intent: str = WHETHER
    negated: tuple[str, ...] = ()


class QuestionReader:
    """Reads questions against an index. ``card_names`` gives the English name of a card by its position."""

    def __init__(self, index: Index, card_names: Sequence[str] | None = None) -> None:
        self._index = index
        self._names = NameReader(index.names)
        self._card_names = card_names or index.card_names
        self._everyday = Glosser("en", None)
        self._glossers = {code: Glosser(code, index.folder / f"learned.{code}.tsv") for code in ("de", "fr")}

    def read(self, question: str, language: str | None = None) -> Understood:
        """Read a question; its language is found out where it isn't given."""
        language = language or detect_language(question)
        words = split_words(question)
        cards = self._names.read(question, language)
        concepts = self._index.concepts.read(words, language)
        english = question
        if language in self._glossers:
            english = self._gloss(words, language, cards, concepts)
        told = words if english is question else split_words(english)
        terms = (*terms_of(told), *index_terms(self._everyday.gloss(told, only_known=True)))
        return Understood(
            question=question,
            language=language,
            english=english,
            terms=terms,
            words=tuple(words),
            cards=tuple(cards),
            concepts=tuple(concepts),
            rules=_rules(question),
            intent=read_intent(question),
            negated=negated(question, words, concepts),
        )

    def without(self, read: Understood, wrong: Reading) -> Understood:
        """The same less the cards, concepts and rules of a reading, by its names; the words of the question stay."""
        if not (wrong.cards or wrong.concepts or wrong.rules):
            return read
        names, label = self._card_names, self._index.concepts.label
        cards, concepts, rules = (
            {name.casefold() for name in some} for some in (wrong.cards, wrong.concepts, wrong.rules)
        )
        return replace(
            read,
            cards=tuple(named for named in read.cards if names[named.card].casefold() not in cards),
            concepts=tuple(named for named in read.concepts if label(named.concept).casefold() not in concepts),
            rules=tuple(number for number in read.rules if number not in rules),
        )

    def _gloss(self, words: list[str], language: str, cards: list[NamedCard], concepts: list[NamedConcept]) -> str:
        known = [(c.start, c.stop, self._card_names[c.card]) for c in cards if c.strength >= _CERTAIN]
        covered = {place for start, stop, _ in known for place in range(start, stop)}
        for named in concepts:
            if (
                named.language == language
                and named.weight >= _CERTAIN
                and not covered & set(range(named.start, named.stop))
            ):
                known.append((named.start, named.stop, self._index.concepts.label(named.concept)))
                covered.update(range(named.start, named.stop))
        return self._glossers[language].gloss(words, known)


def _rules(question: str) -> tuple[str, ...]:
    """Rule numbers written in a question: with a dot, or after the word "rule"."""
    written = (
        match.group()
        for match in _RULE.finditer(question)
        if "." in match.group() or _AFTER_RULE.search(question[: match.start()])
    )
    return tuple(dict.fromkeys(written))
