"""What a statement has in common with the rules by its words: tokens of theirs, and turns of phrase that apply one."""

import re
from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from rulings.graph.restatement_text import levelled, mask_own
from rulings.graph.rule_cues import CueFinder, read_cues
from rulings.graph.rule_editions import RuleHistory
from rulings.graph.stems import stem, words
from rulings.graph.tfidf import Bm25, shingled
from rulings.ingest import Corpus, Edition, Statement, fold

_WORD = re.compile(r"[a-z][a-z'-]*|\{[^}]*\}|\d+")
_STOP = words("stop")


class RuleWords(msgspec.Struct, frozen=True, array_like=True):
    """What the words of a statement have in common with the rules.

    ``columns`` are the places of its tokens among those of the rules, without repeats; ``cues`` the places of its turns
    of phrase among those of the edition, each with the words that it was found by.
    """

    columns: tuple[int, ...] = ()
    cues: tuple[tuple[int, str], ...] = ()


class RuleReader:
    """Reads statements beside the rules of an edition, one statement at a time."""

    def __init__(self, corpus: Corpus, edition: Edition, history: RuleHistory | None = None) -> None:
        self._corpus = corpus
        self._bm25 = Bm25([_tokens(" ".join((rule.text, *rule.examples))) for rule in edition.rules.values()])
        self.cues = read_cues(edition, history)
        self._finder = CueFinder(self.cues)

    def read(self, statement: Statement) -> RuleWords:
        """Find what a statement has in common with the rules."""
        text = levelled(mask_own(statement, self._corpus))
        known = self._bm25.columns
        columns = dict.fromkeys(known[token] for token in _tokens(text) if token in known)
        return RuleWords(tuple(columns), tuple((i, match[0]) for i, match in self._finder.find(text)))

    def scores(self, queries: Sequence[RuleWords]) -> NDArray[np.float32]:
        """BM25 of each statement with each rule (statements, rules)."""
        return self._bm25.column_scores([query.columns for query in queries])


def _tokens(text: str) -> list[str]:
    words = (stem(word.strip("'-").removesuffix("'s")) for word in _WORD.findall(fold(text).lower()))
    return shingled([word for word in words if word and word not in _STOP])
