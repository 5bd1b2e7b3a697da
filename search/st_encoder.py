"""Encodes texts with any sentence-transformers model (an extra; PyTorch is imported when one is opened)."""

import hashlib
from collections.abc import Sequence

import numpy as np

from rulings.search.encoder import Progress, Vectors
from rulings.search.errors import ModelError

_BATCH = 32


class SentenceTransformersEncoder:
    """A model of the hub or of a folder, in float32."""

    def __init__(self, name: str, threads: int | None = None) -> None:
        """Load the model.

        Args:
            name: a hub name or folder.
            threads: how many to compute with.

        Raises:
            ModelError: sentence-transformers isn't installed, or has no such model.
        """
        try:
            import torch
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise ModelError(f"model {name!r} needs PyTorch; pip install 'rulings-graph[models]'") from error
        if threads:
            torch.set_num_threads(threads)
        try:
            self.model = SentenceTransformer(name, device="cpu")
        except Exception as error:
            line = str(error).strip().partition("\n")[0]
            raise ModelError(f"model {name!r} can't be loaded ({line}); check the name, or give a folder") from error
        self.name = name
        self.dimensions = int(self.model.get_embedding_dimension() or 0)
        prompts = getattr(self.model, "prompts", None) or {}
        self._question_prompt = next((k for k in ("query",) if prompts.get(k)), None)
        self._document_prompt = next((k for k in ("passage", "document") if prompts.get(k)), None)
        total = hashlib.sha256(repr((self.model.max_seq_length, sorted(prompts.items()))).encode())
        for key, tensor in sorted(self.model.state_dict().items()):
            total.update(key.encode())
            total.update(tensor.detach().contiguous().view(torch.uint8).numpy().tobytes() if tensor.ndim else b"")
        self.fingerprint = total.hexdigest()

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Return float32 unit rows (texts x dimensions) for documents, in order."""
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        for start in range(0, len(order), _BATCH):
            rows = order[start : start + _BATCH]
            vectors[rows] = self._encode([texts[i] for i in rows], self._document_prompt)
            if progress:
                progress(len(rows))
        return vectors

    def encode_question(self, text: str) -> Vectors:
        """Return the float32 unit vector (dimensions) of a question."""
        vector: Vectors = self._encode([text], self._question_prompt)[0]
        return vector

    def encode_questions(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of several questions, a row each: one by one, for together they'd differ a little."""
        return np.array([self.encode_question(text) for text in texts], np.float32).reshape(-1, self.dimensions)

    def _encode(self, texts: list[str], prompt: str | None) -> Vectors:
        found = self.model.encode(
            texts, batch_size=_BATCH, prompt_name=prompt, normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(found, np.float32)
