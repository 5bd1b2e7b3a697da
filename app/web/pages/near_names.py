"""The names that someone may have meant."""

from functools import lru_cache

from rapidfuzz import fuzz, process

from rulings.app.web.serving import Served
from rulings.ingest import fold_name
from rulings.search.generation import Generation

MOST = 4
_ALIKE = 65


def near(served: Served, name: str) -> tuple[str, ...]:
    """Up to `MOST` names of cards and concepts like this one, the likest first."""
    names = _names(served.generation)
    folded = fold_name(name)[:100]
    if not folded:
        return ()
    found = process.extract(folded, names.keys(), scorer=fuzz.ratio, limit=MOST, score_cutoff=_ALIKE)
    return tuple(dict.fromkeys(names[each] for each, *_ in found))


@lru_cache(maxsize=1)
def _names(generation: Generation) -> dict[str, str]:
    """English names of cards and labels of concepts, by their folded forms."""
    names = dict(generation.analyses.labels())
    return names | {folded: n.name for folded, n in generation.archive.all_names() if n.language == "en"}
