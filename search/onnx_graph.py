"""Writes a BERT-like encoder as an ONNX graph, straight from its weights, with pooling and unit length inside."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.errors import ModelError
from rulings.search.weights import Tensors

_FUSED = "com.microsoft"
_OPSET, _IR = 17, 8


@dataclass(frozen=True, slots=True)
class BertShape:
    """What of a model's ``config.json`` and pooling the graph needs. ``first_position`` is 2 for RoBERTa, else 0."""

    layers: int
    heads: int
    epsilon: float
    first_position: int = 0
    pooling: str = "mean"

    @classmethod
    def of(cls, config: Mapping[str, Any], pooling: str = "mean") -> "BertShape":
        """Read a ``config.json``.

        Raises:
            ModelError: the architecture isn't one that this graph can hold.
        """
        kind = config.get("model_type")
        if kind not in {"bert", "roberta", "xlm-roberta"}:
            raise ModelError(
                f"architecture {kind!r} has no ONNX writer here; use an onnx/model.onnx of the model's own"
            )
        if config.get("hidden_act") != "gelu" or config.get("position_embedding_type", "absolute") != "absolute":
            raise ModelError("the ONNX writer knows only gelu and absolute positions; install rulings-graph[models]")
        if pooling not in {"mean", "cls"}:
            raise ModelError(f"pooling {pooling!r} is not known to the ONNX writer; install rulings-graph[models]")
        first = 0 if kind == "bert" else int(config.get("pad_token_id", 1)) + 1
        return cls(config["num_hidden_layers"], config["num_attention_heads"], config["layer_norm_eps"], first, pooling)


class _Graph:
    """Nodes and constants of a graph under construction."""

    def __init__(self) -> None:
        from onnx import helper, numpy_helper

        self.helper, self.numpy_helper = helper, numpy_helper
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, name: str, value: NDArray[Any]) -> str:
        """Add a constant and return its name."""
        self.constants.append(self.numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def node(self, kind: str, inputs: list[str], output: str, domain: str = "", **attributes: Any) -> str:  # noqa: ANN401
        """Add a node with one output and return the output's name."""
        self.nodes.append(self.helper.make_node(kind, inputs, [output], name=output, domain=domain, **attributes))
        return output


def write_bert(weights: Tensors, shape: BertShape) -> bytes:
    """Return a serialized ONNX model: ``ids`` and ``mask`` (int32, texts x pieces) to ``vectors`` (float32 unit rows).

    Args:
        weights: tensors named as in Hugging Face's BERT, without a prefix.
        shape: layers, heads and pooling.

    Raises:
        ModelError: a tensor is missing.
    """
    from onnx import TensorProto

    graph = _Graph()
    try:
        hidden = _embed(graph, weights, shape)
        for layer in range(shape.layers):
            hidden = _layer(graph, weights, shape, layer, hidden)
    except KeyError as error:
        raise ModelError(f"the weights lack {error}; this is no whole BERT encoder") from error
    _pool(graph, hidden, shape.pooling)
    width = weights["embeddings.word_embeddings.weight"].shape[1]
    make = graph.helper.make_tensor_value_info
    inputs = [make(name, TensorProto.INT32, ["texts", "pieces"]) for name in ("ids", "mask")]
    outputs = [make("vectors", TensorProto.FLOAT, ["texts", int(width)])]
    body = graph.helper.make_graph(graph.nodes, "encoder", inputs, outputs, graph.constants)
    opsets = [graph.helper.make_opsetid("", _OPSET), graph.helper.make_opsetid(_FUSED, 1)]
    model: bytes = graph.helper.make_model(body, opset_imports=opsets, ir_version=_IR).SerializeToString()
    return model


def _embed(graph: _Graph, weights: Tensors, shape: BertShape) -> str:
    part = "embeddings."
    # all texts are of segment 0, whose row can thus stand in the position table
    positions = weights[part + "position_embeddings.weight"][shape.first_position :]
    if part + "token_type_embeddings.weight" in weights:
        positions = positions + weights[part + "token_type_embeddings.weight"][0]
    inputs = [
        "ids",
        "",
        graph.constant("words", weights[part + "word_embeddings.weight"]),
        graph.constant("positions", positions),
        "",
        graph.constant("embed.gamma", weights[part + "LayerNorm.weight"]),
        graph.constant("embed.beta", weights[part + "LayerNorm.bias"]),
    ]
    graph.nodes.append(
        graph.helper.make_node(
            "EmbedLayerNormalization", inputs, ["embedded", "unused"], domain=_FUSED, epsilon=shape.epsilon
        )
    )
    return "embedded"


def _layer(graph: _Graph, weights: Tensors, shape: BertShape, layer: int, hidden: str) -> str:
    prefix = f"encoder.layer.{layer}."
    parts = [f"{prefix}attention.self.{name}" for name in ("query", "key", "value")]
    attention = graph.node(
        "Attention",
        [
            hidden,
            graph.constant(f"{layer}.qkv", np.concatenate([weights[p + ".weight"].T for p in parts], axis=1)),
            graph.constant(f"{layer}.qkv.bias", np.concatenate([weights[p + ".bias"] for p in parts])),
            "mask",
        ],
        f"{layer}.attention",
        _FUSED,
        num_heads=shape.heads,
    )

    def product(tensor: str, name: str) -> str:
        matrix = graph.constant(f"{layer}.{name}.weight", weights[f"{prefix}{name}.weight"].T)
        return graph.node("MatMul", [tensor, matrix], f"{layer}.{name}")

    def add_and_norm(tensor: str, skip: str, name: str) -> str:
        inputs = [
            tensor,
            skip,
            graph.constant(f"{layer}.{name}.gamma", weights[f"{prefix}{name}.LayerNorm.weight"]),
            graph.constant(f"{layer}.{name}.beta", weights[f"{prefix}{name}.LayerNorm.bias"]),
            graph.constant(f"{layer}.{name}.bias", weights[f"{prefix}{name}.dense.bias"]),
        ]
        return graph.node("SkipLayerNormalization", inputs, f"{layer}.{name}.norm", _FUSED, epsilon=shape.epsilon)

    middle = add_and_norm(product(attention, "attention.output.dense"), hidden, "attention.output")
    bias = graph.constant(f"{layer}.intermediate.bias", weights[prefix + "intermediate.dense.bias"])
    wide = graph.node("BiasGelu", [product(middle, "intermediate.dense"), bias], f"{layer}.gelu", _FUSED)
    return add_and_norm(product(wide, "output.dense"), middle, "output")


def _pool(graph: _Graph, hidden: str, pooling: str) -> None:
    if pooling == "cls":
        zero = graph.constant("zero", np.array(0, np.int64))
        pooled = graph.node("Gather", [hidden, zero], "pooled", axis=1)
    else:
        from onnx import TensorProto

        one = graph.constant("one", np.array([1], np.int64))
        mask = graph.node("Cast", ["mask"], "mask.float", to=TensorProto.FLOAT)
        # as a product for each text: a sum over the whole would add in another order for several texts than for one
        row = graph.node("MatMul", [graph.node("Unsqueeze", [mask, one], "mask.row"), hidden], "row")
        total = graph.node("Squeeze", [row, one], "total")
        count = graph.node("ReduceSum", [mask, one], "count", keepdims=1)
        pooled = graph.node("Div", [total, count], "pooled")
    graph.node("LpNormalization", [pooled], "vectors", axis=-1, p=2)
