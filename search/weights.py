"""Reads model weights from safetensors files with numpy alone."""

import json
import mmap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.errors import ModelError

Tensors = Mapping[str, NDArray[np.float32]]

_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8", "I32": "<i4"}
_PREFIXES = ("bert.", "roberta.", "model.", "0.auto_model.")


def read_safetensors(path: Path) -> dict[str, NDArray[np.float32]]:
    """Read all floating tensors of a file as float32, by name, without a leading ``bert.`` or the like.

    Args:
        path: a ``.safetensors`` file. It is mapped; tensors stored as float32 are read-only views of the map.

    Raises:
        ModelError: the file is no safetensors file, or is cut short.
    """
    try:
        with path.open("rb") as file:
            buffer = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        start = 8 + int.from_bytes(buffer[:8], "little")
        header: dict[str, Any] = json.loads(buffer[8:start])
        tensors = {}
        for name, entry in header.items():
            if name == "__metadata__" or entry["dtype"] not in _TYPES:
                continue
            begin, end = entry["data_offsets"]
            kind = np.dtype(_TYPES[entry["dtype"]])
            flat = np.frombuffer(buffer, kind, (end - begin) // kind.itemsize, start + begin)
            if entry["dtype"] == "BF16":
                flat = (flat.astype(np.uint32) << 16).view(np.float32)
            tensors[_bare(name)] = flat.reshape(entry["shape"]).astype(np.float32, copy=False)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{path}: no whole safetensors file ({error}); fetch the model again") from error
    return tensors


def _bare(name: str) -> str:
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    return name
