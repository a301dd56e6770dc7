"""A small game in which seats take stones: short lines of play, and a value that changes what comes of them."""

STONES = """\
rulewright: 1
title: Stones
players: 2
words:
  colour: {red: , blue: }
pieces:
  stone: {each: colour, copies: 3, starts in: heap, noun: "{colour} stone"}
zones:
  heap: {seen by: all}
  bag: {of: seat, seen by: owner}
counters:
  seat: {turns: 0}
values:
  game: {step: 1}
phases:
  taking:
    do:
      - each seat: do take
      - if heap is empty: end game
    steps:
      take:
        do:
          - choose 1 from heap into bag:
              ask: Which stone do you take?
          - add step to turns
          - log: "{seat} takes a stone."
scoring:
  stones: {points: number of bag}
ranking: highest score
"""
OPEN_STONES = STONES.replace("takes a stone", "takes {bag}")
"""Edition like `STONES`, where everybody is told what is taken."""
