"""Some fuzzing at every run: whatever the bytes, no reader, no question and no request makes the program fail.

`RULINGS_FUZZ=200000 pytest tests/fuzz` does more.
"""

import importlib.util
import os
import resource
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

spec = importlib.util.spec_from_file_location("targets", Path(__file__).with_name("targets.py"))
targets = importlib.util.module_from_spec(spec)
spec.loader.exec_module(targets)

COUNT = int(os.environ.get("RULINGS_FUZZ", "150"))
PIECES = [b'"', b"\\", b"{", b"}", b"[", b",", b":", b"\n", b"\0", b"\xff", b"NaN", b"1e999", b"\\ud800", b"[" * 300, b"<", b"%", b"&#x110000;", "ſ".encode(), b"\xed\xa0\x80", b"999999999999999999999"]  # fmt: skip


@st.composite
def inputs(draw, seeds):
    data = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(0, 4))):
        at, length = draw(st.integers(0, len(data))), draw(st.integers(0, 30))
        data = data[:at] + draw(st.sampled_from(PIECES) | st.binary(max_size=6)) + data[at + length :]
    return data


@pytest.fixture(scope="module", autouse=True)
def _home(sample_home):
    os.environ["RULINGS_FUZZ_HOME"] = str(sample_home)
    yield
    del os.environ["RULINGS_FUZZ_HOME"]
    if targets.http.cache_info().currsize:
        targets.http().close()


@pytest.mark.parametrize("name", targets.NAMES)
def test_any_bytes(name):
    run, seeds = targets.target(name), targets.seeds(name)
    for seed in seeds:
        run(seed)
    before = memory()

    @settings(max_examples=COUNT, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.binary(max_size=300) | inputs(seeds))
    def fuzz(data):
        start = time.process_time()
        run(data)
        assert time.process_time() - start < 2

    fuzz()
    assert memory() - before < 500 << 20


def memory():
    """The most memory that was used so far, in bytes."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most << 10
