"""The stream for the store's loader: all files as one, and no more than can soon be written."""

import pytest

from rulings.graph import store_input
from rulings.graph.store_input import as_stream


@pytest.fixture
def threads(monkeypatch):
    """How many threads there are, each time that it is looked; the last number stays."""

    def are(*numbers):
        left = list(numbers)
        monkeypatch.setattr(store_input, "_threads", lambda: left.pop(0) if len(left) > 1 else left[0])
        return left

    return are


def files(folder, *texts):
    for n, words in enumerate(texts):
        path = folder / f"{n}.nq"
        path.write_bytes(words)
        yield path


def test_files_are_one_stream_and_gone_when_they_are_read(tmp_path):
    assert as_stream(files(tmp_path, b"one\n", b"", b"two\nthree\n")).read() == b"one\ntwo\nthree\n"
    assert not list(tmp_path.iterdir())


def test_a_file_is_asked_for_when_those_before_it_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(store_input, "_PIECE", 2)
    stream = as_stream(files(tmp_path, b"ab", b"cd"))
    assert stream.read(2) == b"ab"
    assert not (tmp_path / "1.nq").exists()
    assert stream.read() == b"cd"


def test_a_file_that_is_not_read_whole_goes_too(tmp_path, monkeypatch):
    monkeypatch.setattr(store_input, "_PIECE", 2)
    stream = as_stream(files(tmp_path, b"abcdef"))
    stream.read(1)
    del stream
    assert not list(tmp_path.iterdir())


def test_a_batch_is_written_before_much_more_is_given(tmp_path, monkeypatch, threads):
    monkeypatch.setattr(store_input, "_PIECE", 1)
    monkeypatch.setattr(store_input, "_AHEAD", 2)
    stream = as_stream(files(tmp_path, b"abcdef"))
    left = threads(4, 4, 5, 5, 5, 5, 5, 4)
    assert stream.read(2) == b"ab"
    assert len(left) > 4, "two were given while nothing was written"
    assert stream.read(1) == b"c"
    assert left == [4], "enough was given: the third waited until the batch was written"


def test_a_thread_that_stays_holds_nothing_up_for_good(tmp_path, monkeypatch, threads):
    monkeypatch.setattr(store_input, "_STUCK", 0.05)
    monkeypatch.setattr(store_input, "_AHEAD", 0)
    threads(4, 5)
    assert as_stream(files(tmp_path, b"abc")).read() == b"abc"


def test_a_system_that_tells_no_threads_is_read_without_a_wait(tmp_path, monkeypatch):
    monkeypatch.setattr(store_input, "_TASKS", tmp_path / "none")
    assert as_stream(files(tmp_path, b"abc")).read() == b"abc"
