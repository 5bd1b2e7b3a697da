"""More to train on than was written by hand: questions about cards that work alike, and cards with their rulings."""

from collections.abc import Mapping, Sequence

from rulings.graph.records import Alike
from rulings.ingest import Corpus, fold
from rulings.search.documents import card_document
from rulings.search.training_data import TrainingQuestion

_LIKENESS = 0.3
"""Cards less alike than this may not share the ruling."""
_MOST = 8
MOST_CARDS = 4
"""A ruling on more cards is not about what just these do."""


def _short(name: str) -> str:
    """Return a name as players write it: the first face, without what comes after the comma."""
    return name.split(" // ", maxsplit=1)[0].split(",", maxsplit=1)[0]


def swapped_questions(
    corpus: Corpus, questions: Sequence[TrainingQuestion], works_like: Mapping[str, Sequence[Alike]]
) -> list[tuple[str, ...]]:
    """Ask each question about cards that work like the one it names.

    The answer stays: a ruling often settles the question for a card that it isn't published on.

    Args:
        corpus: cards and statements.
        questions: questions in any language.
        works_like: for each oracle id the cards most alike, best first.

    Returns:
        For each question up to eight others, none where it doesn't write out the name of a card that its ruling is on.
    """
    statements = list(corpus.statements.values())
    result = []
    for question in questions:
        text = fold(question.text)
        variants: list[str] = []
        for oracle_id in statements[question.answer].oracle_ids[:50]:
            name = fold(corpus.cards[oracle_id].name)
            found = next((part for part in (name, _short(name)) if part in text), None)
            if found is None or len(found) < 4:
                continue
            for alike in works_like.get(oracle_id, ()):
                if alike.score >= _LIKENESS and len(variants) < _MOST:
                    other = fold(corpus.cards[alike.oracle_id].name)
                    variants.append(text.replace(found, other.split(" // ")[0] if found == name else _short(other)))
            break
        result.append(tuple(variants))
    return result


def card_pairs(corpus: Corpus, most_cards: int = MOST_CARDS) -> list[tuple[str, str, int]]:
    """Pair each card's text with each ruling that is published on few cards, and thus is about just what they do.

    Args:
        corpus: cards and statements.
        most_cards: rulings on more cards are left out.

    Returns:
        Oracle ids, card documents and rows of statements.
    """
    pairs = []
    for row, statement in enumerate(corpus.statements.values()):
        if len(ids := statement.oracle_ids) <= most_cards:
            pairs += [(i, card_document(corpus.cards[i]), row) for i in ids[:1] if corpus.cards[i].text]
    return pairs
