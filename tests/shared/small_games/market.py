"""A small edition to edit, and places in it: `|` is where the cursor stands."""

from __future__ import annotations

from pathlib import Path

from rulewright.editing import text_document
from rulewright.editing.text_document import OpenFile

MARKET = """\
rulewright: 1
title: Market
players: 2 to 4
text: Who has sold most wins.

words:
  ware: {cloth: , salt: }

pieces:
  card: {has: {good: ware}, copies: 5, starts in: deck, noun: "{good} card"}

zones:
  deck: {seen by: nobody, pile: yes}
  hand: {of: seat, seen by: owner, at most: hand limit}
  market: {seen by: all}

values:
  game:
    hand limit: number of seats + 1

counters:
  seat:
    coins: 0

setup:
  text: Everybody draws {hand limit} cards.
  do:
    - shuffle deck
    - each seat:
        - move top hand limit of deck to hand

phases:
  trade:
    text: On your turn, sell a card.
    do:
      - each seat:
          - do sell
      - if deck is empty: end game
    steps:
      sell:
        text: Lay a card onto the market.
        do:
          - choose 1 from hand as sold:
              ask: Which card?
          - add 2 to coins
          - move sold to market

ranking: highest coins
"""


def sheet(text: str = MARKET, before: OpenFile | None = None, path: str = "/games/market.yaml") -> OpenFile:
    return text_document.read(Path(path), text, before)


def cursor(marked: str, within: str = MARKET) -> tuple[str, int, int]:
    """A text with a stretch replaced by `marked`, which has a `|`, and the place of that, counted from 1.

    What stands before `=>` in `marked` is looked for, and what stands behind it comes instead.
    """
    old, _, new = marked.partition("=>")
    assert within.count(old) == 1, old
    text = within.replace(old, new)
    before, _, after = text.partition("|")
    return before + after, before.count("\n") + 1, len(before) - before.rfind("\n")


CASES = """\
edition: market.yaml
seats: [Ada, Ben]

cases:
  a sold ware brings two coins:
    explains: steps.sell
    text: Everybody may hold {hand limit} cards.
    given:
      phase: trade
      Ada: {hand: [cloth card, salt card]}
      deck: rest
    do:
      - Ada: salt card
    expect:
      market: [salt card]
      Ada: {coins: 2}

  the hand is dealt:
    do:
      - expect: {Ada: {hand: 3}}
    expect:
      phase: trade
"""
