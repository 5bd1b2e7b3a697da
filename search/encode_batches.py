"""Encodes texts in batches, on whatever batches are run on; the vectors are the same to the bit."""

from collections.abc import Sequence

import numpy as np

from rulings.graph.runner import Runner, Shared
from rulings.search.encoder import Encoder, Progress, Vectors, open_encoder
from rulings.search.errors import ModelError

BATCH = 256
"""Texts in a batch; texts of like length stand together, which is quicker to encode."""


def encode_batches(encoder: Encoder, texts: Sequence[str], runner: Runner, progress: Progress | None = None) -> Vectors:
    """Encode documents on workers that open the same encoder, each with one thread.

    Args:
        encoder: opened by its name on each worker.
        texts: documents.
        runner: runs the batches.
        progress: called with the number of documents just done.

    Returns:
        Float32 unit rows (texts x dimensions), in order.

    Raises:
        ModelError: a worker has no such encoder, or another one of the same name.
    """
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    batches = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
    shared = Shared(_opened, (encoder.name, encoder.fingerprint))
    vectors = np.empty((len(texts), encoder.dimensions), np.float32)
    found = runner.map(encode, ([texts[i] for i in rows] for rows in batches), shared)
    for rows, part in zip(batches, found, strict=True):
        vectors[rows] = part
        if progress:
            progress(len(rows))
    return vectors


def encode(batch: Sequence[str], encoder: Encoder) -> Vectors:
    """Encode a batch of documents."""
    return encoder.encode(batch)


def _opened(given: tuple[str, str]) -> Encoder:
    name, fingerprint = given
    encoder = open_encoder(name, threads=1)
    if encoder.fingerprint != fingerprint:
        raise ModelError(f"model {name!r} is another one on this worker; put the same files there")
    return encoder
