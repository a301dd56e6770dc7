"""A game without pieces in which one answer is the best: players learn it in a moment."""

GUESS = """\
rulewright: 1
title: Guess
players: 2
options:
  long: {choices: {no: {text: Two turns.}, yes: {text: Four turns.}}, default: no}
values: {game: {rounds: {by: long, no: 2, yes: 4}}}
counters: {game: {turns: 0}, seat: {said: 0}}
phases:
  say:
    do:
      - each seat:
          - choose number from 0 to 3 as spoken: {ask: What do you say?}
          - set said to spoken
      - add 1 to turns
      - if turns is rounds: end game
scoring:
  said: {points: said}
ranking: highest score
"""
