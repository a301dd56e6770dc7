"""A small game in which seats count what they take, to be followed sentence by sentence."""

COUNTING = """rulewright: 1
title: Counting
players: 2
pieces:
  chip: {copies: 30, starts in: heap}
zones:
  heap: {seen by: all}
  hand: {of: seat, seen by: owner}
values:
  game: {most: 2}
counters:
  seat: {taken: 0}
setup:
  do:
    - shuffle heap
phases:
  take:
    do:
      - each seat:
          - choose number from 1 to most as wanted:
              ask: How many?
          - move top wanted of heap to hand
          - if number of hand is more than most: add 1 to taken
      - if heap is empty: end game
"""
