"""Rulings that a later ruling on the same card replaces."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from rapidfuzz.distance import Indel

from rulings.graph.records import Outdating
from rulings.graph.restate_guards import Fingerprint, Guards
from rulings.graph.restatement_text import mask_own, normal_form, proper_words
from rulings.ingest import Corpus, PublishedRuling

METHOD = "replaced"
_LEAST_ALIKE = 0.85
"""How much of a later ruling on the same card must be the same words, where the two aren't in one group."""


def replaced(corpus: Corpus, groups: Sequence[Sequence[str]]) -> dict[str, Outdating]:
    """Find statements that on every card they stand on were later published anew, in other words.

    The later ruling is of the same group, or nearly the same but for a number, a word or an added sentence. The
    reason names its day and card.
    """
    group_of = {key: i for i, group in enumerate(groups) for key in group}
    prints = _Prints(corpus)
    later: dict[str, dict[str, tuple[PublishedRuling, float]]] = defaultdict(dict)
    by_card: dict[str, list[PublishedRuling]] = defaultdict(list)
    for ruling in corpus.rulings:
        by_card[ruling.oracle_id].append(ruling)
    for oracle_id, rulings in by_card.items():
        for old, new, score in _pairs(rulings, group_of, prints):
            known = later[old.key].get(oracle_id)
            if known is None or known[1] < score:
                later[old.key][oracle_id] = new, score
    found = {}
    for key, by_card_found in later.items():
        statement = corpus.statements[key]
        if set(statement.oracle_ids) <= by_card_found.keys():
            new, score = by_card_found[statement.oracle_ids[0]]
            card = corpus.cards[new.oracle_id].name
            reason = f"replaced by a ruling of {new.published.isoformat()} on {card}"
            found[key] = Outdating(reason, METHOD, round(score, 3), replaced_by=new.key)
    return found


def _pairs(
    rulings: list[PublishedRuling], group_of: Mapping[str, int], prints: "_Prints"
) -> Iterator[tuple[PublishedRuling, PublishedRuling, float]]:
    """Pairs of an older and a later ruling of one card where the later one says the same thing or puts it right."""
    days = {ruling.key: ruling.published for ruling in sorted(rulings, key=lambda r: r.published)}
    newest = [ruling for ruling in rulings if ruling.published == days[ruling.key]]
    for old in newest:
        for new in newest:
            if new.published <= old.published or new.key == old.key:
                continue
            if old.key in group_of and group_of[old.key] == group_of.get(new.key):
                yield old, new, 0.9
            elif prints.may_be_alike(old.key, new.key):
                first, second = prints[old.key], prints[new.key]
                alike = Indel.normalized_similarity(first.stems, second.stems, score_cutoff=_LEAST_ALIKE)
                if alike:
                    yield old, new, alike * 0.9


class _Prints:
    """Fingerprints of statements, made when first asked for."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus, self._guards = corpus, Guards(corpus.newest)
        self._made: dict[str, Fingerprint] = {}
        self._words: dict[str, frozenset[str]] = {}

    def may_be_alike(self, first: str, second: str) -> bool:
        """Whether two statements share enough words to be compared closely."""
        one, two = self._words_of(first), self._words_of(second)
        return len(one & two) >= 0.6 * max(len(one), len(two))

    def _words_of(self, key: str) -> frozenset[str]:
        if key not in self._words:
            self._words[key] = frozenset(self._corpus.statements[key].text.lower().split())
        return self._words[key]

    def __getitem__(self, key: str) -> Fingerprint:
        if key not in self._made:
            masked = mask_own(self._corpus.statements[key], self._corpus)
            form = normal_form(masked)
            self._made[key] = self._guards.fingerprint(form.modern, form.sentences, proper_words(masked))
        return self._made[key]
