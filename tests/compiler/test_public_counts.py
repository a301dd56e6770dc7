"""Score lines that depend only on numbers of pieces are public; those that depend on which pieces are not."""

from __future__ import annotations

import pytest

from rulewright.game import library

TABLE = """\
rulewright: 1
title: Counts
players: 2
words: {{colour: {{red: {{}}, blue: {{}}}}}}
pieces:
  card: {{has: {{colour: colour, value: 1 to 3}}, starts in: deck, noun: "{{colour}} {{value}}"}}
  coin: {{copies: 2, starts in: deck}}
zones:
  deck: {{seen by: nobody}}
  hand: {{of: seat, seen by: owner, holds: card}}
  purse: {{of: seat, seen by: owner}}
  front: {{of: seat, seen by: all}}
scoring: {{line: {{points: "{points}"}}}}
phases: {{play: {{do: [end game]}}}}
"""


@pytest.mark.parametrize(
    "points, seen_by",
    [
        ("number of hand", "all"),
        ("number of cards in hand", "all"),
        ("number of (hand plus front)", "all"),
        ("number of deck + number of front", "all"),
        ("number of (left of you)'s hand", "all"),
        ("highest of (number of hand, 1)", "all"),
        ("number of seats where (hand is empty)", "all"),
        ("number of seats where (any card in hand)", "all"),
        ("number of (seats with highest (number of hand))", "all"),
        ("number of coins in purse", "owner"),
        ("number of hand where value is 1", "owner"),
        ("number of colours of hand", "owner"),
        ("number of ((left of you)'s hand where value is 1)", "nobody"),
        ("total value of hand", "owner"),
        ("total value of hand plus front", "owner"),
        ("number of (cards in deck where value is 1)", "nobody"),
        ("number of seats where (first 1 of cards is among hand)", "nobody"),
        ("number of ((cards where value is 1) in hand)", "owner"),
        ("number of seats where (any card in hand has (value is 1))", "nobody"),
    ],
)
def test_visibility_of_score_lines(points: str, seen_by: str) -> None:
    rules = library.from_text(TABLE.format(points=points))
    [line] = rules.machine(2).program.scoring
    assert line.seen_by == seen_by
