"""The names that cards go by in running text: full, of a face, shortened, and their plurals."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from rulings.graph.automaton import folded
from rulings.ingest import Card, Corpus, Face

Kind = Literal["full name", "face name", "short name"]

_JOINTS = {"of", "the", "from", "in", "to", "for", "and", "with", "at", "on", "by", "a", "an", "de", "von", "van", "//"}
_HEAD = re.compile(r"^(?P<head>.+?) (?:of|from|the|in|for) ")
_Y = re.compile(r"[^aeiou]y$")
_REBALANCED = re.compile(r"(?:^|(?<=// ))A-")


@dataclass(frozen=True, slots=True)
class CardName:
    """One name of a card. ``form`` is folded, case kept; ``word_count`` counts its words."""

    oracle_id: str
    name: str
    form: str
    kind: Kind
    face: str | None = None
    legendary: bool = False
    oversized: bool = False
    """A vanguard, scheme or plane: rarely named by other cards' statements."""

    @property
    def word_count(self) -> int:
        """How many words the form has."""
        return self.form.count(" ") + 1


@dataclass(frozen=True, slots=True)
class OwnForm:
    """A form that a card's own statements may use. ``sure`` forms need no look at the words around them."""

    form: str
    sure: bool
    suffix: bool = False
    subtype: bool = False


@dataclass(slots=True)
class NameBook:
    """Every name of every card, looked up by its folded form in lower case."""

    names: dict[str, list[CardName]] = field(default_factory=dict)
    subtypes: set[str] = field(default_factory=set)
    """Words after the dash of type lines, in lower case."""

    @classmethod
    def from_corpus(cls, corpus: Corpus) -> "NameBook":
        """Collect the names of all cards, and the subtypes on their type lines."""
        book = cls()
        for oracle_id, card in corpus.cards.items():
            for face in card.faces:
                _, dash, after = face.type_line.partition("—")
                if dash and "Plane" not in face.type_line.split("—")[0].split():
                    book.subtypes.update(word.lower() for word in after.split() if word != "//")
            for name in _names(oracle_id, card):
                for form in (name.form, *_plurals(name)):
                    book.names.setdefault(form.lower(), []).append(name)
        for same in book.names.values():
            same.sort(key=_rank)
        return book

    def phrases(self) -> Iterator[tuple[str, CardName]]:
        """Yield each form in lower case with the best card of that name: real before rebalanced or oversized ones."""
        for form, same in self.names.items():
            yield form, same[0]


_OVERSIZED = {"vanguard", "scheme", "planar", "token", "double_faced_token", "emblem", "art_series"}
_KINDS: tuple[Kind, ...] = ("full name", "face name", "short name")


def _rank(name: CardName) -> tuple[bool, bool, int, str, str]:
    return bool(_REBALANCED.search(name.name)), name.oversized, _KINDS.index(name.kind), name.name, name.oracle_id


def _names(oracle_id: str, card: Card) -> Iterator[CardName]:
    legendary = "Legendary" in card.type_line or "Planeswalker" in card.type_line
    oversized = card.layout in _OVERSIZED
    whole = folded(card.name).text
    for form in dict.fromkeys((whole, whole.replace(" // ", "//"), whole.replace(" // ", "/"))):
        yield CardName(oracle_id, card.name, form, "full name", None, legendary, oversized)
    for face in card.faces if len(card.faces) > 1 else ():
        if face.name != card.name:
            yield CardName(oracle_id, card.name, folded(face.name).text, "face name", face.name, legendary, oversized)
    if legendary:
        for face in card.faces:
            short, comma, _ = folded(face.name).text.partition(", ")
            if comma:
                on_face = face.name if len(card.faces) > 1 else None
                yield CardName(oracle_id, card.name, _REBALANCED.sub("", short), "short name", on_face, True, oversized)


def _plurals(name: CardName) -> Iterator[str]:
    """Plurals that aren't made by adding letters at the end: "Sanctuaries", "Circles of Protection"."""
    if name.kind == "short name":
        return
    if _Y.search(name.form):
        yield name.form[:-1] + "ies"
    if head := _HEAD.match(name.form):
        yield head["head"] + "s" + name.form[len(head["head"]) :]


def own_forms(card: Card) -> tuple[OwnForm, ...]:
    """Give the forms that stand for a card in its own statements, longest first.

    Whole names of the card and its faces and what stands before a comma are sure. The first words of a legend or of
    an "X of Y" name
    and the last words of any name are not: they need a look at the context.
    """
    forms: dict[str, OwnForm] = {}
    if len(card.faces) > 1:
        whole = _REBALANCED.sub("", folded(card.name).text)
        for form in (whole, whole.replace(" // ", "//")):
            forms[form] = OwnForm(form, sure=True)
    for face in card.faces or (Face(card.name, type_line=card.type_line),):
        name = _REBALANCED.sub("", folded(face.name).text)
        short, comma, _ = name.partition(", ")
        for form in (name, short) if comma else (name,):
            forms.setdefault(form, OwnForm(form, sure=True))
        types = {word.lower() for word in face.type_line.split() if word.isalpha()}
        rules_text = folded(card.text).text.replace(name, "")
        legend = bool({"legendary", "planeswalker"} & types)
        for form, suffix in _pieces(short, legend=legend):
            if len(form) > 2 and form[0].isupper() and form.split(" ", maxsplit=1)[0].lower() not in _JOINTS:
                # A subtype that the rules text speaks of ("each Sliver") means the kind, not the card.
                spoken_of = suffix and re.search(rf"\b{re.escape(form)}", rules_text)
                forms.setdefault(form, OwnForm(form, False, suffix, form.lower() in types and not spoken_of))
    return tuple(sorted(forms.values(), key=lambda f: (-len(f.form), f.form)))


def _pieces(short: str, *, legend: bool) -> Iterator[tuple[str, bool]]:
    """Yield the pieces of a name that may stand for it, and whether each is from its end."""
    words = short.split(" ")
    head = _HEAD.match(short)
    if head:
        yield head["head"], False
    if legend:
        for count in range(1, len(words)):
            yield " ".join(words[:count]), False
    for first in range(1, len(words)):
        yield " ".join(words[first:]), True
    if head and " " in head["head"]:
        yield head["head"].rsplit(" ", 1)[1], True
