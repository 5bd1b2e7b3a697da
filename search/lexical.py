"""The lexical index: BM25 over words, kept on disk and memory-mapped."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def write_lexical(folder: Path, documents: Iterable[Sequence[str]]) -> None:
    """Write an index of documents, each given as its terms, into the new folder ``folder``.

    The same documents give the same files.
    """
    import bm25s

    terms = [list(document) or ["-"] for document in documents] or [["-"]]
    # the library numbers terms as a set gives them, in another order in each process
    numbers = {term: n for n, term in enumerate(sorted({term for document in terms for term in document}))}
    index = bm25s.BM25(k1=1.2, b=0.6)
    index.index(([[numbers[term] for term in document] for document in terms], numbers), show_progress=False)
    index.save(str(folder), show_progress=False)


class LexicalIndex:
    """A written index; scores all documents against a question's terms."""

    def __init__(self, folder: Path) -> None:
        import bm25s  # takes longer to import than a question to answer

        self._index = bm25s.BM25.load(str(folder), mmap=True, load_corpus=False, show_progress=False)
        self._known = self._index.vocab_dict
        held = self._index.scores
        # slices of a plain array cost a tenth of those of `numpy.memmap`
        held.update({name: held[name].view(np.ndarray) for name in ("data", "indices", "indptr")})
        self.size = int(self._index.scores["num_docs"])

    def __contains__(self, term: str) -> bool:
        return term in self._known

    def scores(self, terms: Iterable[str]) -> NDArray[np.float32]:
        """BM25 of every document, in their order; zeros where no term is known."""
        known = [term for term in dict.fromkeys(terms) if term in self._known]
        if not known:
            return np.zeros(self.size, np.float32)
        scores: NDArray[np.float32] = self._index.get_scores(known).astype(np.float32)
        return scores
