"""A small game in which an answer of the second seat may reveal a card, and that of the first reveals nothing."""

DRAWERS = """\
rulewright: 1
title: Drawers
players: 2
pieces: {card: {has: {worth: 1 to 9}, starts in: box, noun: "card of {worth}"}}
zones:
  box: {seen by: nobody, pile: yes}
  hand: {of: seat, seen by: owner}
  table: {seen by: all}
counters: {seat: {said: 0}}
setup: {do: [shuffle box, each seat: [move top 3 of box to hand]]}
phases:
  play:
    do:
      - each seat where it is among first 1 of seats:
          - choose number from 0 to 9 as spoken: {ask: What do you say?}
          - set said to spoken
      - each seat where it is not among first 1 of seats:
          - choose up to 1 from hand as shown: {ask: Which card?}
          - move shown to table
scoring:
  said: {points: said}
ranking: highest score
"""
