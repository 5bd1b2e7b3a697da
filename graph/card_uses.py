"""Links cards to concepts: the keywords that they have, and what their rules text uses, per face."""

from collections.abc import Iterator

from rulings.graph.automaton import folded
from rulings.graph.concept_mentions import ConceptFinder
from rulings.graph.concepts import ConceptScheme
from rulings.graph.records import CardUse
from rulings.ingest import Card, Corpus, Face


def card_uses(corpus: Corpus, scheme: ConceptScheme) -> tuple[CardUse, ...]:
    """Link all cards to the concepts they have or use.

    A keyword is told for the face whose text has it, for the whole card where no face or every face does. In rules
    text the card's own name is no
    concept. ``start`` and ``end`` are code points in the face's text (in the card's where ``face`` is None).

    Returns:
        Uses by card in the order of the corpus, keywords first, each concept once per face.
    """
    finder = ConceptFinder(scheme)
    return tuple(use for oracle_id, card in corpus.cards.items() for use in _uses(oracle_id, card, finder))


def _uses(oracle_id: str, card: Card, finder: ConceptFinder) -> Iterator[CardUse]:
    faces = card.faces if len(card.faces) > 1 else (Face(card.name, text=card.text),)
    several = len(faces) > 1
    has = dict.fromkeys(slug for keyword in card.keywords if (slug := finder.keyword(keyword)))
    found: list[tuple[str | None, dict[str, tuple[int, int]]]] = []
    for face in faces:
        spans: dict[str, tuple[int, int]] = {}
        for mention in finder.find(folded(face.text), _own_name(face), (card,), has.keys()):
            spans.setdefault(mention.concept, (mention.start, mention.end))
        found.append((face.name if several else None, spans))
    for slug in has:
        where = [(side, spans[slug]) for side, spans in found if slug in spans]
        for side, (start, end) in where:
            yield CardUse(oracle_id, slug, "hasKeyword", side, start, end)
        if not where:
            yield CardUse(oracle_id, slug, "hasKeyword")
    for side, spans in found:
        for slug, (start, end) in spans.items():
            if slug not in has:
                yield CardUse(oracle_id, slug, "uses", side, start, end)


def _own_name(face: Face) -> list[tuple[int, int]]:
    spans = []
    for name in dict.fromkeys((face.name, face.name.split(", ", maxsplit=1)[0])):
        start = face.text.find(name) if name else -1
        while start >= 0:
            spans.append((start, start + len(name)))
            start = face.text.find(name, start + 1)
    return spans
