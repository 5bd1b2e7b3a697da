"""Fixtures shared by all tests: the real data where it is there, the sample, and a home of its own for each test."""

from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data; the test is skipped where it is not there."""
    if not DATA.is_dir():
        pytest.skip(f"the real data is not at {DATA.parent.name}/{DATA.name} beside the project")
    return DATA
