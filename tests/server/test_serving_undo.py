"""Taking back against the computer: as among people, until something comes to light."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import databases
from clocks import TestClock
from game_servers import Reader, begin, guessing, local_player, reading, server
from rulewright.server.limits import Limits
from rulewright.server.storage.records import LoggedAnswer
from rulewright.server.storage.store import Store

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


def test_bots_wait_before_they_complete_sealed_answers(client: TestClient, clock: TestClock) -> None:
    links = begin(client, local_player("Ann"), {"player": "random"}, {"player": "random"})
    with reading(client, links["seats"][0]) as ann:
        ann.look(lambda state: state["ready"] == [1])
        assert ann.state["waiting"] == [0, 2], "one of them does not answer before the people"
        sealed(ann, "1", "2")
        state = ann.look(lambda state: state["held"])
        assert (state["held"], state["undo"], state["waiting"]) == (HOLD, True, [2])
        ann.send(type="undo")
        assert ann.look(lambda state: state["asked"])["asked"]["prompt"] == "What then?"
        assert ann.state["held"] == 0 and ann.state["ready"] == [1]
        sealed(ann, "3")
        ann.look(lambda state: state["held"])
        clock.go(HOLD)
        state = ann.look(lambda state: state["asked"] and state["log"]["lines"])
        assert not state["undo"] and not state["held"]
        assert "Turn 1 is over." in [line.get("text") for line in ann.lines]


def test_a_confirmed_answer_needs_no_wait(client: TestClient) -> None:
    """The clock stands still: only what Ann says goes on."""
    links = begin(client, local_player("Ann"), {"player": "random"})
    with reading(client, links["seats"][0]) as ann:
        for _ in range(2):
            sealed(ann, "1", "2")
            ann.look(lambda state: state["held"])
            ann.send(type="stand")
            ann.look(lambda state: state["asked"] or state["over"])
        assert ann.state["over"]


def test_the_computer_waits_for_each_of_several_people(client: TestClient, clock: TestClock) -> None:
    links = begin(client, local_player("Ann"), local_player("Bo"), {"player": "random"})
    with ExitStack() as stack:
        ann, bo = (stack.enter_context(reading(client, token)) for token in links["seats"])
        sealed(ann, "1", "2")
        assert ann.state["held"] == 0, "it is Bo who is awaited"
        sealed(bo, "1", "2")
        for reader in (ann, bo):
            reader.look(lambda state: state["held"])
        ann.send(type="stand")
        ann.look(lambda state: not state["held"])
        assert bo.state["held"] and not bo.state["asked"]
        clock.go(HOLD)
        bo.look(lambda state: state["asked"])


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
    entrance = store.entrance(links["host"])
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


DRAWERS = """\
rulewright: 1
title: Drawers
players: 2
pieces: {card: {has: {worth: 1 to 9}, starts in: box, noun: "card of {worth}"}}
zones:
  box: {seen by: nobody, pile: yes}
  hand: {of: seat, seen by: owner}
  table: {seen by: all}
counters: {seat: {said: 0}}
setup: {do: [shuffle box, each seat: [move top 3 of box to hand]]}
phases:
  play:
    do:
      - each seat where it is among first 1 of seats:
          - choose number from 0 to 9 as spoken: {ask: What do you say?}
          - set said to spoken
      - each seat where it is not among first 1 of seats:
          - choose up to 1 from hand as shown: {ask: Which card?}
          - move shown to table
scoring:
  said: {points: said}
ranking: highest score
"""


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
