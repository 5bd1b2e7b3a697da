"""Keeps the vectors of texts that were encoded before, so that only new texts are encoded."""

import hashlib
import io
import logging
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rulings.graph.runner import Runner
from rulings.search.encode_batches import encode_batches
from rulings.search.encoder import Encoder, Progress, Vectors
from rulings.search.hold import in_one_step

_LOG = logging.getLogger(__name__)
_DIGEST = hashlib.sha256().digest_size
_PIECE = 8 << 20
"""Bytes hashed at once."""


class VectorCache:
    """Vectors on disk by encoder and exact text.

    One ``.npy`` file an encoder, named by its fingerprint, of records (sha1 of the text, float32 vector), with the
    sha256 of all that after it. It is replaced in one step, so that neither a reader nor a crash meets half of one; a
    damaged one counts as empty. One of a version that wrote no hash is given one if all its rows are unit vectors,
    which is all that can be known of it.
    """

    def __init__(self, folder: Path) -> None:
        """Keep vectors in ``folder``, which is made when first needed."""
        self.folder = folder

    def read(self, encoder: Encoder) -> NDArray[np.void]:
        """Return the records kept for an encoder: fields ``text`` (sha1) and ``vector``, in the order they came."""
        kind = _record(encoder)
        place = self._place(encoder)
        with suppress(FileNotFoundError):
            try:
                whole = _whole(place)
                records: NDArray[np.void] = np.load(place, mmap_mode="r", allow_pickle=False)
                if records.dtype == kind and records.ndim == 1:
                    if whole:
                        return records
                    if _without_hash(place, records) and _unit(records["vector"]):
                        _LOG.warning("%s: it had no hash; its rows are unit vectors, so it is taken", place)
                        self._write(encoder, np.array(records))
                        return records
            except FileNotFoundError:
                raise
            except Exception as error:  # noqa: BLE001 - numpy raises many kinds for a damaged head
                _LOG.info("%s: %s", place, error)
            _LOG.warning("%s: damaged, so its vectors are worked out again", place)
        return np.empty(0, kind)

    def add(self, encoder: Encoder, texts: Sequence[bytes], vectors: Vectors) -> None:
        """Add vectors of texts (sha1s) that aren't kept yet. A full disk or a read-only folder is let pass."""
        new = np.empty(len(texts), _record(encoder))
        new["text"], new["vector"] = np.frombuffer(b"".join(texts), "V20"), vectors
        self._write(encoder, np.concatenate([self.read(encoder), new]))

    def _write(self, encoder: Encoder, records: NDArray[np.void]) -> None:
        head = io.BytesIO()
        np.lib.format.write_array_header_1_0(head, np.lib.format.header_data_from_array_1_0(records))
        parts = head.getbuffer(), records.view(np.uint8).data
        found = hashlib.sha256()
        with suppress(OSError), in_one_step(self._place(encoder)) as file:
            for part in parts:
                found.update(part)
                file.write(part)
            file.write(found.digest())

    def _place(self, encoder: Encoder) -> Path:
        return self.folder / f"vectors-{encoder.fingerprint[:16]}.npy"


def _whole(place: Path) -> bool:
    """Whether a file ends with the hash of all before it."""
    found, left = hashlib.sha256(), place.stat().st_size - _DIGEST
    with place.open("rb") as file:
        while left > 0 and (piece := file.read(min(_PIECE, left))):
            found.update(piece)
            left -= len(piece)
        return left == 0 and file.read() == found.digest()


def _without_hash(place: Path, records: NDArray[np.void]) -> bool:
    """Whether a file ends with its last record."""
    return isinstance(records, np.memmap) and place.stat().st_size == records.offset + records.nbytes


def _unit(vectors: Vectors) -> bool:
    """Whether all rows have the length of one."""
    lengths = np.einsum("ij,ij->i", vectors, vectors)
    return bool(np.all(np.abs(lengths - 1) < 2e-3))  # of squares; not so where one is not finite


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
