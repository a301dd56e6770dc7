"""Clocks that run out, the computer that plays for people, conceding, and files about faults."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from clocks import TestClock
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.server.limits import Limits
from rulewright.server.storage.records import Deadline
from rulewright.server.tables.game_clock import LEAST_AGAIN, following
from served import PATIENCE, Reader, begin, guessing, here, reading, server

MINUTE = 60
ROBOT = {"player": "random"}


@pytest.fixture
def clock() -> TestClock:
    return TestClock()


@pytest.fixture
def client(tmp_path: Path, clock: TestClock, database: str) -> Iterator[TestClient]:
    with server(tmp_path, [guessing(tmp_path)], clock=clock) as client:
        yield client


def away(reader: Reader) -> list[bool]:
    return [seat.get("away", False) for seat in reader.table.get("seats", [])]


def until_away(reader: Reader, *wanted: bool) -> None:
    while away(reader) != list(wanted):
        reader.next()


# ── clocks ──


def test_the_computer_takes_over_when_the_time_has_run_out_and_hands_back(client: TestClient, clock: TestClock) -> None:
    links = begin(client, here("Ann"), here("Bo"), clock=MINUTE)
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
        links = begin(client, here("Ann"), here("Bo"), clock=MINUTE)
        ann, bo = (stack.enter_context(reading(client, token)) for token in links["seats"])
        ann.look(lambda state: state["deadline"])
        clock.go(MINUTE)
        until_away(ann, True, True)
        bo.send(type="back")
        until_away(bo, True, False)
        assert bo.look(lambda state: state["deadline"] > clock.now())["deadline"] == clock.now() + MINUTE


def test_a_deadline_tells_nothing_of_what_is_sealed(client: TestClient, clock: TestClock) -> None:
    """Neither that somebody has begun to choose, nor that they went back."""
    links = begin(client, here("Ann"), here("Bo"), clock=MINUTE)
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


@pytest.mark.usefixtures("database")
def test_deadlines_survive_a_restart(tmp_path: Path) -> None:
    clock = TestClock()
    with server(tmp_path, [guessing(tmp_path)], clock=clock) as client:
        links = begin(client, here("Ann"), here("Bo"), clock=MINUTE)
        with reading(client, links["seats"][0]) as ann:
            ann.look(lambda state: state["deadline"])
    with server(tmp_path, [], clock=TestClock(clock.now() + 2 * MINUTE)) as client:
        with reading(client, links["seats"][0]) as ann:
            until_away(ann, True, True)
            assert not ann.look(lambda state: True)["over"], "nobody was there: the table waits"
            ann.send(type="back")
            ann.look(lambda state: state["asked"] and state["ready"] == [1] and state["deadline"])


def test_whoever_goes_back_gets_what_was_left() -> None:
    first = following(None, 3, 100.0, MINUTE)
    assert first == Deadline(3, 160.0, MINUTE)
    second = following(first, 4, 150.0, MINUTE)
    assert second == Deadline(4, 210.0, 10.0)
    assert following(second, 3, 155.0, MINUTE) == Deadline(3, 155.0 + LEAST_AGAIN, 10.0)


# ── leaving without a clock ──


def test_the_computer_plays_for_whoever_asks_it_to(client: TestClient) -> None:
    links = begin(client, here("Ann"), here("Bo"))
    with ExitStack() as stack:
        ann, bo = (stack.enter_context(reading(client, token)) for token in links["seats"])
        ann.asked()
        ann.send(type="leave")
        until_away(bo, True, False)
        bo.look(lambda state: state["ready"] == [0])
        ann.send(type="back")
        until_away(bo, False, False)


def test_the_host_lets_it_play_for_whoever_has_left(client: TestClient) -> None:
    links = begin(client, here("Ann"), here("Bo"), ROBOT)
    with reading(client, links["host"]) as host, reading(client, links["seats"][1]) as bo:
        bo.asked()
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
    links = begin(client, here("Ann"), here("Bo"))
    with ExitStack() as stack:
        ann, bo = (stack.enter_context(reading(client, token)) for token in links["seats"])
        ann.answer("1")
        bo.asked()
        bo.send(type="concede")
        state = ann.look(lambda state: state["over"])
        assert (state["result"], state["standings"], state["asked"]) == ("Bo has conceded.", [], None)
        assert "too late" in bo.refused(type="concede")
        ann.send(type="save")
        save = ann.until("save")["save"]
    again = Game.load(save, library.load(guessing(tmp_path)))
    assert again.over and again.conceded == (1,) and again.answers() == [(0, ("1",))]
    with server(tmp_path, []) as later, reading(later, links["seats"][0]) as ann:
        assert ann.look(lambda state: state["over"])["result"] == "Bo has conceded."


def test_among_more_the_computer_plays_on_for_whoever_concedes(client: TestClient) -> None:
    links = begin(client, here("Ann"), here("Bo"), here("Cy"))
    with ExitStack() as stack:
        ann, bo, cy = (stack.enter_context(reading(client, token)) for token in links["seats"])
        bo.asked()
        bo.send(type="concede")
        until_away(ann, False, True, False)
        assert "too late" in bo.refused(type="back")
        for _ in range(2):
            for reader in (ann, cy):
                for key in ("1", "2"):
                    reader.answer(key)
        state = ann.look(lambda state: state["over"])
        assert state["result"].startswith("Bo has conceded. ")
        assert [(placed["seat"], placed["rank"]) for placed in state["standings"]] == [(0, 1), (2, 1), (1, 3)]


# ── a file about a fault ──


def test_a_file_about_a_fault_tells_its_reader_no_secret(client: TestClient) -> None:
    links = begin(client, here("Ann"), here("Bo"))
    with ExitStack() as stack:
        ann, bo = (stack.enter_context(reading(client, token)) for token in links["seats"])
        ann.asked()
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
    found: dict[str, Any] = reader.until("reported")["report"]
    return found
