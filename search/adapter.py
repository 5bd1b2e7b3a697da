"""A tuned model's difference from its base weights, as small as the quality allows."""

import hashlib
import io
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rulings.search.errors import ModelError
from rulings.search.weights import Tensors

DEFAULT = Path(__file__).parent / "data" / "tuned.npz"
"""The adapter shipped for the packaged weights."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """Differences by tensor name.

    A matrix is kept as int8 with a float32 scale a row (and, where only some rows differ, their numbers), a vector
    as float16. ``base`` is the sha256 of the weights file that it belongs to, "" for any.
    """

    arrays: Mapping[str, NDArray[np.generic]]
    base: str
    digest: str

    @classmethod
    def read(cls, path: Path) -> "Adapter":
        """Read an adapter.

        Raises:
            ModelError: the file can't be read.
        """
        try:
            content = path.read_bytes()
            with np.load(io.BytesIO(content), allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            base = str(arrays.pop("base"))
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise ModelError(f"{path}: no adapter of the encoder ({error}); train it again or take it away") from error
        return cls(arrays, base, hashlib.sha256(content).hexdigest())

    def apply(self, weights: Tensors, strength: float = 1.0) -> dict[str, NDArray[np.float32]]:
        """Return the tuned weights.

        Args:
            weights: the base weights; not changed.
            strength: how much of the difference to add.

        Raises:
            ModelError: a tensor is missing or of another shape.
        """
        tuned = dict(weights)
        for entry, values in self.arrays.items():
            name, _, part = entry.partition("|")
            if part not in {"", "int8"}:
                continue
            difference = values.astype(np.float32)
            if part == "int8":
                difference *= self.arrays[f"{name}|scale"].astype(np.float32)[:, None]
            rows = self.arrays.get(f"{name}|rows")
            try:
                result = np.array(weights[name], np.float32)
                target = slice(None) if rows is None else rows.astype(np.int64)
                result[target] += strength * difference
            except (KeyError, ValueError, IndexError) as error:
                raise ModelError(
                    f"the adapter doesn't fit the weights at {name} ({error}); name the base model"
                ) from error
            tuned[name] = result
        return tuned


def write_adapter(path: Path, base: Tensors, tuned: Tensors, base_digest: str = "") -> int:
    """Write the difference of tuned from base weights, and return the file's size in bytes.

    Args:
        path: where to; replaced in one step.
        base: the weights before training.
        tuned: the tensors that were trained.
        base_digest: the sha256 of the base weights' file.
    """
    arrays: dict[str, NDArray[np.generic]] = {"base": np.array(base_digest)}
    for name, after in sorted(tuned.items()):
        difference = np.asarray(after, np.float32) - np.asarray(base[name], np.float32)
        if difference.ndim != 2:
            arrays[name] = difference.astype(np.float16)
            continue
        rows = np.flatnonzero(np.abs(difference).max(axis=1) > 0)
        if len(rows) < len(difference):
            arrays[f"{name}|rows"], difference = rows.astype(np.int32), difference[rows]
        scale = np.maximum(np.abs(difference).max(axis=1) / 127, 1e-12).astype(np.float32)
        arrays[f"{name}|int8"] = np.rint(difference / scale[:, None]).astype(np.int8)
        arrays[f"{name}|scale"] = scale
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with part.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path.stat().st_size
