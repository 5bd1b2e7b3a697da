"""Cosines of questions with all statements and rules over int8 rows, right to about 0.004, at a quarter of the memory.

Products and sums are whole numbers, so every machine gives the same. The question has seven bits, for processors
without VNNI add two products in 16 bits (https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html).
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rulings.search.errors import IndexFormatError
from rulings.search.runtime import load_onnxruntime

Floats = NDArray[np.float32]
_WEIGHTS, _QUESTION = 127, 63
_OPSET, _IR = 17, 8


class QuickScan:
    """An opened scan.

    Args:
        graph: the ONNX graph, as `quick_graph` makes it.
        scales: what a unit of each row stands for.
    """

    def __init__(self, graph: bytes, scales: Floats) -> None:
        onnxruntime = load_onnxruntime()
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = min(2, os.cpu_count() or 1)
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        self._scales = scales

    @classmethod
    def of(cls, vectors: Floats) -> Self:
        """The scan of some unit rows."""
        return cls(*quick_graph(vectors))

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open what `write_quick_scan` wrote.

        Raises:
            IndexFormatError: it is not there, or damaged.
        """
        try:
            return cls((folder / "quick.onnx").read_bytes(), np.load(folder / "quick.npy"))
        except Exception as error:  # onnxruntime's errors have no common base
            raise IndexFormatError(f"{folder / 'quick.onnx'}: can't be read ({error}); run `rulings build`") from error

    def cosines(self, question: Floats) -> Floats:
        """The cosine of every row with a unit vector."""
        return next(self.all_cosines(question[None]))

    def all_cosines(self, questions: Floats) -> Iterator[Floats]:
        """The same for each of several unit vectors, to the bit; the rows are read once for all of them."""
        steps = np.maximum(np.abs(questions).max(axis=1), 1e-9) / np.float32(_QUESTION)
        rounded = (np.round(questions / steps[:, None]) + _QUESTION + 1).astype(np.uint8)
        products: NDArray[np.int32] = self._session.run(None, {"questions": rounded})[0]
        for step, product in zip(steps, products, strict=True):
            yield product.astype(np.float32) * (self._scales * step)


def quick_graph(vectors: Floats) -> tuple[bytes, Floats]:
    """The ONNX graph that multiplies questions with int8 rows, and the scale of each row."""
    from onnx import TensorProto, helper, numpy_helper

    scales = (np.maximum(np.abs(vectors).max(axis=1, initial=0), 1e-9) / _WEIGHTS).astype(np.float32)
    rows = np.round(vectors / scales[:, None]).astype(np.int8)
    constants: list[tuple[str, NDArray[Any]]] = [
        ("rows", np.ascontiguousarray(rows.T)),
        ("zero", np.array(_QUESTION + 1, np.uint8)),
    ]
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["questions", "rows", "zero"], ["products"])],
        "quick",
        [helper.make_tensor_value_info("questions", TensorProto.UINT8, ["count", vectors.shape[1]])],
        [helper.make_tensor_value_info("products", TensorProto.INT32, ["count", len(vectors)])],
        [numpy_helper.from_array(array, name) for name, array in constants],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR)
    return model.SerializeToString(deterministic=True), scales


def write_quick_scan(folder: Path, vectors: Floats) -> None:
    """Write the scan of some unit rows into ``folder``."""
    graph, scales = quick_graph(vectors)
    (folder / "quick.onnx").write_bytes(graph)
    np.save(folder / "quick.npy", scales)
