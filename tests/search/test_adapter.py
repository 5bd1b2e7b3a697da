"""Tests of the adapter: small on disk, near to the tuned weights."""

from pathlib import Path

import numpy as np
import pytest

from rulings.search.adapter import DEFAULT, Adapter, write_adapter
from rulings.search.errors import ModelError
from rulings.search.model_folder import ModelFolder, packaged_folder
from rulings.search.weights import read_safetensors


def test_the_difference_comes_back_within_its_precision(tmp_path: Path) -> None:
    draw = np.random.default_rng(0)
    base = {"m": draw.normal(size=(64, 32)).astype(np.float32), "v": draw.normal(size=32).astype(np.float32)}
    base["w"] = draw.normal(size=(50, 8)).astype(np.float32)
    tuned = {n: t + draw.normal(scale=0.01, size=t.shape).astype(np.float32) for n, t in base.items()}
    tuned["w"][5:] = base["w"][5:]
    write_adapter(tmp_path / "a.npz", base, tuned)
    adapter = Adapter.read(tmp_path / "a.npz")
    back = adapter.apply(base)
    for name, tensor in tuned.items():
        assert np.abs(back[name] - tensor).max() < 0.0004
        assert np.abs(base[name] - tensor).max() > 0.01
    assert len(adapter.arrays["w|rows"]) == 5
    half = adapter.apply(base, 0.5)["m"]
    assert np.allclose(half, (base["m"] + back["m"]) / 2, atol=1e-6)


def test_what_does_not_fit_or_cannot_be_read_is_one_clear_error(tmp_path: Path) -> None:
    base = {"m": np.zeros((4, 4), np.float32)}
    write_adapter(tmp_path / "a.npz", base, {"m": np.ones((4, 4), np.float32)})
    with pytest.raises(ModelError, match="doesn't fit"):
        Adapter.read(tmp_path / "a.npz").apply({"m": np.zeros((3, 4), np.float32)})
    (tmp_path / "a.npz").write_bytes((tmp_path / "a.npz").read_bytes()[:40])
    with pytest.raises(ModelError, match="no adapter"):
        Adapter.read(tmp_path / "a.npz")


def test_the_shipped_adapter_fits_the_packaged_weights() -> None:
    if not DEFAULT.is_file():
        pytest.skip("no adapter is shipped")
    adapter = Adapter.read(DEFAULT)
    assert DEFAULT.stat().st_size < 25_000_000
    assert adapter.base == ModelFolder(packaged_folder()).digest_of("model.safetensors")
    base = read_safetensors(packaged_folder() / "model.safetensors")
    tuned = adapter.apply(base)
    assert tuned.keys() == base.keys()
    assert all(np.isfinite(t).all() for t in tuned.values())
