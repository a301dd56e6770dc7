"""Position hashes: equal where the pieces look the same, and else different."""

from __future__ import annotations

import random

import pytest

from machines import same_game
from rulewright.game import library
from rulewright.runtime import native
from rulewright.runtime.machine import Machine
from rulewright.runtime.position import TABLE, PositionError, build
from rulewright.runtime.state import State

BOARD = """
rulewright: 1
title: Board
players: 2
words: {colour: {black: {}, white: {}}}
boards: {board: {of: point, size: 4 by 3}}
pieces:
  stone: {each: colour, copies: 4, starts in: box, noun: "{colour} stone"}
  coin: {has: {side: 1 to 2}, changing: side, copies: 2, starts in: box, noun: "coin {side}"}
zones:
  box: {seen by: nobody}
  ground: {of: point, seen by: all, at most: 1}
  tower: {of: point, seen by: all, pile: yes}
  pocket: {of: seat, seen by: owner}
  front: {of: seat, seen by: all}
counters: {game: {there now: 0, seats there: 0}, stone: {damage: 0}}
phases:
  play:
    do:
      - shuffle box
      - roll coins
      - repeat 3 times:
          - choose at random 1 from points as there
          - if there's ground is empty: [move first 1 of box to there's ground]
            otherwise: [move first 1 of box to there's tower]
      - each seat:
          - move first 1 of box to front
          - choose at random 1 from front plus box into pocket
      - each stone in points as hit:
          - choose at random 1 from seats as lucky
          - if lucky is among first 1 of seats: [add 1 to hit's damage]
      - set there now to position of points
      - set seats there to position of seats
      - each seat: [choose up to 1 from front as seen]
      - end game
"""


def dealt(machine: Machine, seed: int) -> tuple[State, dict[str, int]]:
    s = machine.new(seed)
    machine.run(s)
    return s, {counter.name: s[counter.address] for counter in machine.program.layout.counters}


def zone_contents(machine: Machine, s: State, zones: tuple[str, ...]) -> tuple[object, ...]:
    """Return the appearance of a zone: of piles in order."""
    program = machine.program
    [damage] = (mark.address for mark in program.layout.marks if mark.name == "damage")
    results: list[object] = []
    for space in program.layout.zones:
        if space.name in zones:
            looks = [(program.appearance(s, piece), s[damage + piece]) for piece in s[space.address]]
            results.append(tuple(looks if space.name == "tower" else sorted(looks)))
    return tuple(results)


@pytest.mark.rotating(2)
def test_two_positions_have_one_hash_only_if_they_look_the_same() -> None:
    machine = library.from_text(BOARD).machine(2)
    known: dict[str, dict[object, int]] = {"there now": {}, "seats there": {}}
    again = 0
    for seed in range(1500):
        s, numbers = dealt(machine, seed)
        for name, zones in (("there now", ("ground", "tower")), ("seats there", ("front",))):
            looks = zone_contents(machine, s, zones)
            again += looks in known[name]
            assert known[name].setdefault(looks, numbers[name]) == numbers[name]
            assert 0 <= numbers[name] < 2**31 - 1
    assert again > 100
    for result in known.values():
        assert len(set(result.values())) == len(result)


def test_both_executors_have_the_same_hashes() -> None:
    pytest.importorskip("wasmtime")
    machine = library.from_text(BOARD).machine(2)
    other = native.Native(machine.program, ())
    for seed in range(20):
        same_game(machine, other, machine.new(seed), random.Random(seed).random, 20)


def test_a_written_position_holds_only_numbers_that_games_can_reach() -> None:
    machine = library.from_text(BOARD).machine(2)
    for number in (-(2**31), 2**31):
        with pytest.raises(PositionError, match="'there now' cannot be"):
            build(machine, 1, (None, None), {}, phase="play", zones={}, counters={("there now", TABLE): {0: number}})
    build(machine, 1, (None, None), {}, phase="play", zones={}, counters={("there now", TABLE): {0: 1 - 2**31}})
