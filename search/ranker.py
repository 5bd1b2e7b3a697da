"""The learned ranker: a small network over the signals of a candidate, kept as plain numbers."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.errors import ModelError
from rulings.search.signals import NAMES

Floats = NDArray[Any]  # float32; numpy types mixed arithmetic wider than it is


@dataclass(frozen=True, slots=True)
class Ranker:
    """A straight sum of the signals plus a network of two hidden layers.

    ``columns`` are the signals used; each is centred by ``centre`` and divided by ``scale`` first. ``straight`` has a
    weight per column; ``layers`` are (weights, offsets) with a row per output.
    """

    columns: tuple[int, ...]
    centre: Floats
    scale: Floats
    straight: Floats
    layers: tuple[tuple[Floats, Floats], ...]

    def scores(self, table: Floats) -> Floats:
        """A score for each row of a matrix of signals, higher is better; comparable within one question only."""
        x = (table[:, self.columns] - self.centre) / self.scale
        total = x @ self.straight
        for n, (weights, offsets) in enumerate(self.layers):
            x = x @ weights.T + offsets
            if n < len(self.layers) - 1:
                x = np.maximum(x, 0)
        return np.round(total + x[:, 0], 5) if self.layers else np.round(total, 5)

    def to_json(self) -> dict[str, Any]:
        """The ranker as numbers that `ranker_from_json` reads."""
        return {
            "signals": [NAMES[column] for column in self.columns],
            "centre": _rounded(self.centre), "scale": _rounded(self.scale), "straight": _rounded(self.straight),
            "layers": [{"weights": _rounded(w), "offsets": _rounded(b)} for w, b in self.layers],
        }  # fmt: skip


def ranker_from_json(record: dict[str, Any]) -> Ranker:
    """Read a ranker.

    Raises:
        ModelError: it uses a signal that this version doesn't have.
    """
    names: Sequence[str] = record["signals"]
    unknown = [name for name in names if name not in NAMES]
    if unknown:
        raise ModelError(f"ranker: unknown signals {', '.join(unknown)}; train it again with this version")
    layers = tuple((_floats(layer["weights"]), _floats(layer["offsets"])) for layer in record["layers"])
    columns = tuple(NAMES.index(name) for name in names)
    return Ranker(columns, _floats(record["centre"]), _floats(record["scale"]), _floats(record["straight"]), layers)


def default_ranker() -> Ranker:
    """The ranker that comes with the program."""
    return ranker_from_json(json.loads((resources.files("rulings.search") / "data" / "ranker.json").read_text("utf-8")))


def _floats(values: object) -> Floats:
    return np.array(values, np.float32)


def _rounded(values: Floats) -> list[object]:
    return np.round(values.astype(np.float64), 5).tolist()  # type: ignore[no-any-return]
