"""In how many texts each word stands that isn't part of a name: it tells words from misspelt names."""

import re
from collections import Counter
from pathlib import Path

import msgspec

from rulings.ingest import Corpus
from rulings.search.words import split_words

FILE = "card_words.msgpack"
"""Counts of the words of cards as printed: a part of an index that depends on cards and printed names alone."""
_LOWER_WORD = re.compile(r"(?<![\w'’])[^\W\d_A-ZÄÖÜ][^\W\d_]*")
_ANY_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def plain_counts(folder: Path, corpus: Corpus) -> Counter[str]:
    """Count the words of statements and cards; those of cards come from `FILE` in ``folder``, written where missing.

    Written small a word counts as plain in English; German and French card texts count each word that isn't in the
    card's own name.
    """
    if (folder / FILE).exists():
        raw = Counter(msgspec.msgpack.decode((folder / FILE).read_bytes(), type=dict[str, int]))
    else:
        raw = _card_words(corpus)
        (folder / FILE).write_bytes(msgspec.msgpack.encode(dict(sorted(raw.items()))))
    for statement in corpus.statements.values():
        raw.update(set(_LOWER_WORD.findall(statement.text)))
    counts: Counter[str] = Counter()
    for word, count in raw.items():
        for part in split_words(word):
            counts[part] += count
    return counts


def _card_words(corpus: Corpus) -> Counter[str]:
    raw: Counter[str] = Counter()
    for card in corpus.cards.values():
        raw.update(set(_LOWER_WORD.findall(card.text)))
    for printings in corpus.printings.values():
        texts = {p.language: p.printed_text.replace(p.printed_name, " ") for p in printings if p.printed_text}
        raw.update({word for text in texts.values() for word in _ANY_WORD.findall(text)})
    return raw
