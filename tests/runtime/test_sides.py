"""Partners have the rank of the best of them, in both executors."""

from __future__ import annotations

from rulewright.game import library
from rulewright.game.game import Game
from rulewright.runtime import native
from rulewright.runtime.native.fallback import Fallback

DRAWING = """\
rulewright: 1
title: Drawing
players: 2 to 5
words: {team: {sun: {}, moon: {}}}
sides: team
pieces: {card: {has: {value: 1 to 9}, copies: 2, starts in: deck, noun: "{value}"}}
zones: {deck: {seen by: nobody, pile: yes}, hand: {of: seat, seen by: all}}
phases:
  play:
    do:
      - shuffle deck
      - each seat: move top 1 of deck to hand
      - end game
scoring: {value: {points: total value of hand}}
"""


def test_partners_share_the_rank_of_the_best() -> None:
    rules = library.from_text(DRAWING)
    for seed in range(20):
        standings = Game.start(rules, ["Ada", "Ben", "Cleo", "Dora", "Eve"], seed=seed).standings()
        best = {side: max(one.total for one in standings if one.seat % 2 == side) for side in (0, 1)}
        for one in standings:
            ahead = [other for other in standings if best[other.seat % 2] > best[one.seat % 2]]
            assert one.rank == 1 + len(ahead)
        assert {one.rank for one in standings} in ({1}, {1, 3}, {1, 4})


def test_native_games_have_the_same_ranks() -> None:
    rules = library.from_text(DRAWING)
    for seats in (2, 4, 5):
        machine = rules.machine(seats)
        program = machine.program
        executor = native.Native(program, range(len(program.functions)))
        new = machine.new(0)
        assert list(executor.games(new, range(50))) == list(Fallback(program, "").games(new, range(50)))
