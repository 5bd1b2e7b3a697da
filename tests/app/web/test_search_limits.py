"""What a server says when the library can't answer."""

import asyncio

import pytest

from rulings.app.errors import HttpError
from rulings.app.web.search_limits import SearchThreads
from rulings.search.errors import EngineError


def test_vectors_that_can_not_be_reached_are_told_without_their_place(capsys):
    def work():
        raise EngineError("postgresql://inner.example/rules: no connection")

    with pytest.raises(HttpError) as caught:
        asyncio.run(SearchThreads().run(work))
    assert caught.value.status == 503
    assert "inner.example" not in str(caught.value)
    assert caught.value.headers["Retry-After"]
    assert "inner.example" in capsys.readouterr().err
