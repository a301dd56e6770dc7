"""A short game with something that never happens of every sort, and a first seat that wins too often."""

QUARRY = """\
rulewright: 1
title: Quarry
players: 2 to 3
words: {luck: {charm: }}
pieces:
  pebble: {copies: 9, starts in: heap}
  boulder: {starts in: field}
  talisman: {each: luck, starts in: field, power in: pouch}
zones:
  heap: {seen by: all}
  field: {seen by: all}
  pouch: {of: seat, seen by: all}
values:
  game:
    load: 2   # pebbles at once
  seat:
    worth: 1
counters: {game: {storms: 0}}
phases:
  dig:
    do:
      - each seat:
          - choose one:
              ask: What do you do?
              among:
                dig: {do: [move first load of heap to pouch]}
                bless: {if: any boulder in pouch, do: [move talismans in field to pouch]}
      - if storms is more than 0:
          - end game   # there are no storms
      - if heap is empty: end game
powers:
  charm: {text: It shines., change: {worth: 2}}
scoring:
  pebbles: {points: number of pebbles in pouch * worth}
ranking: highest score
"""
