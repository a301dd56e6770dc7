"""Simulation on a Dask cluster: a real scheduler and real workers, one of which is killed in mid-run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Barrier, Event

import pytest

import rulewright
from project_folders import GAMES, ROOT
from results_folders import contents
from rulewright.simulation import cluster
from rulewright.simulation.chunk_player import Work
from rulewright.simulation.cluster import ClusterError
from rulewright.simulation.command import RunRequest, play
from rulewright.simulation.folder import Folder
from rulewright.simulation.plan import Chunk

distributed = pytest.importorskip("distributed")

GOOFSPIEL = str(GAMES / "goofspiel.yaml")
Process = subprocess.Popen[str]


def started(stack: ExitStack, *arguments: str) -> Process:
    """A command of Dask, which is ended with the stack."""
    environment = {**os.environ, "PYTHONPATH": str(Path(rulewright.__file__).parents[1])}
    process = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]],
        env=environment,
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )
    stack.callback(process.wait)
    stack.callback(process.kill)
    return process


def wait_for_line(process: Process, pattern: str) -> str:
    """Wait for a line of a process that matches, and return it."""
    assert process.stderr is not None
    for line in process.stderr:
        if match := re.search(pattern, line):
            return match[1]
    raise AssertionError(f"it never said {pattern}")


@pytest.fixture
def scheduler() -> Iterator[str]:
    with ExitStack() as stack:
        process = started(stack, "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        yield wait_for_line(process, r"Scheduler at:\s+(tcp://127\.0\.0\.1:\d+)")


@pytest.fixture
def workers(scheduler: str) -> Iterator[list[Process]]:
    with ExitStack() as stack:
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
        processes = [started(stack, "dask_worker", scheduler, *options) for _ in range(4)]
        for process in processes:
            wait_for_line(process, r"(Registered to)")
        yield processes


@pytest.mark.rotating(12)
def test_cluster_gives_the_same_rows_though_a_worker_is_killed(
    scheduler: str, workers: list[Process], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(Work, "games_per_chunk", lambda self: 5)
    expected = RunRequest(GOOFSPIEL, 100, quiet=True)
    assert play(replace(expected, out=tmp_path / "here", processes=1)).status == 0
    keep = Folder.save

    def killing(self: Folder, chunk: Chunk, tables: Mapping[str, bytes]) -> None:
        if workers[0].poll() is None:
            workers[0].kill()
            workers[0].wait()
        keep(self, chunk, tables)

    monkeypatch.setattr(Folder, "save", killing)
    assert play(replace(expected, out=tmp_path / "there", cluster=scheduler)).status == 0
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert [worker.poll() for worker in workers[1:]] == [None] * 3

    monkeypatch.setattr(cluster, "__version__", "99")
    with pytest.raises(ClusterError, match=r"The worker tcp://.* has Rulewright .*, and this is 99"):
        play(replace(expected, out=tmp_path / "more", cluster=scheduler))


@pytest.mark.rotating(2)
def test_cluster_without_workers(scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(ClusterError, match="The cluster has no workers"):
        play(RunRequest(GOOFSPIEL, 10, quiet=True, out=tmp_path / "run", cluster=scheduler))


def test_cluster_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(cluster, "SECONDS_TO_CONNECT", 0.1)
    for address in ("127.0.0.1:1", "nonsense://x", ""):
        with pytest.raises(ClusterError, match=f"There is no Dask scheduler at '{address}'"):
            play(RunRequest(GOOFSPIEL, 10, quiet=True, out=tmp_path / "run", cluster=address))


_JOINED, _ARRIVED = Event(), Event()
_MEETING = Barrier(3, _ARRIVED.set, timeout=60)


def played_together(_: Work, chunk: Chunk) -> Chunk:
    """Wait, once others have joined, until three play at once."""
    if _JOINED.is_set() and not _ARRIVED.is_set():
        _MEETING.wait()
    return chunk


def test_workers_that_join_later_play_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "SECONDS_TO_LOOK", 0)
    monkeypatch.setattr(cluster, "play_chunk", played_together)
    chunks = [Chunk(0, 10 * number, 10) for number in range(30)]
    local = distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None)
    with local, local.get_client() as client:
        playing = cluster._once(client, Work(None, ()), chunks)  # type: ignore[arg-type]
        results = [next(playing)[0]]
        local.scale(3)
        client.wait_for_workers(3)
        _JOINED.set()
        results += [chunk for chunk, _, _ in playing]
    assert _ARRIVED.is_set() and sorted(results, key=lambda chunk: chunk.first) == chunks
