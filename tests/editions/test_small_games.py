"""Small games of kinds that the shelf lacks: shapes of several spaces, offers to all, endless combinations."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.authoring.edition_check import examine
from rulewright.game import library
from rulewright.runtime import native
from rulewright.runtime.game_statistics import StatisticsLayout
from rulewright.runtime.operations import RuleError
from rulewright.runtime.state import State
from rulewright.simulation.chunk_player import random_answer_function
from rulewright.simulation.tally import Tally

CORNERS = """\
rulewright: 1
title: Corners
players: 2
words:
  direction: {north: {right: east}, east: {right: south}, south: {right: west}, west: {right: north}}
boards: {field: {of: square, size: 5 by 5, directions: direction}}
pieces:
  stone: {copies: 25, starts in: box}
zones:
  box: {seen by: all}
  ground: {of: square, seen by: all, at most: 1}
terms:
  direction: {possible: "any square has (fits for (it, direction, direction's right))"}
  game:
    cover: {for: {start: square, way: direction, side: direction}, is: start plus way of start plus side of start}
    fits:
      for: {start: square, way: direction, side: direction}
      is: number of (cover for (start, way, side)) is 3 and every (cover for (start, way, side)) has (ground is empty)
phases:
  play:
    text: Lay a corner of three squares.
    do:
      - each seat:
          - choose 1 from directions where possible as way: {ask: "Which way does it point?"}
          - if way is empty: end game
          - choose 1 from squares where fits for (it, way, way's right) as start: {ask: "Where is the corner?"}
          - each (cover for (start, way, way's right)) as place: move first 1 of box to place's ground
scoring:
  stones: {text: A point for each stone that is left., points: number of box}
"""
TRADING = """\
rulewright: 1
title: Trading
players: 3
words:
  ware: {wood: {noun: wood | wood}, clay: {noun: clay | clay}}
counters:
  seat: {goods: {for: ware, starts at: 2}}
phases:
  play:
    text: Offer some of one ware for some of another; whoever likes it takes it.
    do:
      - each seat:
          - may: {ask: Do you offer anything?, do: do offer}
      - end game
    steps:
      offer:
        text: Say what you give and what you want for it.
        do:
          - choose 1 from wares where my goods for it is at least 1 as given: {ask: What do you give?}
          - choose number from 1 to goods for given as size: {ask: How many?}
          - choose 1 from wares where it is not given as wanted: {ask: What do you want?}
          - choose number from 1 to 2 as price: {ask: How many?}
          - let trader be you
          - go round opponents:
              - if my goods for wanted is at least price and trader's goods for given is at least size:
                  - may:
                      ask: "Do you give {price} {wanted} for {size} {given}?"
                      do:
                        - take price from goods for wanted
                        - add size to goods for given
                        - take size from trader's goods for given
                        - add price to trader's goods for wanted
                        - log: "{seat} [trades|trade] with {trader}."
                        - end loop
              - drop out
scoring:
  goods: {text: A point for each ware., points: number of goods}
"""
COMBINATION = """\
rulewright: 1
title: Combination
players: 2
counters: {game: {pot: 0}}
phases:
  play:
    text: Begin the combination if you like.
    do:
      - each seat:
          - may: {ask: Do you?, do: [{repeat while pot is at least 0: [add 1 to pot, take 1 from pot]}]}
      - end game
scoring:
  pot: {text: The pot., points: pot}
"""


@pytest.mark.parametrize("text", [CORNERS, TRADING], ids=["corners", "trading"])
def test_small_games_have_no_warnings_and_play_natively(text: str, tmp_path: Path) -> None:
    pytest.importorskip("wasmtime")
    file = tmp_path / "game.yaml"
    file.write_text(text, encoding="utf-8")
    edition, report = examine(str(file))
    assert edition is not None and report.diagnostics == []
    seats, games = edition.seat_counts()[0], 20
    machine = library.from_text(text).machine(seats)
    counting = StatisticsLayout(machine.program)
    tally, words = Tally(counting, machine), []
    for seed in range(games):
        words.extend(tally.play(machine.new(seed), random_answer_function(seed, machine)))
    result = native.Bulk(machine.program, counting).counted_games(machine.new(0), range(games))
    assert (list(result.words), result.sums, result.stopped) == (words, tally.sums, {})


def ended(text: str, seats: int, seed: int) -> tuple[State, list[int]]:
    """A game by chance at its end, and each seat's points."""
    machine = library.from_text(text).machine(seats)
    s, answer = machine.new(seed), random_answer_function(seed, machine)
    while open_ := machine.run(s):
        machine.answer(s, open_[0], answer(s, open_[0]))
    function = machine.program.scoring[0].function
    return s, [int(machine.call(function, s, seat)[0][0]) for seat in range(seats)]


@pytest.mark.rotating(2)
def test_placing_shapes_ends_when_none_fits() -> None:
    """Three of 25 stones go with each corner."""
    left = {tuple(ended(CORNERS, 2, seed)[1]) for seed in range(20)}
    assert all(first == second and (25 - first) % 3 == 0 for first, second in left)
    assert {first for first, _ in left} <= {1, 4, 7, 10} and len(left) > 1


@pytest.mark.rotating(3)
def test_trading_loses_no_wares() -> None:
    points = [ended(TRADING, 3, seed)[1] for seed in range(40)]
    assert all(sum(each) == 3 * 2 * 2 for each in points)
    assert any(each != [4, 4, 4] for each in points)


@pytest.mark.rotating(2)
def test_an_endless_combination_is_refused_with_a_message() -> None:
    machine = library.from_text(COMBINATION).machine(2)
    s = machine.new(1)
    (question,) = machine.run(s)
    machine.answer(s, question, [1])
    with pytest.raises(RuleError, match="never come to an end in 'play'"):
        machine.run(s)
