"""The text of a statement, card or rule as an encoder sees it."""

import re

from rulings.ingest import Card, Corpus, Statement

_HEADING = re.compile(
    r"\s*-{3,}.*-{3,}\s*|For more information (?:on|about) .*|This is the timeshifted version of .*|[^.!?]*:\s*",
    re.DOTALL,
)


def statement_document(corpus: Corpus, statement: Statement) -> str:
    """Return a statement's document: the name of the card it was last published on, a colon, its text."""
    ids = statement.oracle_ids
    return f"{corpus.cards[ids[0]].name}: {statement.text}" if ids and ids[0] in corpus.cards else statement.text


def statement_documents(corpus: Corpus) -> list[str]:
    """Return the documents of all statements, in the order of ``corpus.statements``."""
    return [statement_document(corpus, statement) for statement in corpus.statements.values()]


def is_heading(text: str) -> bool:
    """Whether a statement answers nothing itself: a heading, or only a pointer to an article or a card."""
    return _HEADING.fullmatch(text) is not None


def card_document(card: Card) -> str:
    """Return a card's document: its name, a colon, its rules text in one line."""
    return f"{card.name}: {' '.join(card.text.split())}"


def rule_documents(corpus: Corpus) -> list[str]:
    """Return the documents of all rules of the newest edition, in book order: chapter title, colon, text."""
    newest = corpus.newest
    if newest is None:
        return []
    titles = {number: rule.text for number, rule in newest.rules.items() if rule.is_heading}
    return [
        f"{titles[number[:3]]}: {rule.text}" if not rule.is_heading and number[:3] in titles else rule.text
        for number, rule in newest.rules.items()
    ]
