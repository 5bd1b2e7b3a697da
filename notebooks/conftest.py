"""Builds the sample once for all notebooks of a test run but the first, which builds its own as a reader's would."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from rulings.app.build import build

_NAME = "RULINGS_HOME"
_homes: list[TemporaryDirectory] = []


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Name the sample's home to a notebook."""
    if _NAME in os.environ or item.path.name.startswith("1-"):
        return
    if not _homes:
        _homes.append(TemporaryDirectory())
        build([], Path(_homes[0].name), tell=lambda _: None)
    os.environ[_NAME] = _homes[0].name


def pytest_runtest_teardown() -> None:
    """Leave no trace for other tests."""
    if _homes and os.environ.get(_NAME) == _homes[0].name:
        del os.environ[_NAME]


def pytest_sessionfinish() -> None:
    """Remove the sample's home."""
    for home in _homes:
        home.cleanup()
