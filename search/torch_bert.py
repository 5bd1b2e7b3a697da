"""A BERT encoder in PyTorch made for training on a CPU: no padding, bfloat16 products, float32 weights."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.onnx_graph import BertShape
from rulings.search.weights import Tensors

_EMBEDDINGS = ("word_embeddings", "position_embeddings", "token_type_embeddings", "LayerNorm")


class TorchBert:
    """An encoder with mean pooling and unit vectors whose layers (and word vectors, if wanted) can be trained.

    The texts of a batch lie one behind the other in one matrix, sorted by length; attention runs on each run of equal
    lengths. The float32 weights are the ones that an optimizer steps; the products use bfloat16 copies, made anew by
    `refresh`, whose gradients `collect` hands back. There is no drop-out: on a CPU its random numbers cost more than
    the products, and a few epochs do without.
    """

    def __init__(
        self, weights: Tensors, shape: BertShape, *, first: int = 0, embeddings: bool = False, half: bool = True
    ) -> None:
        """Take the weights.

        Args:
            weights: tensors named as in Hugging Face's BERT; copied.
            shape: layers and heads.
            first: the first layer that is trained; those below stay as they are.
            embeddings: whether word vectors are trained too.
            half: compute in bfloat16 (several times faster where the CPU has matrix units).
        """
        import torch

        self.torch, self.shape, self.type = torch, shape, torch.bfloat16 if half else torch.float32
        self.weights: dict[str, Any] = {n: torch.tensor(np.array(v)) for n, v in weights.items()}
        word = "embeddings.word_embeddings.weight"
        layers = tuple(f"encoder.layer.{layer}." for layer in range(first, shape.layers))
        self.trained = [n for n in self.weights if n.startswith(layers) or (embeddings and n == word)]
        for name in self.trained:
            self.weights[name].requires_grad_()
        self._copies: dict[str, Any] = {}
        self.refresh()

    def refresh(self) -> None:
        """Make the working copies anew from the float32 weights."""
        for name in self.trained if self._copies else self.weights:
            copy = self.weights[name].detach().to(self.type, copy=True)
            self._copies[name] = copy.requires_grad_(name in self.trained)

    def collect(self) -> None:
        """Move the copies' gradients to the float32 weights."""
        for name in self.trained:
            gradient = self._copies[name].grad
            self.weights[name].grad = None if gradient is None else gradient.float()

    def tensors(self) -> dict[str, NDArray[np.float32]]:
        """Return the trained tensors by name."""
        return {name: self.weights[name].detach().numpy().copy() for name in self.trained}

    def vectors(self, pieces: Sequence[Sequence[int]]) -> Any:  # noqa: ANN401 - torch is imported late
        """Return float32 unit rows for texts given as word pieces, in order; gradients flow where they are on."""
        torch, functional = self.torch, self.torch.nn.functional
        order = sorted(range(len(pieces)), key=lambda i: len(pieces[i]))
        lengths = [len(pieces[i]) for i in order]
        flat = torch.tensor([piece for i in order for piece in pieces[i]])
        runs: list[tuple[int, int]] = []
        for length in lengths:
            count = runs.pop()[0] + 1 if runs and runs[-1][1] == length else 1
            runs.append((count, length))
        places = torch.cat([torch.arange(length) for length in lengths]) + self.shape.first_position
        hidden = functional.embedding(flat, self._copies["embeddings.word_embeddings.weight"])
        hidden = hidden + self._copies["embeddings.position_embeddings.weight"][places]
        if "embeddings.token_type_embeddings.weight" in self._copies:
            hidden = hidden + self._copies["embeddings.token_type_embeddings.weight"][0]
        hidden = self._norm(hidden, "embeddings.LayerNorm")
        for layer in range(self.shape.layers):
            hidden = self._layer(hidden, f"encoder.layer.{layer}.", runs)
        parts = hidden.split([count * length for count, length in runs])
        means = [p.view(*run, -1).float().mean(1) for p, run in zip(parts, runs, strict=True)]
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return functional.normalize(torch.cat(means), dim=-1)[back]

    def _norm(self, hidden: Any, name: str) -> Any:  # noqa: ANN401
        weight, bias = self._copies[f"{name}.weight"], self._copies[f"{name}.bias"]
        return self.torch.nn.functional.layer_norm(hidden, (hidden.shape[-1],), weight, bias, self.shape.epsilon)

    def _linear(self, hidden: Any, name: str) -> Any:  # noqa: ANN401
        return self.torch.nn.functional.linear(hidden, self._copies[f"{name}.weight"], self._copies[f"{name}.bias"])

    def _layer(self, hidden: Any, prefix: str, runs: Sequence[tuple[int, int]]) -> Any:  # noqa: ANN401
        functional, heads = self.torch.nn.functional, self.shape.heads
        triple = [self._linear(hidden, f"{prefix}attention.self.{part}") for part in ("query", "key", "value")]
        # split, not slices: the gradient of a slice is as large as the whole
        pieces = [t.split([count * length for count, length in runs]) for t in triple]
        mixed = []
        for run, *some in zip(runs, *pieces, strict=True):
            query, key, value = (part.view(*run, heads, -1).transpose(1, 2) for part in some)
            seen = (query @ key.transpose(2, 3) * query.shape[-1] ** -0.5).softmax(-1) @ value
            mixed.append(seen.transpose(1, 2).reshape(run[0] * run[1], -1))
        out = self._linear(self.torch.cat(mixed), prefix + "attention.output.dense")
        hidden = self._norm(out + hidden, prefix + "attention.output.LayerNorm")
        wide = functional.gelu(self._linear(hidden, prefix + "intermediate.dense"))
        return self._norm(self._linear(wide, prefix + "output.dense") + hidden, prefix + "output.LayerNorm")
