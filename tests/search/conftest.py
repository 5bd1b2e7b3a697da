"""Fixtures of the search tests: a tiny BERT-like model folder with random weights, a small index."""

import json
import struct
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from rulings.graph.records import Derived, Vectors
from rulings.ingest import Corpus
from rulings.search.index import Index, write_index
from rulings.search.words import index_terms

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "copy", "spell", "stack", "token", "land", "dies", "the", "a", "of", "is")


def write_safetensors(path: Path, tensors: dict[str, np.ndarray]) -> None:
    header, parts, start = {}, [], 0
    for name, tensor in tensors.items():
        raw = tensor.astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [start, start + len(raw)]}
        parts.append(raw)
        start += len(raw)
    head = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(head)) + head + b"".join(parts))


def write_tiny_model(
    folder: Path, *, pooling: str = "mean_tokens", width: int = 16, layers: int = 2, seed: int = 1
) -> Path:
    """Write the folder and return it."""
    draw = np.random.default_rng(seed)
    tokenizer = Tokenizer(models.WordPiece({w: i for i, w in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    (folder / "1_Pooling").mkdir(parents=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    shapes = {
        "embeddings.word_embeddings.weight": (len(WORDS), width),
        "embeddings.position_embeddings.weight": (32, width),
        "embeddings.token_type_embeddings.weight": (2, width),
        "embeddings.LayerNorm.weight": (width,),
        "embeddings.LayerNorm.bias": (width,),
    }
    for layer in range(layers):
        prefix = f"encoder.layer.{layer}."
        for part, (rows, columns) in {
            "attention.self.query": (width, width),
            "attention.self.key": (width, width),
            "attention.self.value": (width, width),
            "attention.output.dense": (width, width),
            "intermediate.dense": (4 * width, width),
            "output.dense": (width, 4 * width),
        }.items():
            shapes[f"{prefix}{part}.weight"], shapes[f"{prefix}{part}.bias"] = (rows, columns), (rows,)
        for part in ("attention.output", "output"):
            shapes[f"{prefix}{part}.LayerNorm.weight"] = shapes[f"{prefix}{part}.LayerNorm.bias"] = (width,)
    write_safetensors(folder / "model.safetensors", {n: draw.normal(0, 0.5, s) for n, s in shapes.items()})
    config = {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "num_hidden_layers": layers,
        "num_attention_heads": 4,
        "hidden_size": width,
        "intermediate_size": 4 * width,
        "vocab_size": len(WORDS),
        "max_position_embeddings": 32,
        "type_vocab_size": 2,
        "hidden_act": "gelu",
        "layer_norm_eps": 1e-12,
        "position_embedding_type": "absolute",
        "pad_token_id": 0,
    }
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "1_Pooling" / "config.json").write_text(
        json.dumps({"word_embedding_dimension": width, f"pooling_mode_{pooling}": True})
    )
    modules = [
        {"idx": i, "name": str(i), "path": p, "type": f"sentence_transformers.models.{t}"}
        for i, (p, t) in enumerate([("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize")])
    ]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 32}))
    return folder


@pytest.fixture(scope="session")
def tiny_model() -> Callable[..., Path]:
    """The writer of tiny models: ``tiny_model(folder, pooling=, width=, layers=, seed=)`` returns the folder."""
    return write_tiny_model


class WordEncoder:
    """An encoder for tests: texts that share words are near each other."""

    name, dimensions, fingerprint = "words", 64, "1"

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> np.ndarray:
        rows = np.full((len(texts), self.dimensions), 1e-3, np.float32)
        for row, text in zip(rows, texts, strict=True):
            for term in index_terms(text):
                row[zlib.crc32(term.encode()) % self.dimensions] += 1
            if progress:
                progress(1)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def encode_question(self, text: str) -> np.ndarray:
        return self.encode([text])[0]

    def encode_questions(self, texts):
        return self.encode(texts)


def write_word_index(folder: Path, corpus: Corpus, derived: Derived) -> Index:
    """Write and open an index whose vectors come from `WordEncoder`."""
    encoder = WordEncoder()
    rules = list(corpus.newest.rules.values()) if corpus.newest else []
    vectors = Vectors(
        statements=encoder.encode([s.text for s in corpus.statements.values()]),
        rules=encoder.encode([rule.text for rule in rules]) if rules else None,
    )
    write_index(folder, corpus, derived, encoder, vectors)
    return Index.open(folder)


@pytest.fixture(scope="session")
def word_encoder() -> WordEncoder:
    """The encoder of words."""
    return WordEncoder()


@pytest.fixture(scope="session")
def small_index(small: Corpus, small_links: Derived, tmp_path_factory: pytest.TempPathFactory) -> Index:
    """The index of the small corpus."""
    return write_word_index(tmp_path_factory.mktemp("small") / "index", small, small_links)
