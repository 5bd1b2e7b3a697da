"""Encodes texts with onnxruntime and tokenizers alone; PyTorch is never imported."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rulings.search.adapter import DEFAULT, Adapter
from rulings.search.encoder import Progress, Vectors
from rulings.search.errors import ModelError
from rulings.search.hold import in_one_step
from rulings.search.model_folder import PACKAGED, ModelFolder, packaged_folder
from rulings.search.onnx_graph import BertShape, write_bert
from rulings.search.runtime import load_onnxruntime
from rulings.search.weights import read_safetensors

_BATCH = 8
_WRITER = "2"
"""Counts changes of the graph writer that change vectors."""


def open_onnx(name: str | None, cache: Path | None = None, threads: int | None = None) -> "OnnxEncoder | None":
    """Open a model that runs without PyTorch; None if ``name`` is no folder that can.

    Args:
        name: a model folder, or None (or "default") for the packaged weights with the shipped adapter.
        cache: where written graphs are kept.
        threads: how many to compute with.

    Raises:
        ModelError: the folder or the packaged weights are damaged or missing.
    """
    if name is None or name == PACKAGED:
        adapter = DEFAULT if DEFAULT.is_file() else None
        return OnnxEncoder(packaged_folder(), adapter, cache, threads, name=PACKAGED)
    path = Path(str(name)).expanduser()
    if not path.is_dir() or not (path / "tokenizer.json").is_file():
        return None
    folder = ModelFolder(path)
    if not folder.is_plain:
        return None
    if not (path / "onnx" / "model.onnx").is_file():
        try:
            BertShape.of(folder.config, folder.pooling)
        except (ModelError, KeyError):
            return None
        if not (path / "model.safetensors").is_file():
            return None
    return OnnxEncoder(path, None, cache, threads)


class OnnxEncoder:
    """A sentence-transformers model folder run by onnxruntime.

    Texts of one length in word pieces are run together, so that nothing is padded and no text's vector depends on
    the others. Float32 throughout.
    """

    def __init__(
        self,
        folder: Path,
        adapter: Path | None = None,
        cache: Path | None = None,
        threads: int | None = None,
        *,
        name: str | None = None,
    ) -> None:
        """Load the model.

        Args:
            folder: the model folder.
            adapter: a file of `Adapter` to add to its weights.
            cache: where to keep the written graph.
            threads: how many to compute with; None: as many as there are cores.
            name: what to call it; None: the folder.

        Raises:
            ModelError: a file is missing or damaged, or the adapter is another model's.
        """
        from tokenizers import Tokenizer

        model = ModelFolder(folder)
        self.name = name or str(folder)
        self._model, self._pooling = model, model.pooling
        self._prompts = model.prompt("query"), model.prompt("passage", "document")
        ready = folder / "onnx" / "model.onnx"
        files = ("config.json", "tokenizer.json", "1_Pooling/config.json", "config_sentence_transformers.json")
        self._own = ready.is_file() and adapter is None
        weights = "onnx/model.onnx" if self._own else "model.safetensors"
        parts = [_WRITER, model.digest(*files, weights), str(model.length)]
        parts += [hashlib.sha256(adapter.read_bytes()).hexdigest()] if adapter else []
        self.fingerprint = hashlib.sha256("|".join(parts).encode()).hexdigest()
        try:
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as error:
            raise ModelError(f"{folder / 'tokenizer.json'}: no tokenizer ({error}); fetch the model again") from error
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(model.length)
        graph = ready if self._own else _written(model, adapter, cache, self.fingerprint)
        self._session = _session(graph, threads)
        self._inputs = [entry.name for entry in self._session.get_inputs()]
        self.dimensions = int(model.config["hidden_size"])

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Return float32 unit rows (texts x dimensions) for documents, in order."""
        return self._encode([self._prompts[1] + text for text in texts], progress)

    def _encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        pieces = [e.ids for e in self._tokenizer.encode_batch_fast(list(texts))]
        lengths: dict[int, list[int]] = {}
        for i, ids in enumerate(pieces):
            lengths.setdefault(len(ids), []).append(i)
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        for same in lengths.values():
            for start in range(0, len(same), _BATCH):
                rows = same[start : start + _BATCH]
                vectors[rows] = self._run([pieces[i] for i in rows])
                if progress:
                    progress(len(rows))
        return vectors

    def encode_question(self, text: str) -> Vectors:
        """Return the float32 unit vector (dimensions) of a question."""
        vector: Vectors = self._run([self._tokenizer.encode(self._prompts[0] + text).ids])[0]
        return vector

    def encode_questions(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of several questions, a row each, the same to the bit as one by one."""
        if self._own:  # how such a graph adds up is not known
            return np.array([self.encode_question(text) for text in texts], np.float32).reshape(-1, self.dimensions)
        return self._encode([self._prompts[0] + text for text in texts])

    def _run(self, pieces: list[list[int]]) -> Vectors:
        kind = np.int64 if self._own else np.int32
        ids = np.array(pieces, kind)
        if not self._own:
            vectors: Vectors = self._session.run(None, {"ids": ids, "mask": np.ones_like(ids)})[0]
            return vectors
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(None, {name: feeds[name] for name in self._inputs})[0]
        pooled = hidden[:, 0] if self._pooling == "cls" else hidden.mean(axis=1)
        unit: Vectors = (pooled / np.linalg.norm(pooled, axis=1, keepdims=True)).astype(np.float32)
        return unit


def _written(model: ModelFolder, adapter: Path | None, cache: Path | None, fingerprint: str) -> Path | bytes:
    """Return the graph from the cache; write it there first if need be, or return its bytes where that can't be."""
    place = cache / f"encoder-{fingerprint[:16]}.onnx" if cache else None
    if place and place.is_file():
        return place
    weights = read_safetensors(model.path / "model.safetensors")
    if adapter:
        change = Adapter.read(adapter)
        if change.base and change.base != model.digest_of("model.safetensors"):
            raise ModelError(
                f"{adapter}: made for other weights than {model.path}; train it again or name its base model"
            )
        weights = change.apply(weights)
    content = write_bert(weights, BertShape.of(model.config, model.pooling))
    if place is None:
        return content
    try:
        with in_one_step(place) as file:
            file.write(content)
    except OSError:
        return content
    return place


def _session(graph: Path | bytes, threads: int | None) -> Any:  # noqa: ANN401 - onnxruntime has no types
    onnxruntime = load_onnxruntime()
    options = onnxruntime.SessionOptions()
    if threads:
        options.intra_op_num_threads = threads
    options.log_severity_level = 3
    # the graph is written fused; a spinning thread would take a core from whoever waits for the answer
    if isinstance(graph, bytes) or graph.name.startswith("encoder-"):
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    source = graph if isinstance(graph, bytes) else str(graph)
    try:
        return onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        place = "the written graph" if isinstance(graph, bytes) else str(graph)
        raise ModelError(f"{place}: onnxruntime can't load it ({error}); delete it and try again") from error
