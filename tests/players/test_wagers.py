"""Bots raise what is at stake when clearly ahead, and give in when far behind."""

from __future__ import annotations

import random

import pytest

from rulewright.game import library
from rulewright.game.game import Game
from rulewright.players import make_player

DRAW = """\
rulewright: 1
title: A bead decides
players: 2
pieces:
  bead: {has: {red: 0 to 1}, copies: [BLUE, RED], starts in: bag, noun: "bead of {red}"}
zones: {bag: {seen by: all}}
counters:
  game: {stake: 1}
  seat: {gold: 0}
phases:
  play:
    do:
      - let starter be first 1 of seats
      - as starter:
          - choose one as offer:
              ask: Raise?
              among:
                stay: {text: Stay, do: []}
                raise: {text: Raise, do: do raise for you}
      - each seat: [choose number from 1 to 6 as idle: {ask: A number?}]
      - choose at random 1 from bag as lucky
      - as starter: [add stake * (2 * lucky's red - 1) to gold]
      - end game
    steps:
      raise:
        for: {raiser: seat}
        do:
          - each opponent:
              - choose one as reply:
                  ask: Do you go on?
                  among:
                    take: {text: Go on, do: set stake to 2 * stake}
                    drop: {text: Give in, do: [as raiser: add stake to gold, end game]}
scoring: {gold: {points: gold}}
"""


@pytest.mark.parametrize("kind", ["easy", "greedy", "search-20"])
@pytest.mark.parametrize(("red", "expected"), [(10, ("stay", "take")), (17, ("raise", "drop")), (2, ("stay", "take"))])
def test_the_chance_to_win_decides_what_is_staked(kind: str, red: int, expected: tuple[str, str]) -> None:
    """Some of 20 beads are red: one of these lets the first seat win."""
    rules = library.from_text(DRAW.replace("RED", str(red)).replace("BLUE", str(20 - red)), "beads")
    game = Game.start(rules, ["Ann", "Bo"], {}, 1)
    answers = []
    for seat, forced in ((0, "raise"), (1, "")):
        known, question = game.known(seat)
        answer = make_player(kind, game.machine).choose(known, question, random.Random(3))
        answers += game.offer(question).keys(answer)
        if forced:
            game.answer(seat, [forced])
    assert tuple(answers) == expected
