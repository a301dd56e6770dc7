"""Clocks that run out, the computer that plays for people, conceding, and files about faults."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from clocks import TestClock
from game_servers import PATIENCE, Reader, begin, guessing, local_player, offered, reading, server
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.server.clock import Clock
from rulewright.server.limits import Limits
from rulewright.server.storage.database import OTHER_CHANGE
from rulewright.server.storage.records import Deadline
from rulewright.server.storage.store import Store
from rulewright.server.tables.deadline_timer import DeadlineTimer
from rulewright.server.tables.game_clock import MIN_AFTER_UNDO_SECONDS, next_deadline

MINUTE = 60
ROBOT = {"player": "random"}


@pytest.mark.parametrize("seconds", [1, 45, 72_000, 400 * 86_400])
def test_a_clock_gives_any_number_of_seconds(tmp_path: Path, seconds: int) -> None:
    with server(tmp_path, [guessing(tmp_path)], clock=TestClock()) as client:
        links = begin(client, local_player("Ann"), local_player("Bo"), clock=seconds)
        with reading(client, links["seats"][0]) as ann:
            assert ann.look(lambda state: state["deadline"])["deadline"] == TestClock().now() + seconds
            assert ann.table["clock"] == seconds


@pytest.mark.parametrize("seconds", [-60, 1.5, "60", 2**40])
def test_invalid_clocks_are_refused(tmp_path: Path, seconds: object) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        expected = {
            "edition": offered(client),
            "seats": [local_player("Ann"), local_player("Bo")],
            "options": {},
            "clock": seconds,
        }
        assert client.post("/tables", json=expected).status_code == 400


class Alarmed:
    """Host for a deadline timer, with a store whose clock jumps. looks: by how much it is ahead at each look;
    shortened: how often deadlines were searched."""

    def __init__(self, *looks: float) -> None:
        self.clock, self.closing, self.shortened = Clock(), False, 0
        self._looks = list(looks)

    async def with_store(self, work: Callable[[Any], Any]) -> Any:
        return work(self)

    def next_deadline(self) -> None:
        return None

    def now(self) -> float:
        now = time.monotonic() + self._looks[0]
        del self._looks[:1]
        self.closing = not self._looks
        return now

    def shorten_deadlines(self) -> list[int]:
        self.shortened += 1
        return [7]

    async def ring(self, game: int) -> bool:
        return False

    def changed(self, game: int, number: int) -> None:
        assert (game, number) == (7, OTHER_CHANGE)


AHEAD = 40 * 86_400.0


@pytest.mark.parametrize(("looks", "times"), [((0.0, 0.0), 1), ((0.0, 9.0), 1), ((AHEAD, AHEAD, 0.0, 0.0), 2)])
def test_deadlines_are_looked_through_at_the_beginning_and_when_a_clock_was_set_back(
    looks: tuple[float, ...], times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulewright.server.tables.deadline_timer._MAX_SLEEP_SECONDS", 0.0)
    monkeypatch.setattr(Store, "shorten_deadlines", Alarmed.shorten_deadlines)
    tables = Alarmed(*looks)
    asyncio.run(DeadlineTimer(tables).run())
    assert tables.shortened == times


def test_nobody_waits_longer_than_was_meant_where_a_clock_is_set_back() -> None:
    class SetBack(Clock):
        looks = iter([1000.0])

        def now(self) -> float:
            return next(self.looks, -1_000_000.0)

    async def waited() -> None:
        async with asyncio.timeout(PATIENCE):
            await SetBack().wait_until(1000.01)

    asyncio.run(waited())


@pytest.fixture
def clock() -> TestClock:
    return TestClock()


@pytest.fixture
def client(tmp_path: Path, clock: TestClock, database: str) -> Iterator[TestClient]:
    with server(tmp_path, [guessing(tmp_path)], clock=clock) as client:
        yield client


def away(reader: Reader) -> list[bool]:
    return [seat.get("away", False) for seat in reader.table.get("seats", [])]


def until_away(reader: Reader, *expected: bool) -> None:
    while away(reader) != list(expected):
        reader.next()


# ── clocks ──


@pytest.mark.rotating(4)
def test_the_computer_takes_over_when_the_time_has_run_out_and_hands_back(client: TestClient, clock: TestClock) -> None:
    links = begin(client, local_player("Ann"), local_player("Bo"), clock=MINUTE)
    with ExitStack() as stack:
        ann, bo = (stack.enter_context(reading(client, token)) for token in links["seats"])
        assert ann.look(lambda state: state["deadline"])["deadline"] == clock.now() + MINUTE
        assert ann.table["clock"] == MINUTE
        for key in ("1", "2"):
            ann.answer(key)
        clock.go(MINUTE)
        until_away(ann, False, True)
        state = ann.look(lambda state: state["asked"])
        assert state["deadline"] == clock.now() + MINUTE, "another move, and time for it"
        until_away(bo, False, True)
        bo.look(lambda state: state["ready"] == [1])
        bo.send(type="back")
        until_away(bo, False, False)
        for key in ("1", "2"):
            ann.answer(key)
        assert ann.look(lambda state: state["over"])["deadline"] == 0


def test_whoever_comes_back_before_the_computer_has_answered_has_time_again(tmp_path: Path) -> None:
    clock, limits = TestClock(), Limits(hold=10 * PATIENCE)
    with server(tmp_path, [guessing(tmp_path)], limits, clock=clock) as client, ExitStack() as stack:
        links = begin(client, local_player("Ann"), local_player("Bo"), clock=MINUTE)
        ann, bo = (stack.enter_context(reading(client, token)) for token in links["seats"])
        ann.look(lambda state: state["deadline"])
        clock.go(MINUTE)
        until_away(ann, True, True)
        bo.send(type="back")
        until_away(bo, True, False)
        assert bo.look(lambda state: state["deadline"] > clock.now())["deadline"] == clock.now() + MINUTE


def test_deadlines_reveal_nothing_sealed(client: TestClient, clock: TestClock) -> None:
    """Neither that somebody has begun to choose, nor that they went back."""
    links = begin(client, local_player("Ann"), local_player("Bo"), clock=MINUTE)
    with ExitStack() as stack:
        ann, bo = (stack.enter_context(reading(client, token)) for token in links["seats"])
        before = bo.look(lambda state: state["deadline"])["deadline"]
        clock.go(5)
        ann.answer("1")
        ann.send(type="undo")
        ann.look(lambda state: state["asked"] and state["asked"]["question"] == 2)
        ann.answer("3")
        assert ann.answer("2")["type"] == "kept"
        assert bo.look(lambda state: state["ready"])["deadline"] == before == ann.state["deadline"]


@pytest.mark.rotating(4)
@pytest.mark.usefixtures("database")
def test_deadlines_survive_a_restart(tmp_path: Path) -> None:
    clock = TestClock()
    with server(tmp_path, [guessing(tmp_path)], clock=clock) as client:
        links = begin(client, local_player("Ann"), local_player("Bo"), clock=MINUTE)
        with reading(client, links["seats"][0]) as ann:
            ann.look(lambda state: state["deadline"])
    with server(tmp_path, [], clock=TestClock(clock.now() + 2 * MINUTE)) as client:
        with reading(client, links["seats"][0]) as ann:
            until_away(ann, True, True)
            assert not ann.look(lambda state: True)["over"], "nobody was there: the table waits"
            ann.send(type="back")
            ann.look(lambda state: state["asked"] and state["ready"] == [1] and state["deadline"])


def test_undo_restores_the_time_that_was_left() -> None:
    first = next_deadline(None, 3, 100.0, MINUTE)
    assert first == Deadline(3, 160.0, MINUTE)
    second = next_deadline(first, 4, 150.0, MINUTE)
    assert second == Deadline(4, 210.0, 10.0)
    assert next_deadline(second, 3, 155.0, MINUTE) == Deadline(3, 155.0 + MIN_AFTER_UNDO_SECONDS, 10.0)


# ── leaving without a clock ──


@pytest.mark.rotating(3)
def test_the_computer_plays_for_whoever_asks_it_to(client: TestClient) -> None:
    links = begin(client, local_player("Ann"), local_player("Bo"))
    with ExitStack() as stack:
        ann, bo = (stack.enter_context(reading(client, token)) for token in links["seats"])
        ann.question()
        ann.send(type="leave")
        until_away(bo, True, False)
        bo.look(lambda state: state["ready"] == [0])
        ann.send(type="back")
        until_away(bo, False, False)


def test_the_host_lets_it_play_for_whoever_has_left(client: TestClient) -> None:
    links = begin(client, local_player("Ann"), local_player("Bo"), ROBOT)
    with reading(client, links["host"]) as host, reading(client, links["seats"][1]) as bo:
        bo.question()
        assert bo.refused(type="leave", seat=0) == "This link does not allow that."
        assert "Nobody plays this seat" in host.refused(type="leave", seat=2)
        host.send(type="leave", seat=0)
        until_away(bo, True, False, False)
        bo.look(lambda state: state["ready"] == [0, 2])
        bo.send(type="leave")
        until_away(bo, True, True, False)
        assert not bo.state["over"], "the table waits for whoever comes back first"


# ── conceding ──


def test_of_two_the_one_who_concedes_ends_the_game(client: TestClient, tmp_path: Path) -> None:
    links = begin(client, local_player("Ann"), local_player("Bo"))
    with ExitStack() as stack:
        ann, bo = (stack.enter_context(reading(client, token)) for token in links["seats"])
        ann.answer("1")
        bo.question()
        bo.send(type="concede")
        state = ann.look(lambda state: state["over"])
        assert (state["result"], state["headline"], state["reason"]) == (
            "Bo conceded. Winner: Ann.",
            "Ann wins",
            "Bo conceded.",
        )
        assert [(one["seat"], one["place"]) for one in state["standings"]] == [(0, "won"), (1, "lost")]
        assert state["asked"] is None
        assert "too late" in bo.refused(type="concede")
        ann.send(type="save")
        save = ann.until("save")["save"]
    again = Game.load(save, library.load(guessing(tmp_path)))
    assert again.over and again.conceded == (1,) and again.history.answer_keys() == [(0, ("1",))]
    with server(tmp_path, []) as later, reading(later, links["seats"][0]) as ann:
        assert ann.look(lambda state: state["over"])["result"] == "Bo conceded. Winner: Ann."


@pytest.mark.rotating(5)
def test_among_more_the_computer_plays_on_for_whoever_concedes(client: TestClient) -> None:
    links = begin(client, local_player("Ann"), local_player("Bo"), local_player("Cy"))
    with ExitStack() as stack:
        ann, bo, cy = (stack.enter_context(reading(client, token)) for token in links["seats"])
        bo.question()
        bo.send(type="concede")
        until_away(ann, False, True, False)
        assert "too late" in bo.refused(type="back")
        for _ in range(2):
            for reader in (ann, cy):
                for key in ("1", "2"):
                    reader.answer(key)
        state = ann.look(lambda state: state["over"])
        assert state["result"].startswith("Bo conceded. ")
        assert [(placed["seat"], placed["rank"]) for placed in state["standings"]] == [(0, 1), (2, 1), (1, 3)]


# ── a file about a fault ──


def test_a_file_about_a_fault_tells_its_reader_no_secret(client: TestClient) -> None:
    links = begin(client, local_player("Ann"), local_player("Bo"))
    with ExitStack() as stack:
        ann, bo = (stack.enter_context(reading(client, token)) for token in links["seats"])
        ann.question()
        before = fault(ann)
        assert "save" not in before and "seed" not in json.dumps(before)
        bo.answer("3")
        assert fault(ann) == before, "what somebody else seals is not in it"
        bo.answer("2")
        ann.look(lambda state: state["ready"])
        ann.answer("1")
        assert fault(ann)["answers"] == [["1"]] and fault(bo)["answers"] == [["3"], ["2"]]
        bo.send(type="concede")
        ann.look(lambda state: state["over"])
        after = fault(ann)
        assert after["save"]["seed"] is not None and len(after["rows"]) == 4


def fault(reader: Reader) -> dict[str, Any]:
    reader.send(type="report")
    results: dict[str, Any] = reader.until("reported")["report"]
    return results
