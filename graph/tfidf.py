"""Sparse tf-idf and BM25 rows of tokenised texts, and nearest neighbours by cosine."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Matrix = Any  # scipy's sparse arrays carry no types


class Tfidf:
    """Weights learned from a set of documents: log-damped counts times smoothed idf, rows of unit length.

    Args:
        documents: Each a sequence of tokens.
        rarest: Tokens in fewer documents than this are left out.
        commonest: Tokens in more than this share of the documents are left out.
    """

    def __init__(self, documents: Sequence[Sequence[str]], rarest: int = 1, commonest: float = 1.0) -> None:
        seen: dict[str, int] = {}
        for tokens in documents:
            for token in set(tokens):
                seen[token] = seen.get(token, 0) + 1
        most = max(1.0, commonest * len(documents))
        kept = sorted(token for token, n in seen.items() if rarest <= n <= most)
        self.columns = {token: i for i, token in enumerate(kept)}
        counts = np.array([seen[token] for token in kept], dtype=np.float32)
        self.idf: NDArray[np.float32] = (np.log((1 + len(documents)) / (1 + counts)) + 1).astype(np.float32)
        self.rows = self.transform(documents)

    def transform(self, documents: Iterable[Sequence[str]]) -> Matrix:
        """Give the unit rows (CSR, float32) of documents; tokens not learned are passed over."""
        matrix = _counted(documents, self.columns)
        matrix.data = (1 + np.log(matrix.data)) * self.idf[matrix.indices]
        lengths = np.sqrt(matrix.multiply(matrix).sum(axis=1)).A1
        scale = sparse.diags(1 / np.maximum(lengths, 1e-9))
        return (scale @ matrix).astype(np.float32).tocsr()


def _counted(documents: Iterable[Sequence[str]], columns: Mapping[str, int]) -> Matrix:
    """How often each document has each known token (CSR, float32)."""
    indices: list[int] = []
    starts = [0]
    for tokens in documents:
        indices += [column for token in tokens if (column := columns.get(token)) is not None]
        starts.append(len(indices))
    ones = np.ones(len(indices), dtype=np.float32)
    matrix = sparse.csr_matrix((ones, indices, starts), shape=(len(starts) - 1, len(columns)))
    matrix.sum_duplicates()
    return matrix


def nearest(
    queries: Matrix, targets: Matrix, count: int, least: float, block: int = 512
) -> Iterator[tuple[int, int, float]]:
    """Yield (query row, target row, cosine) of the ``count`` nearest targets of each query, those of ``least`` or more.

    Memory is bounded by ``block`` query rows at a time.
    """
    for row, columns, values in nearest_rows(queries, targets, count, least, block):
        yield from ((row, column, value) for column, value in zip(columns.tolist(), values.tolist(), strict=True))


def nearest_rows(
    queries: Matrix, targets: Matrix, count: int, least: float, block: int = 512
) -> Iterator[tuple[int, NDArray[np.int32], NDArray[np.float32]]]:
    """The same as `nearest`, a row at a time: the query's row, the targets' rows, their cosines, best first."""
    turned = targets.T.tocsr()
    for start in range(0, queries.shape[0], block):
        product = (queries[start : start + block] @ turned).tocsr()
        for row in range(product.shape[0]):
            span = slice(product.indptr[row], product.indptr[row + 1])
            values, columns = product.data[span], product.indices[span]
            if len(values) > count:
                best = np.argpartition(-values, count - 1)[:count]
                values, columns = values[best], columns[best]
            order = np.lexsort((columns, -values))
            order = order[values[order] >= least]
            yield start + row, columns[order], values[order]


def shingled(tokens: Sequence[str], size: int = 2, joined: Callable[[Sequence[str]], str] = " ".join) -> list[str]:
    """Give the tokens followed by their runs of ``size``."""
    return [*tokens, *(joined(tokens[i : i + size]) for i in range(len(tokens) - size + 1))]


class Bm25:
    """BM25 weights of a set of documents; ``scores`` compares queries with all of them at once."""

    def __init__(self, documents: Sequence[Sequence[str]], k1: float = 1.2, b: float = 0.5) -> None:
        seen: dict[str, int] = {}
        for tokens in documents:
            for token in set(tokens):
                seen[token] = seen.get(token, 0) + 1
        self.columns = {token: i for i, token in enumerate(sorted(seen))}
        counts = np.array([seen[token] for token in self.columns], dtype=np.float32)
        idf = np.log(1 + (len(documents) - counts + 0.5) / (counts + 0.5))
        matrix = _counted(documents, self.columns)
        lengths = np.array([len(tokens) for tokens in documents], dtype=np.float32)
        damping = k1 * (1 - b + b * lengths / max(1.0, float(lengths.mean()) if len(lengths) else 1.0))
        rows = np.repeat(np.arange(len(documents)), np.diff(matrix.indptr))
        matrix.data = idf[matrix.indices] * matrix.data * (k1 + 1) / (matrix.data + damping[rows])
        self._turned = matrix.T.tocsr()

    def scores(self, queries: Sequence[Sequence[str]]) -> NDArray[np.float32]:
        """Give an array (queries, documents) of scores; each token of a query counts once."""
        known = self.columns
        return self.column_scores([list(dict.fromkeys(known[t] for t in query if t in known)) for query in queries])

    def column_scores(self, queries: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """The same for queries whose tokens are given by their ``columns``, without repeats."""
        starts = np.cumsum([0, *(len(query) for query in queries)])
        columns = np.fromiter((column for query in queries for column in query), np.int32, int(starts[-1]))
        ones = np.ones(len(columns), dtype=np.float32)
        asked = sparse.csr_matrix((ones, columns, starts), shape=(len(queries), len(self.columns)))
        asked.sort_indices()
        return np.asarray((asked @ self._turned).toarray(), dtype=np.float32)
