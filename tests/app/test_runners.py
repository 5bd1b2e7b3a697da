"""Batches over local processes and on a Dask cluster: in order, to the same bytes, also where a worker is killed."""

import multiprocessing
import operator
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

import rulings.graph.kept
import rulings.search.encode_batches
from rulings.app.build import build
from rulings.app.command import main
from rulings.app.dask_cluster import DaskCluster
from rulings.app.errors import UsageError, WorkersError
from rulings.app.local_processes import LocalProcesses
from rulings.graph.runner import Here, Shared
from rulings.search.generation import current


class Cluster:
    """A scheduler and workers that are processes of their own, on loopback."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._stack, self._folder = stack, folder
        self.workers: list[subprocess.Popen] = []
        file = folder / "scheduler.json"
        self._run("scheduler", "--port", "0", "--scheduler-file", str(file))
        end = time.monotonic() + 60
        while not file.is_file() or not file.read_text():
            assert time.monotonic() < end, "no scheduler"
            time.sleep(0.05)
        self.address = next(part for part in file.read_text().split('"') if part.startswith("tcp://"))

    def add_worker(self) -> None:
        words = ("--nthreads", "1", "--no-nanny", "--local-directory", str(self._folder))
        self.workers.append(self._run("worker", self.address, *words))

    def _run(self, what: str, *words: str) -> subprocess.Popen:
        command = [sys.executable, "-m", "dask", what, "--host", "127.0.0.1", "--no-dashboard", *words]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process


class Killing:
    """Another runner, beside which something happens once, after a few batches of the first map."""

    def __init__(self, runner, kill) -> None:
        self._runner, self._kill, self.killed = runner, kill, False

    def map(self, work, batches, *shared):
        for n, result in enumerate(self._runner.map(work, batches, *shared)):
            if n == 1 and not self.killed:
                self.killed = True
                self._kill()
            yield result


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with ExitStack() as stack:
        started = Cluster(stack, tmp_path_factory.mktemp("dask"))
        started.add_worker()
        started.add_worker()
        yield started


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(rulings.graph.kept, "BATCH", 20)
    monkeypatch.setattr(rulings.search.encode_batches, "BATCH", 30)


def _kill_one():
    multiprocessing.active_children()[0].kill()


def _same(one, two):
    names = {path.relative_to(one.path) for path in one.path.rglob("*") if path.is_file() and "graph" not in path.parts}
    assert names == {p.relative_to(two.path) for p in two.path.rglob("*") if p.is_file() and "graph" not in p.parts}
    for name in names - {Path("manifest.json")}:
        assert (one.path / name).read_bytes() == (two.path / name).read_bytes(), name
    assert sorted(map(str, one.graph.store)) == sorted(map(str, two.graph.store))


def test_results_come_in_the_order_of_the_batches_with_what_is_shared():
    shared = Shared(int, "7")
    runner = LocalProcesses(2, [].append)
    try:
        for one in (runner, Here()):
            assert list(one.map(operator.mul, range(25), shared)) == [7 * n for n in range(25)]
            assert list(one.map(operator.add, [1], Shared(int, "1"))) == [2]
            assert list(one.map(operator.add, [], shared)) == []
        with pytest.raises(ZeroDivisionError):
            list(runner.map(operator.floordiv, [1, 2], Shared(int, "0")))
    finally:
        runner.close()


def test_a_batch_that_ends_every_process_is_given_up():
    told = []
    runner = LocalProcesses(1, told.append)
    with pytest.raises(WorkersError, match="processes ended at the same batch"):
        list(runner.map(signal.raise_signal, [signal.SIGKILL]))
    assert told == ["a process ended from outside; what it had is run again"] * 3
    runner.close()


def test_over_local_processes_one_of_them_killed(sample_home, tmp_path, small_batches):
    told = []
    inner = LocalProcesses(2, told.append)
    runner = Killing(inner, _kill_one)
    try:
        made = build([], tmp_path, tell=lambda _: None, runner=runner)
    finally:
        inner.close()
    assert runner.killed
    assert told == ["a process ended from outside; what it had is run again"]
    _same(made, current(sample_home))


def test_on_a_cluster_one_of_its_workers_killed(sample_home, tmp_path, small_batches, cluster):
    inner = DaskCluster(cluster.address, [].append)
    runner = Killing(inner, cluster.workers[0].kill)
    try:
        made = build([], tmp_path, tell=lambda _: None, runner=runner)
    finally:
        inner.close()
    assert runner.killed
    assert cluster.workers[0].wait(10)
    _same(made, current(sample_home))


def test_all_workers_are_lost_and_another_comes(cluster):
    told = []
    runner = DaskCluster(cluster.address, told.append)

    def kill():
        for worker in cluster.workers:
            worker.kill()
        cluster.add_worker()

    try:
        found = list(Killing(runner, kill).map(operator.mul, range(20), Shared(int, "3")))
    finally:
        runner.close()
    assert found == [3 * n for n in range(20)]
    assert set(told) <= {"all workers were lost; what they had is sent to others"}


def test_a_worker_of_another_version_is_refused(cluster, monkeypatch):
    monkeypatch.setattr("rulings.app.dask_cluster.program", lambda: "another")
    with pytest.raises(UsageError, match="another version of rulings"):
        DaskCluster(cluster.address, [].append)


def test_a_cluster_without_workers_and_one_that_isnt_there(tmp_path, capsys):
    with ExitStack() as stack:
        empty = Cluster(stack, tmp_path)
        with pytest.raises(WorkersError, match="no worker is there"):
            DaskCluster(empty.address, [].append, patience=1)
    with pytest.raises(WorkersError, match="no Dask scheduler answers"):
        DaskCluster(empty.address, [].append, patience=1)
    assert main(["build", "--home", str(tmp_path), "--cluster", "nonsense://x"]) == 2
    assert "--cluster nonsense://x" in capsys.readouterr().err
