"""From a read question to ranked statements: scores, candidates, signals, ranker, and one result a group."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.candidates import ByWords, Scores, scored_candidates
from rulings.search.index import Index
from rulings.search.question import Understood
from rulings.search.ranker import Ranker
from rulings.search.signals import signals

Floats = NDArray[Any]  # float32; numpy types mixed arithmetic wider than it is


@dataclass(frozen=True, slots=True)
class Ranked:
    """Statements in ranked order with the ranker's ``values`` (falling). ``scores`` are those of all statements."""

    rows: NDArray[np.intp]
    values: Floats
    scores: Scores


def rank(
    index: Index,
    read: Understood,
    vector: Floats,
    ranker: Ranker,
    words: ByWords | None = None,
    every: Floats | None = None,
) -> Ranked:
    """Rank the candidates for a question; ties by key, so that the same index and question give the same order.

    ``words`` and ``every`` are what `score_all` takes.
    """
    rows, scores = scored_candidates(index, read, vector, words, every)
    table = signals(index, read, scores, rows)
    values = ranker.scores(table)
    order = np.lexsort((rows, -values))  # positions follow the keys
    return Ranked(rows[order], values[order], scores)


def one_a_group(index: Index, ranked: Ranked, count: int) -> list[tuple[int, float, list[int]]]:
    """The first ``count`` groups: the member shown, its value, and the other members, best ranked first.

    Shown is the best ranked member, unless it is outdated and another isn't.
    """
    place = {row: n for n, row in enumerate(ranked.rows.tolist())}
    seen: set[int] = set()
    found: list[tuple[int, float, list[int]]] = []
    for row, value in zip(ranked.rows.tolist(), ranked.values.tolist(), strict=True):
        group = int(index.group[row])
        if group in seen:
            continue
        seen.add(group)
        members = sorted(index.members(row).tolist(), key=lambda m: (place.get(m, len(place)), m))
        shown = next((m for m in members if not index.outdated[m]), members[0])
        found.append((shown, value, [m for m in members if m != shown]))
        if len(found) == count:
            break
    return found
