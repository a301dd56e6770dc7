"""Taking back against the computer: as among people, until something comes to light."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import databases
from clocks import TestClock
from game_servers import Reader, begin, guessing, local_player, reading, server
from rulewright.server.limits import Limits
from rulewright.server.storage.records import LoggedAnswer
from rulewright.server.storage.store import Store
from small_games.drawers import DRAWERS

on_both = pytest.mark.usefixtures("database")

HOLD = Limits().hold
IN_TURN = """\
rulewright: 1
title: In Turn
players: 2 to 3
counters: {game: {turns: 0}, seat: {said: 0}}
phases:
  say:
    do:
      - each seat:
          - choose number from 0 to 99 as spoken: {ask: What do you say?}
          - set said to spoken
          - log: "{player} says {said}."
      - add 1 to turns
      - if turns is 9: end game
scoring:
  said: {points: said}
ranking: highest score
"""


def wait_for_line(reader: Reader, text: str) -> None:
    """Read until a line of the log says this."""
    reader.look(lambda state: text in [line.get("text") for line in reader.lines])


@pytest.fixture
def clock() -> TestClock:
    return TestClock()


@pytest.fixture
def client(tmp_path: Path, clock: TestClock) -> Iterator[TestClient]:
    with server(tmp_path, [guessing(tmp_path)], Limits(), clock=clock) as client:
        yield client


def sealed(reader: Reader, *keys: str) -> None:
    for key in keys:
        assert reader.answer(key)["type"] == "kept"


def test_bots_seal_while_people_think_and_nobody_waits_afterwards(client: TestClient) -> None:
    """The clock stands still."""
    links = begin(client, local_player("Ann"), {"player": "random"}, {"player": "random"})
    with reading(client, links["seats"][0]) as ann:
        for turn in (1, 2):
            state = ann.look(lambda state: state["ready"] == [1, 2])
            assert state["waiting"] == [0]
            sealed(ann, "1")
            ann.send(type="undo")
            ann.look(lambda state: state["asked"] and state["asked"]["prompt"] == "What first?")
            assert ann.state["ready"] == [1, 2], "only her own answer is taken back"
            sealed(ann, "3", "2")
            wait_for_line(ann, f"Turn {turn} is over.")
        assert ann.state["over"]


@on_both
def test_undo_takes_back_answers_of_bots_which_repeat_them(tmp_path: Path) -> None:
    path = tmp_path / "in-turn.yaml"
    path.write_text(IN_TURN, encoding="utf-8")
    with server(tmp_path, [str(path)]) as client:
        links = begin(client, local_player("Ann"), {"player": "random"}, {"player": "random"})
        with reading(client, links["seats"][0]) as ann:
            assert ann.answer("7")["type"] == "kept"
            text = ann.look(lambda state: state["asked"] and state["undo"])["counters"]["said"]
            ann.send(type="undo")
            state = ann.look(lambda state: state["asked"] and not state["undo"])
            assert state["counters"]["said"] == ["0", "0", "0"] and state["log"]["start"] == 1
            assert ann.answer("8")["type"] == "kept"
            again = ann.look(lambda state: state["asked"] and state["undo"])["counters"]["said"]
            assert again == ["8", *text[1:]], "nobody learns from what was taken back"
    with server(tmp_path, []) as later, reading(later, links["seats"][0]) as ann:
        ann.question()
        assert ann.state["counters"]["said"] == again and ann.state["undo"], "the log says what was taken back"


@on_both
def test_logs_of_undo_without_a_number_are_read(tmp_path: Path) -> None:
    """Earlier versions wrote such logs, also after the seals were broken."""
    with server(tmp_path, [guessing(tmp_path)]) as client:
        links = begin(client, local_player("Ann"), local_player("Bo"))
    store = Store(databases.location(tmp_path))
    entrance = store.grant(links["host"])
    assert entrance is not None
    ann = [(0, "guess", "1"), (0, "", ""), (0, "guess", "2"), (0, "doubt", "2")]
    rows = [*ann, (1, "guess", "1"), (1, "doubt", "3"), (1, "", ""), (1, "doubt", "0")]
    for number, (seat, decision, key) in enumerate(rows):
        row = LoggedAnswer(seat, f"guess.{decision}" if decision else "", (key,) if decision else None)
        store.answer(entrance.game, number, row)
    store.close()
    with server(tmp_path, []) as later, reading(later, links["seats"][1]) as bo:
        bo.question()
        assert "Turn 1 is over." in [line["text"] for line in bo.state["log"]["lines"]]


def test_a_confirmed_answer_needs_no_wait(tmp_path: Path, clock: TestClock) -> None:
    """The clock stands still: only what Ann says goes on."""
    path = tmp_path / "drawers.yaml"
    path.write_text(DRAWERS, encoding="utf-8")
    with server(tmp_path, [str(path)], Limits(), clock=clock) as client:
        links = begin(client, local_player("Ann"), {"player": "random"})
        with reading(client, links["seats"][0]) as ann:
            sealed(ann, "7")
            ann.look(lambda state: state["held"])
            assert ann.state["undo"]
            ann.send(type="stand")
            ann.look(lambda state: state["asked"])


def test_the_wait_of_a_bot_reveals_nothing(tmp_path: Path, clock: TestClock) -> None:
    """Some of the bot's answers reveal a card and another one nothing: it waits before each."""
    path = tmp_path / "drawers.yaml"
    path.write_text(DRAWERS, encoding="utf-8")
    views: set[bool] = set()
    with server(tmp_path, [str(path)], Limits(begun=1000), clock=clock) as client:
        while views != {True, False}:
            links = begin(client, local_player("Ann"), {"player": "random"})
            with reading(client, links["seats"][0]) as ann:
                assert ann.answer("7")["type"] == "kept"
                assert ann.look(lambda state: state["held"])["held"] == HOLD
                clock.go(HOLD)
                state = ann.look(lambda state: state["asked"])
                views.add(state["undo"])


