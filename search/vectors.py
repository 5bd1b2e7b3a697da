"""Keeps the vectors of texts that were encoded before, so that only new texts are encoded."""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rulings.graph.runner import Runner
from rulings.search.encode_batches import encode_batches
from rulings.search.encoder import Encoder, Progress, Vectors
from rulings.search.hold import in_one_step


class VectorCache:
    """Vectors on disk by encoder and exact text.

    One ``.npy`` file an encoder, named by its fingerprint, of records (sha1 of the text, float32 vector). It is
    replaced in one step, so that neither a reader nor a crash meets half of one; a damaged one counts as empty.
    """

    def __init__(self, folder: Path) -> None:
        """Keep vectors in ``folder``, which is made when first needed."""
        self.folder = folder

    def read(self, encoder: Encoder) -> NDArray[np.void]:
        """Return the records kept for an encoder: fields ``text`` (sha1) and ``vector``, in the order they came."""
        kind = _record(encoder)
        with suppress(OSError, ValueError, EOFError):
            records: NDArray[np.void] = np.load(self._place(encoder), mmap_mode="r", allow_pickle=False)
            if records.dtype == kind and records.ndim == 1:
                return records
        return np.empty(0, kind)

    def add(self, encoder: Encoder, texts: Sequence[bytes], vectors: Vectors) -> None:
        """Add vectors of texts (sha1s) that aren't kept yet. A full disk or a read-only folder is let pass."""
        new = np.empty(len(texts), _record(encoder))
        new["text"], new["vector"] = np.frombuffer(b"".join(texts), "V20"), vectors
        with suppress(OSError), in_one_step(self._place(encoder)) as file:
            np.save(file, np.concatenate([self.read(encoder), new]), allow_pickle=False)

    def _place(self, encoder: Encoder) -> Path:
        return self.folder / f"vectors-{encoder.fingerprint[:16]}.npy"


def _record(encoder: Encoder) -> np.dtype[np.void]:
    return np.dtype([("text", "V20"), ("vector", "<f4", (encoder.dimensions,))])


def embed(
    encoder: Encoder,
    texts: Sequence[str],
    cache: VectorCache | None = None,
    progress: Progress | None = None,
    runner: Runner | None = None,
) -> Vectors:
    """Encode documents, each distinct text once, and only those that the cache lacks.

    Args:
        encoder: what to encode with.
        texts: documents; repeats are allowed.
        cache: known vectors; new ones are added to it.
        progress: called with the number of documents just done, known ones first.
        runner: runs the encoding elsewhere; None: it is done here.

    Returns:
        Float32 unit rows (texts x dimensions), in order.
    """
    digests = [hashlib.sha1(text.encode(), usedforsecurity=False).digest() for text in texts]
    result = np.empty((len(texts), encoder.dimensions), np.float32)
    kept = cache.read(encoder) if cache else np.empty(0, _record(encoder))
    row = {digest: i for i, digest in enumerate(kept["text"].tolist())}
    known = [i for i, digest in enumerate(digests) if digest in row]
    result[known] = kept["vector"][[row[digests[i]] for i in known]]
    if progress and known:
        progress(len(known))
    new = {digest: texts[i] for i, digest in enumerate(digests) if digest not in row}
    if new:
        left_texts = list(new.values())
        vectors = (
            encode_batches(encoder, left_texts, runner, progress) if runner else encoder.encode(left_texts, progress)
        )
        place = {digest: i for i, digest in enumerate(new)}
        left = [i for i, digest in enumerate(digests) if digest in place]
        result[left] = vectors[[place[digests[i]] for i in left]]
        if cache:
            cache.add(encoder, list(new), vectors)
    return result
