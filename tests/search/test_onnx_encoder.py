"""Tests of the encoder that runs without PyTorch."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rulings.search.adapter import write_adapter
from rulings.search.encoder import open_encoder
from rulings.search.errors import ModelError
from rulings.search.model_folder import packaged_folder
from rulings.search.onnx_encoder import OnnxEncoder
from rulings.search.weights import read_safetensors

TEXTS = ["copy the spell", "a token dies", "the land of the stack is a copy of the token", "copy"] * 5


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, tiny_model: Callable[..., Path]) -> Path:
    return tiny_model(tmp_path_factory.mktemp("tiny") / "model")


def test_vectors_are_unit_rows_that_do_not_depend_on_their_neighbours(folder: Path) -> None:
    encoder = OnnxEncoder(folder)
    done: list[int] = []
    rows = encoder.encode(TEXTS, done.append)
    assert rows.dtype == np.float32
    assert rows.shape == (len(TEXTS), encoder.dimensions)
    assert sum(done) == len(TEXTS)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    alone = np.stack([encoder.encode([text])[0] for text in TEXTS])
    assert np.abs(rows - alone).max() < 1e-6
    assert np.abs(encoder.encode_question(TEXTS[2]) - rows[2]).max() < 1e-6
    assert rows[0] @ rows[1] < 0.999


def test_a_long_text_is_cut_at_the_models_length(folder: Path) -> None:
    encoder = OnnxEncoder(folder)
    long = " ".join(["copy"] * 30)
    assert np.array_equal(encoder.encode([long])[0], encoder.encode([long + " land dies"])[0])


def test_no_text_gives_no_rows(folder: Path) -> None:
    encoder = OnnxEncoder(folder)
    assert encoder.encode([]).shape == (0, encoder.dimensions)
    assert np.isfinite(encoder.encode([""])).all()


def test_the_written_graph_is_kept_and_used_again(folder: Path, tmp_path: Path) -> None:
    first = OnnxEncoder(folder, cache=tmp_path / "deep" / "cache").encode(TEXTS)
    (kept,) = (tmp_path / "deep" / "cache").iterdir()
    stamp = kept.stat().st_mtime_ns
    assert np.array_equal(OnnxEncoder(folder, cache=kept.parent).encode(TEXTS), first)
    assert kept.stat().st_mtime_ns == stamp
    assert np.array_equal(OnnxEncoder(folder).encode(TEXTS), first)


def test_a_cache_that_cannot_be_written_is_done_without(folder: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert np.array_equal(OnnxEncoder(folder, cache=blocked / "cache").encode(TEXTS), OnnxEncoder(folder).encode(TEXTS))


def test_a_damaged_kept_graph_is_one_clear_error(folder: Path, tmp_path: Path) -> None:
    OnnxEncoder(folder, cache=tmp_path)
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(kept.read_bytes()[:500])
    with pytest.raises(ModelError, match="delete it"):
        OnnxEncoder(folder, cache=tmp_path)


def test_the_fingerprint_follows_weights_adapter_and_settings(
    folder: Path, tmp_path: Path, tiny_model: Callable[..., Path]
) -> None:
    other = tiny_model(tmp_path / "other", seed=2)
    cls = tiny_model(tmp_path / "cls", pooling="cls_token")
    base = read_safetensors(folder / "model.safetensors")
    name = "encoder.layer.0.output.dense.weight"
    write_adapter(tmp_path / "change.npz", base, {name: base[name] * 1.3})
    encoders = [OnnxEncoder(folder), OnnxEncoder(other), OnnxEncoder(cls), OnnxEncoder(folder, tmp_path / "change.npz")]
    assert len({e.fingerprint for e in encoders}) == 4
    assert OnnxEncoder(folder).fingerprint == encoders[0].fingerprint
    plain, *changed = [e.encode_question(TEXTS[0]) for e in encoders]
    assert all(np.abs(plain - vector).max() > 1e-3 for vector in changed)


def test_an_adapter_of_other_weights_is_refused(folder: Path, tmp_path: Path) -> None:
    write_adapter(tmp_path / "change.npz", {}, {}, "0" * 64)
    with pytest.raises(ModelError, match="other weights"):
        OnnxEncoder(folder, tmp_path / "change.npz")


def test_a_damaged_model_is_one_clear_error(tmp_path: Path, tiny_model: Callable[..., Path]) -> None:
    folder = tiny_model(tmp_path / "model")
    (folder / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes()[:-100])
    with pytest.raises(ModelError, match="safetensors"):
        OnnxEncoder(folder)
    (folder / "tokenizer.json").write_text("{")
    with pytest.raises(ModelError, match="tokenizer"):
        OnnxEncoder(folder)


def test_opening_by_folder_stays_clear_of_pytorch(folder: Path) -> None:
    code = (
        "import sys; from rulings.search.encoder import open_encoder; "
        f"e = open_encoder(); assert open_encoder(e.name).fingerprint == e.fingerprint; e.encode(['a', 'b c']); "
        f"open_encoder({str(folder)!r}).encode_question('copy'); "
        "print([m for m in ('torch', 'transformers', 'sentence_transformers') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


def test_vectors_equal_those_of_sentence_transformers(
    folder: Path, tmp_path: Path, tiny_model: Callable[..., Path]
) -> None:
    pytest.importorskip("sentence_transformers")
    from rulings.search.st_encoder import SentenceTransformersEncoder

    cls = tiny_model(tmp_path / "cls", pooling="cls_token")
    texts = [*TEXTS[:4], "Kill it: does the Thundering Spineback's token stay?", "ein Spruch, kopiert " * 80]
    for place in (folder, cls, packaged_folder()):
        ours, theirs = OnnxEncoder(place).encode(texts), SentenceTransformersEncoder(str(place)).encode(texts)
        assert (ours * theirs).sum(axis=1).min() > 0.9999


def test_a_model_that_is_nowhere_is_one_clear_error(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    with pytest.raises(ModelError, match="can't be loaded"):
        open_encoder(str(tmp_path / "nothing"))


@pytest.mark.parametrize("pooling", ["mean_tokens", "cls_token"])
def test_questions_together_have_the_same_bytes_as_one_by_one(tiny_model, tmp_path, pooling):
    encoder = open_encoder(str(tiny_model(tmp_path / "model", pooling=pooling, width=64, layers=3)))
    texts = [f"{a} {b} {c}" for a in ("copy", "spell", "the") for b in ("stack", "token") for c in ("land", "dies of")]
    together = encoder.encode_questions(texts)
    assert together.tobytes() == np.stack([encoder.encode_question(text) for text in texts]).tobytes()
    assert encoder.encode(texts).tobytes() == together.tobytes()
    assert encoder.encode_questions([]).shape == (0, encoder.dimensions)