SLIDING = """\
rulewright: 1
title: Sliding
players: 2
boards: {lane: {of: spot, size: 4 by 1}}
pieces: {stone: {copies: 2, starts in: bag}}
zones: {bag: {seen by: all}, ground: {of: spot, seen by: all, at most: 1}}
setup: {do: [move first 1 of bag to a1's ground, move first 1 of bag to b1's ground]}
phases:
  slide:
    do:
      - each seat:
          - choose 1 from spots where ground is not empty as start: {ask: Which stone?}
          - choose 1 from spots where ground is empty as goal: {ask: Where to?}
          - move start's ground to goal's ground
          - log: "{seat} slid from {start} to {goal}."
"""


@pytest.mark.rotating(3)
@on_both
def test_a_pick_is_replaced_by_one_answer(tmp_path: Path) -> None:
    path = tmp_path / "sliding.yaml"
    path.write_text(SLIDING, encoding="utf-8")
    with server(tmp_path, [str(path)]) as client:
        links = begin(client, local_player("Ann"), local_player("Bo"))
        with reading(client, links["seats"][0]) as ann, reading(client, links["seats"][1]) as bo:
            ann.send(type="try", question=ann.question()["question"])
            following = ann.until("tried")["leads"]["a1"]["next"]
            assert (following["words"], [choice["key"] for choice in following["choices"]]) == ("spot", ["c1", "d1"])
            assert ann.answer("a1")["type"] == "kept"
            (pick,) = ann.question()["picked"]
            assert pick["key"] == "a1" and [choice["key"] for choice in pick["choices"]] == ["a1", "b1"]
            number = ann.question()["question"]
            assert "b1" in ann.refused(type="answer", question=number, take=["b1"], back=1, next=[["b1"]])
            assert ann.refused(type="answer", question=number, take=["b1"], back=2)
            ann.send(type="answer", question=number, take=["b1"], back=1)
            ann.look(lambda state: state["asked"]["question"] > number)
            assert [pick["key"] for pick in ann.question()["picked"]] == ["b1"]
            number = ann.question()["question"]
            ann.send(type="answer", question=number, take=["a1"], back=1, next=[["d1"]])
            ann.look(lambda state: not state["asked"])
            bo.look(lambda state: state["asked"])
            assert bo.state["zones"] == ann.state["zones"] and len(bo.lines) == 2, "what was only picked is not logged"
            number = bo.question()["question"]
            assert "picked" not in bo.question(), "somebody else's move is no pick"
            assert bo.refused(type="answer", question=number, take=["b1"], back=1)
            assert bo.refused(type="answer", question=number, take=["b1"], next=[["c1"], ["c1"]])
            assert bo.answer("d1")["type"] == "kept"
    with server(tmp_path, []) as later, reading(later, links["seats"][1]) as bo:
        assert [pick["key"] for pick in bo.question()["picked"]] == ["d1"], "the log keeps what was picked"
