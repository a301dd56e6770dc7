"""The process that plays games beside the workbench: where it does not heed what is wanted, another takes its place."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from queue import Queue
from threading import Event

import pytest

import stuck_player
from rulewright.game import library
from rulewright.workbench.statistics import game_process
from rulewright.workbench.statistics.game_process import GameProcess
from rulewright.workbench.statistics.sample_requests import GamesRequest, TableRequest
from small_games.quarry import QUARRY

LONG = 30
"""Seconds for which anything is waited for."""


@pytest.fixture
def messages_received() -> Queue[tuple[str, str]]:
    return Queue()


@pytest.fixture
def process(messages_received: Queue[tuple[str, str]]) -> Iterator[GameProcess]:
    process = GameProcess(lambda key, kind, _: messages_received.put((key, kind)), stuck_player.serve)
    yield process
    process.close()


def games_request(key: str) -> GamesRequest:
    return GamesRequest(key, library.from_text(QUARRY).edition, TableRequest("random,random", ()))


@pytest.mark.rotating(2)
def test_a_stuck_process_is_ended_by_the_next_request(
    process: GameProcess, messages_received: Queue[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_process, "REQUEST_TIMEOUT", 0.1)
    process.request(games_request("stuck"))
    assert messages_received.get(timeout=LONG) == ("stuck", "figures")
    process.request(games_request("next"))
    assert messages_received.get(timeout=LONG) == ("next", "rest")


@pytest.mark.rotating(2)
def test_a_dead_process_is_reported_and_replaced(
    process: GameProcess, messages_received: Queue[tuple[str, str]]
) -> None:
    process.request(games_request("death"))
    assert messages_received.get(timeout=LONG) == ("death", "died")
    process.request(games_request("next"))
    assert messages_received.get(timeout=LONG) == ("next", "rest")


def test_unsendable_results_stop_nothing_else(
    process: GameProcess,
    messages_received: Queue[tuple[str, str]],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    tried = Event()

    def fail(kind: object) -> bytes:
        tried.set()
        raise RecursionError

    with monkeypatch.context() as failing:
        failing.setattr(pickle, "dumps", fail)
        process.request(games_request("odd"))
        assert tried.wait(LONG)
    process.request(games_request("death"))
    assert messages_received.get(timeout=LONG) == ("death", "died")
    assert "RecursionError" in caplog.text
