"""The encoder's interface, and how one is opened by name."""

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

_LOG = logging.getLogger(__name__)
Vectors = NDArray[np.float32]
Progress = Callable[[int], None]
"""Called with the number of texts that were just done."""


class Encoder(Protocol):
    """Turns texts into unit vectors. A text's vector doesn't depend on the texts beside it."""

    @property
    def name(self) -> str:
        """The name to open it by again."""

    @property
    def dimensions(self) -> int:
        """The length of a vector."""

    @property
    def fingerprint(self) -> str:
        """A digest of the weights and of all settings that change vectors."""

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Return float32 unit rows (texts x dimensions) for documents, in order."""

    def encode_question(self, text: str) -> Vectors:
        """Return the float32 unit vector (dimensions) of a question."""

    def encode_questions(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of several questions, a row each, the same to the bit as one by one."""


def open_encoder(name: str | None = None, cache: Path | None = None, threads: int | None = None) -> Encoder:
    """Open an encoder.

    Args:
        name: a folder or hub name of a sentence-transformers model, or None for the default: the packaged MiniLM
            weights, tuned to rulings. A BERT-like folder, or one with ``onnx/model.onnx``, runs without PyTorch.
        cache: a folder for written ONNX graphs. None, or a folder that can't be written: they are kept in memory.
        threads: how many to compute with; None: as many as there are cores.

    Raises:
        ModelError: there is no such model, it can't be loaded, or what it needs isn't installed.
    """
    from rulings.search.onnx_encoder import open_onnx

    start = time.perf_counter()
    encoder: Encoder | None = open_onnx(name, cache, threads)
    if encoder is None:
        from rulings.search.st_encoder import SentenceTransformersEncoder

        encoder = SentenceTransformersEncoder(str(name), threads)
    _LOG.info("opened encoder %s, %s, in %.2f s", encoder.name, encoder.fingerprint[:16], time.perf_counter() - start)
    return encoder
