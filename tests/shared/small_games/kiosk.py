"""A small game with zones of every kind."""

from __future__ import annotations

from rulewright.game import library
from rulewright.game.game import Game

TEXT = """\
rulewright: 1
title: Kiosk
players: 2
seats: 3
words:
  colour: {red: {}, blue: {}}
pieces:
  card: {each: colour, copies: 4, starts in: deck, power in: front, noun: "{colour} card"}
zones:
  deck: {seen by: nobody, pile: yes}
  hand: {of: seat, seen by: owner}
  front: {of: seat, seen by: owner}
  pile: {of: colour, seen by: all}
counters:
  game: {open: yes, trump: colour, lucky: seat, turn: seat, days: 3, debt: -2}
  seat: {gold: 1}
  colour: {worth: 2}
setup:
  do:
    - each seat: [move first 1 of deck to hand, move last 1 of deck to front]
    - move first 1 of (cards in deck where colour is red) to red's pile
    - each seat: add 1 to gold
    - set trump to blue
    - set turn to first 1 of players
phases:
  play:
    do:
      - all players at once: do bid
      - end game
    steps:
      bid:
        - choose up to 1 from hand as shown: {ask: Which?}
        - move shown to front
powers:
  blue: {change: {gain: +1}}
  red: {change: {gain: +2}}
values: {seat: {gain: 1}}
roles:
  bot: {title: Botty, joins: {2: required}, scored: no, uses powers: no}
scoring:
  gold: {points: gold * gain}
  hand: {points: number of hand where colour is red}
  days: {points: days}
ranking: highest score
options:
  late: {text: Later., change: {gain: +4}}
  tax:
    text: Taxed.
    choices: {none: {text: Not at all.}, low: {text: A little.}, high: {text: "Yes, indeed."}}
    default: none
"""


def kiosk(before: str = "", after: str = "") -> Game:
    """A game, some of its text replaced."""
    rules = library.from_text(TEXT.replace(before, after) if before else TEXT, "kiosk")
    choices = {"late": "yes", "tax": "high"}
    return Game.start(rules, ["Ada", "Ben", "Botty"], seed=1, roles={"Botty": "bot"}, options=choices)
