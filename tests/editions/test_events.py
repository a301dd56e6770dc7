"""Events: what is waited for by every seat that has a power or plays a role, whoever brings it about."""

from __future__ import annotations

import random

import pytest

from machines import same_game
from rulewright.base.diagnostics import EditionError
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.runtime import native

WATCHERS = """
rulewright: 1
title: Watchers
players: 2 to 3
words: {bird: {owl: {}, jay: {}, kite: {}}}
pieces: {bird card: {each: bird, starts in: sky, noun: "{bird}", power in: tree}}
zones: {sky: {seen by: all}, tree: {of: seat, seen by: all}}
counters: {game: {days: 0}, seat: {nuts: 3}}
powers:
  owl: {whenever fly if it is not you: [add 1 to nuts, log: "{seat} saw {it} fly {far}."]}
  jay: {may whenever fly if far is more than 1: {ask: "Give {it} a nut?", do: [take 1 from nuts, as it: add 1 to nuts]}}
  kite: {after fly: add 10 to nuts, whenever dawn: [log: "{seat} wakes."]}
phases:
  play:
    do:
      - do dawn
      - each seat:
          - choose up to 1 from sky into tree: {ask: Which bird?}
          - choose number from 1 to 2 as far: {ask: How far?}
          - do fly for far
      - add 1 to days
      - if days is 3: end game
    steps:
      dawn: []
      fly: {for: {far: number}, do: []}
scoring: {nuts: {points: nuts}}
"""


@pytest.mark.parametrize("seed", range(6))
def test_both_executors_run_the_same_events(seed: int) -> None:
    pytest.importorskip("wasmtime")
    for seats in (2, 3):
        machine = library.from_text(WATCHERS).machine(seats)
        other = native.Native(machine.program, ())
        same_game(machine, other, machine.new(seed), random.Random(seed).random, 200)


def test_each_seat_acts_clockwise_from_the_seat_that_caused_it() -> None:
    game = Game.start(library.from_text(WATCHERS), ["Ada", "Ben"], seed=1)
    for seat, answer in ((0, "owl"), (0, "2"), (1, "jay"), (1, "2")):
        assert [decision.seat for decision in game.decisions()] == [seat]
        game.answer(seat, [answer])
    [question] = game.decisions()
    assert (question.seat, question.id, question.prompt) == (1, "jay.fly", "Give you a nut?")
    game.answer(1, ["yes"])  # gives it to itself
    game.answer(0, ["kite"])
    game.answer(0, ["2"])
    [question] = game.decisions()
    assert (question.seat, question.prompt) == (1, "Give Ada a nut?")
    game.answer(1, ["yes"])
    assert game.view(None).counters["nuts"] == (3 + 1 + 10 + 1, 3 - 1)


def test_events_inside_at_once_cannot_ask() -> None:
    sealed = WATCHERS.replace("each seat:", "all seats at once:").replace("into tree", "as seen")
    with pytest.raises(EditionError) as text:
        library.from_text(sealed)
    assert "nested-at-once" in str(text.value)
