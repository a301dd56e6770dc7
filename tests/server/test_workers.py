"""Several processes at one address."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

import databases
from databases import needs_postgresql
from game_servers import ask, children, local_player, process, within
from project_folders import GAMES
from rulewright import cli
from rulewright.game import library
from rulewright.server import workers
from rulewright.server.edition_registry import playable_edition
from rulewright.server.limits import Limits
from rulewright.server.listening_socket import ServingError, listen

EDITION = str(GAMES / "hex.yaml")
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")


@pytest.fixture
def postgresql() -> Iterator[str]:
    yield from databases.use(databases.POSTGRESQL)


@pytest.mark.parametrize("number", ["0", "2", "65"])
def test_several_processes_need_a_number_and_postgresql(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], number: str
) -> None:
    arguments = ["serve", "--port", "0", "--data", str(tmp_path), "--workers", number, "--lang", "en"]
    assert cli.main(arguments) == 2
    text = capsys.readouterr().err
    assert ("need tables in PostgreSQL" if number == "2" else "1 to 64 processes") in text
    assert not list(tmp_path.iterdir())


def test_processes_share_the_limits() -> None:
    whole = Limits(connections=10, waiting=8)
    share = whole.for_one_of(4)
    assert (share.connections, share.waiting) == (3, 2)
    assert replace(share, connections=10, waiting=8) == whole == whole.for_one_of(1)


@contextmanager
def free_before_taken() -> Iterator[tuple[int, int]]:
    """Yield a free port and the one after it, which is taken. Both are below those that systems hand out."""
    for port in range(20000, 30000):
        with suppress(ServingError), listen("127.0.0.1", port), listen("127.0.0.1", port + 1):
            break
    with listen("127.0.0.1", port + 1):
        yield port, port + 1


@needs_postgresql
@pytest.mark.usefixtures("postgresql")
def test_each_worker_needs_a_place_for_its_metrics(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_start_worker", lambda *_: pytest.fail("it was begun"))
    arguments = ["serve", "--port", "0", "--data", str(databases.location(tmp_path)), "--workers", "2", "--lang", "en"]
    with free_before_taken() as (free, occupied):
        assert cli.main([*arguments, "--metrics", str(free)]) == 2
    assert f"port {occupied}" in (text := capsys.readouterr().err) and "--metrics" in text
    assert cli.main([*arguments, "--metrics", "65535"]) == 2
    assert "'127.0.0.1:65536' is no place for metrics" in capsys.readouterr().err


@needs_postgresql
@pytest.mark.usefixtures("postgresql")
def test_each_process_is_begun_with_its_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    starts = list[Limits]()

    def work(number: int, listening: object, served: object, limits: Limits, *_: object) -> None:
        starts.append(limits)
        if len(starts) == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(workers, "_start_worker", work)
    monkeypatch.setattr(workers, "_stop_all", lambda _: None)  # there are none
    arguments = ["serve", "--port", "0", "--data", str(databases.location(tmp_path)), "--workers", "4", "--lang", "en"]
    assert cli.main([*arguments, "--connections", "1000"]) == 0
    whole = Limits()
    assert [limits.connections for limits in starts] == 4 * [1000 if hasattr(socket, "send_fds") else 250]
    assert [limits.waiting for limits in starts] == 4 * [whole.for_one_of(4).waiting]


@pytest.mark.rotating(10)
@needs_postgresql
@posix_only
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.usefixtures("postgresql")
def test_dead_workers_are_restarted_and_one_signal_ends_all(tmp_path: Path) -> None:
    with process(tmp_path, EDITION, "--workers", "2") as (running, address):
        expected = {
            "edition": playable_edition(library.load(EDITION)).pinned.digest,
            "seats": [local_player("Ann"), local_player("Bo")],
        }
        assert ask(address, "tables", {**expected, "options": {}})["seats"]
        before = children(running)
        assert len(before) == 2
        for child in before:
            os.kill(child, signal.SIGKILL)
        assert ask(address, "tables", {**expected, "options": {}})["seats"]
        within(lambda: until_there(running, before))
        after = children(running)
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 0
        assert not any(Path(f"/proc/{child}").exists() for child in (*before, *after))
    assert (tmp_path / "said.txt").read_text(encoding="utf-8") == ""


def until_there(running: subprocess.Popen[str], before: list[int]) -> None:
    while len(set(children(running)) - set(before)) < 2:
        continue
