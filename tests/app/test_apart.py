"""Work done apart gives the same generation as work done here, and an ended process is told."""

import os
import signal
import sqlite3
import time

import pytest

import rulings.app.apart
from rulings.app.apart import LARGE, apart
from rulings.app.build import build
from rulings.graph.errors import StoreError
from rulings.search.generation import current


def _quiet(_: str) -> None:
    pass


def _dump(path):
    with sqlite3.connect(path) as db:
        return list(db.iterdump())


@pytest.fixture
def restored_sigterm():
    former = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, former)


def test_a_process_of_its_own_makes_the_same_generation(new_home, monkeypatch, sample_home):
    here = current(sample_home)
    monkeypatch.setattr(rulings.app.apart, "LARGE", 0)
    other = build([], new_home, tell=_quiet)
    assert _dump(other.path / "links.sqlite") == _dump(here.path / "links.sqlite")
    assert set(other.graph.store) == set(here.graph.store)
    assert other.manifest.counts == here.manifest.counts
    same = [path.relative_to(here.index) for path in here.index.rglob("*") if path.is_file()]
    assert same
    for path in same:
        assert (other.index / path).read_bytes() == (here.index / path).read_bytes(), path
    assert not list((new_home / "generations").glob("*/*.nq"))


def test_small_work_is_done_at_once_and_its_errors_kept_for_the_result():
    with apart(1) as worker:
        done, failed = worker.submit(len, "four"), worker.submit(int, "four")
    assert done.result() == 4
    with pytest.raises(ValueError, match="four"):
        failed.result()


def test_a_process_that_was_ended_is_told():
    with pytest.raises(StoreError, match="out of memory"), apart(LARGE) as worker:
        worker.submit(os._exit, 1).result()


def test_what_is_given_is_loaded_by_another_process(tmp_path):
    with apart(LARGE) as worker:
        worker.load(tmp_path / "graph")
        for n in range(3):
            dump = tmp_path / f"{n}.nq"
            dump.write_text(f"<urn:{n}> <urn:p> <urn:o> <urn:g> .\n<urn:0> <urn:p> <urn:o> <urn:g> .\n")
            worker.give(dump)
        worker.all_given()
        assert worker.loaded() == 3
    assert [path.name for path in tmp_path.iterdir()] == ["graph"]


def test_a_store_that_cannot_be_loaded_is_told_while_more_is_given(tmp_path):
    (tmp_path / "graph").mkdir()

    def give():
        with apart(LARGE) as worker:
            worker.load(tmp_path / "graph")
            for n in range(1000):
                worker.give(tmp_path / f"{n}.nq")
                time.sleep(0.02)

    with pytest.raises(StoreError, match="there already"):
        give()


@pytest.mark.parametrize("handler", [signal.SIG_DFL, signal.SIG_IGN])
def test_an_error_in_the_block_ends_the_process_at_once(handler, restored_sigterm, tmp_path):
    signal.signal(signal.SIGTERM, handler)  # a process that is started takes it over where it is to be ignored
    processes = []

    def fail():
        with apart(LARGE) as worker:
            processes.append(worker.submit(os.getpid).result())
            worker.load(tmp_path / "graph")
            worker.submit(time.sleep, 60)
            raise RuntimeError("of the block")

    with pytest.raises(RuntimeError, match="of the block"):
        fail()
    with pytest.raises(ProcessLookupError):
        os.kill(processes[0], 0)
