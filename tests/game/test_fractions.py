"""Numbers with fractions as people read them, and as programs do."""

from __future__ import annotations

from rulewright.game import library
from rulewright.game.game import Game
from rulewright.publish.labels import Labels
from rulewright.publish.log_sections import winners

KOMI = """\
rulewright: 1
title: Komi
players: 2
words: {colour: {black: {komi: 0}, white: {komi: 7.5}}}
sides: colour
counters: {game: {rest: 0.0}, seat: {area: {starts at: 1234.25, noun: area}}}
phases:
  play:
    do:
      - each seat: add komi to area
      - each seat: [log: "{seat} has {area} [point|points], {komi} of them given."]
      - set rest to total area of seats - 2469
      - end game
scoring: {area: {points: area}}
"""


def test_fractions_are_written_as_in_each_language() -> None:
    game = Game.start(library.from_text(KOMI), ["Ada", "Ben"], seed=1)
    assert [line.text for line in game.log.lines(None)][1:] == [
        "Ada has 1,234.25 points, 0 of them given.",
        "Ben has 1,241.75 points, 7.5 of them given.",
    ]
    german = Labels(game, "de")
    rest = game.view(None).counters["rest"]
    assert isinstance(rest, int) and german.counter_value("rest", rest) == "7"
    assert german.counter_value("area", 1241.75) == "1.241,75" and german.counter_value("area", -0.5) == "−0,5"
    standings = game.standings()
    assert winners(standings, [game.names[one.seat] for one in standings]) == "Winner: Ben, 1,241.75 points."
    assert [(found.total, found.lines) for found in standings] == [
        (1241.75, (("Area", 1241.75),)),
        (1234.25, (("Area", 1234.25),)),
    ]
