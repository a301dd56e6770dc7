"""Sources of points: which steps have brought each seat its points."""

from __future__ import annotations

import re

import pytest

from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.point_sources import PointSource, point_sources
from rulewright.publish.labels import Labels
from rulewright.server.views.document import SheetRow
from rulewright.server.views.outcome import outcome, standings

MINES = """\
rulewright: 1
title: Mines
players: 3
counters: {seat: {gold: 0, silver: 0}}
setup: {do: [each seat: add 1 to gold]}
phases:
  dig:
    title: Digging
    do:
      - each seat:
          - choose number from 2 to 4 as found: {ask: How much?}
          - do find for found
          - do find for found
          - do pay
          - if found is 4:
              - add 6 to gold
              - log: "{seat} struck a vein of 6."
      - log: The mine is shut.
      - end game
    steps:
      find:
        title: Nuggets
        for: {amount: number}
        do:
          - add amount to gold
          - log: "{seat} found {amount} [nugget|nuggets]."
      pay:
        do:
          - take 1 from gold
          - log: "{seat} paid 1 for the lamp."
scoring: {gold: {points: gold}}
measures: {lucky: {title: lucky, is: gold is more than 5}}
looks: {seats: {points from: {pay: Lamps, dig: Veins}, final: lucky}}
"""
TOLD_BEFORE = re.sub(r"( +- (?:add|take) .*\n)( +- log: .*\n)", r"\2\1", MINES)
"""Rules whose log lines stand before the points that they tell."""


def played(rules: str) -> Game:
    game = Game.start(library.from_text(rules), ["Ada", "Ben", "Cy"], seed=1)
    for seat, number in enumerate(("2", "4", "3")):
        game.answer(seat, [number])
    return game


@pytest.mark.parametrize("rules", [MINES, TOLD_BEFORE])
def test_points_belong_to_the_step_that_tells_of_them(rules: str) -> None:
    assert set(point_sources(played(rules))) == {
        PointSource("", (1, 1, 1)),
        PointSource("find", (4, 8, 6)),
        PointSource("pay", (-1, -1, -1)),
        PointSource("dig", (0, 6, 0)),
    }


HIDDEN = """\
pieces: {coin: {has: {worth: 1 to 3}, noun: "{worth} coin", starts in: bank}}
zones: {bank: {seen by: nobody}, purse: {of: seat, seen by: owner}}
"""


def test_points_that_not_everybody_sees_have_no_sources() -> None:
    rules = MINES.replace("{points: gold}", "{points: gold + total worth of purse}") + HIDDEN
    assert point_sources(played(rules)) == ()


def test_a_score_of_several_lines_tells_its_sources_itself() -> None:
    assert point_sources(played(MINES.replace("{points: gold}}", "{points: gold}, silver: {points: silver}}"))) == ()


def test_the_score_sheet_names_sources_and_measures() -> None:
    game = played(MINES)
    sheet = outcome(Labels(game))
    assert sheet["sources"] == (
        SheetRow("Nuggets", (4, 8, 6)),
        SheetRow("Veins", (0, 6, 0)),
        SheetRow("Lamps", (-1, -1, -1)),
        SheetRow("At the start", (1, 1, 1)),
    )
    assert sheet["final"] == (SheetRow("Lucky", (0, 1, 1)),)
    assert outcome(Labels(Game.start(game.rules, ["Ada", "Ben", "Cy"], seed=1))) == {}


def test_who_has_not_won_is_told_the_own_place() -> None:
    words = [(one.told, one.margin) for one in standings(Labels(played(MINES)))]
    assert words == [("", ""), ("You are 2nd", "8 points behind Ben"), ("You are 3rd", "10 points behind Ben")]
