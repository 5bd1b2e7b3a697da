"""What a result shows of a statement and of a rule, laid out so that a row is read from disk and nothing else."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rulings.graph.records import Analysis, Derived
from rulings.ingest import Corpus
from rulings.ingest.corpus import PublishedRuling
from rulings.search.arrays import mapped

RULES = 3
"""How many of the rules that a statement rests on are kept, best first."""


class Texts:
    """Texts on disk by position: their UTF-8 one after the other, and where each begins."""

    def __init__(self, folder: Path, name: str) -> None:
        self._starts: NDArray[np.int64] = mapped(folder / f"{name}.starts.npy")
        self._bytes: NDArray[np.uint8] = mapped(folder / f"{name}.npy")

    def __getitem__(self, place: int) -> str:
        return self._bytes[self._starts[place] : self._starts[place + 1]].tobytes().decode()


class Lists:
    """Lists of whole numbers on disk by position."""

    def __init__(self, folder: Path, name: str) -> None:
        self._starts: NDArray[np.int64] = mapped(folder / f"{name}.starts.npy")
        self._values: NDArray[np.int32] = mapped(folder / f"{name}.npy")

    def __getitem__(self, place: int) -> NDArray[np.int32]:
        return self._values[self._starts[place] : self._starts[place + 1]]


class Showing:
    """What there is to show. Positions of statements, cards, concepts and rules are those of the index beside it.

    ``texts`` and ``rule_texts`` are as published. ``cards`` holds the cards of a statement in the order of its rulings,
    the newest first, ``days`` the day of the newest ruling on each (proleptic ordinal). ``clarified`` and ``mentioned``
    hold its concepts and ``rules`` the rules it rests on, the best `RULES`, each in the order of its analysis.
    """

    def __init__(self, folder: Path) -> None:
        """Open what `write_showing` wrote into the index's folder."""
        folder = folder / "showing"
        self.texts, self.rule_texts = Texts(folder, "texts"), Texts(folder, "rule_texts")
        self.cards, self.days = Lists(folder, "cards"), Lists(folder, "days")
        self.clarified, self.mentioned = Lists(folder, "clarified"), Lists(folder, "mentioned")
        self.rules = Lists(folder, "rules")


def write_showing(folder: Path, corpus: Corpus, derived: Derived, slugs: Mapping[str, int]) -> None:
    """Write it for all statements and for the rules of the newest edition; ``slugs`` are the positions of concepts."""
    folder = folder / "showing"
    folder.mkdir()
    newest = corpus.newest
    numbers = {number: n for n, number in enumerate(newest.rules if newest else ())}
    place = {oracle_id: n for n, oracle_id in enumerate(corpus.cards)}
    analyses = [derived.analyses.get(key, Analysis(key)) for key in corpus.statements]
    statements = corpus.statements.values()
    days = [_newest_days(statement.rulings) for statement in statements]
    _write_texts(folder, "texts", [statement.text for statement in statements])
    _write_texts(folder, "rule_texts", [rule.text for rule in newest.rules.values()] if newest else [])
    _write_lists(folder, "cards", [[place[oracle_id] for oracle_id in found] for found in days])
    _write_lists(folder, "days", [list(found.values()) for found in days])
    _write_lists(folder, "clarified", [_places((c.concept for c in a.clarifies), slugs) for a in analyses])
    _write_lists(folder, "mentioned", [_places((m.concept for m in a.mentions_concepts), slugs) for a in analyses])
    _write_lists(folder, "rules", [_places((r.number for r in a.rules), numbers)[:RULES] for a in analyses])


def _newest_days(rulings: Iterable[PublishedRuling]) -> dict[str, int]:
    newest: dict[str, int] = {}
    for ruling in rulings:
        day = ruling.published.toordinal()
        newest[ruling.oracle_id] = max(newest.get(ruling.oracle_id, day), day)
    return newest


def _places(names: Iterable[str], known: Mapping[str, int]) -> list[int]:
    return [known[name] for name in dict.fromkeys(names) if name in known]


def _write_texts(folder: Path, name: str, texts: Sequence[str]) -> None:
    coded = [text.encode() for text in texts]
    np.save(folder / f"{name}.starts.npy", np.cumsum([0, *map(len, coded)], dtype=np.int64))
    np.save(folder / f"{name}.npy", np.frombuffer(b"".join(coded), np.uint8))


def _write_lists(folder: Path, name: str, lists: Sequence[Sequence[int]]) -> None:
    np.save(folder / f"{name}.starts.npy", np.cumsum([0, *map(len, lists)], dtype=np.int64))
    np.save(folder / f"{name}.npy", np.array([value for one in lists for value in one], np.int32))
