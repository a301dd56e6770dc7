"""Sets are closed: each form of a set, in parentheses, may stand wherever a set may, and means what a name for it
means."""

from __future__ import annotations

import re

import pytest

from rulewright.base import resources
from rulewright.game import library
from rulewright.game.game import Game

TABLE = """\
rulewright: 1
title: Sets
players: 3
words:
  colour: {{red: {{rank: 3}}, blue: {{rank: 1}}, green: {{rank: 2}}}}
boards: {{field: {{of: square, size: 3 by 3, directions: direction, columns: file, rows: line}}}}
pieces: {{card: {{has: {{colour: colour, value: 1 to 3}}, starts in: deck, noun: "{{colour}} {{value}}"}}}}
zones:
  deck: {{seen by: all}}
  row: {{seen by: all}}
  ground: {{of: square, seen by: all}}
  front: {{of: seat, seen by: all}}
counters:
  game: {{pot: 0, queue: {{list of: colour, at most: 5}}}}
  seat: {{gold: 5, ready: no, goods: {{for: colour, starts at: 2}}}}
  square: {{height: 1}}
terms:
  game:
    twice: {{for: {{those: cards}}, is: total value of those * 2}}
    meld: {{for: {{those: cards}}, is: number of those is 2 and total value of those is 4}}
    area: {{for: {{those: squares}}, is: number of those * 10}}
    crowd: {{for: {{those: seats}}, is: total gold of those}}
    beside: {{for: {{start: square, way: direction}}, is: way of start}}
    settled: squares where ground is not empty
phases:
  play:
    do:
      - let ada be first 1 of seats
      - set ada's ready to yes
      - move last 4 of deck to row
      - move last 2 of deck to b2's ground
      - move last 1 of deck to a1's ground
      - set c3's height to 4
      - as ada:
          - move last 1 of deck to front
          - let those be {form}
{lines}
      - end game
"""

FORMS = {
    "card": {
        "path": "row",
        "possession_of": "(left of (last 1 of seats))'s front",
        "where": "row where value is at most 2",
        "best": "row with highest value",
        "best_where": "row where value is at least 2 with lowest value",
        "union": "row plus deck",
        "inside": "cards in b2",
        "images": "ground of squares",
        "some_of": "last 2 of row",
        "group_of": "group 1 of row by colour",
        "outside": "row outside melds",
    },
    "square": {
        "path": "settled",
        "where": "squares where height is 4",
        "best": "squares with highest height",
        "best_where": "squares where file is 2 with highest height",
        "union": "a1 plus b2",
        "inside": "settled in neighbours of b1",
        "in_lines": "(squares where it is not b2) in lines of 3",
        "images": "south of a1",
        "connected": "(squares where it is not b2) connected to a1",
        "lookup": "beside for (a1, south)",
        "neighbours": "neighbours of b2",
        "some_of": "first 2 of squares",
        "whole_line": "south of a1 as far as possible",
        "line_to": "(east plus south) of a1 as far as height is 4",
        "line_along": "south of a1 as long as height is 1",
    },
    "seat": {
        "path": "opponents",
        "where": "seats where ready",
        "best": "seats with highest gold",
        "best_where": "seats where not ready with highest gold",
        "union": "you plus opponents",
        "some_of": "first 2 of seats",
        "next_of": "next of seats after (left of you)",
        "left_of": "left of (left of you)",
        "images": "owners of (front of seats)",
    },
}

ANY = (
    "{}",
    "number of {}",
    "first 1 of {}",
    "any {}",
    "no {} has (1 is at least 2)",
    "{} is empty",
    "{} plus {}",
    "(({} where it is it) plus {})",
    "number of {} where (it is among {})",
)
PLACES = {
    "card": (
        "cards in {}",
        "total value of {}",
        "total value of {} plus row",
        "highest value among {}",
        "highest (value + 1) among {}",
        "longest run of value among {}",
        "colours of {}",
        "number of colours of {}",
        "group 1 of {} by colour",
        "twice for {}",
        "(first 1 of {})'s value",
        "{} outside melds",
        "number of melds in {}",
        "number of (row where it is among {})",
        "seats where (front is not empty and any {} has (value is more than 0))",
        "squares of {}",
        "any {} has (value is 2)",
    ),
    "square": (
        "cards in {}",
        "neighbours of {}",
        "settled in {}",
        "{} in neighbours of b1",
        "{} in lines of 2",
        "squares connected to {}",
        "{} connected to a1",
        "{} connected to {}",
        "south of {}",
        "(south of {} as far as possible)",
        "(south of {} as far as it is among {})",
        "longest line of {}",
        "longest line of squares through {}",
        "position of {}",
        "distance between (first 1 of {}) and (last 1 of {})",
        "area for {}",
        "squares where (neighbours of it is among {} or it is among {})".replace("neighbours of it is", "b2 is"),
        "highest height among {}",
        "total height of {}",
        "ground of {}",
    ),
    "seat": (
        "front of {}",
        "owners of (front of {})",
        "total gold of {}",
        "total goods for red of {}",
        "number of (total goods of {})",
        "crowd for {}",
        "next of {} after you",
        "seats where it is among {}",
        "(first 1 of {})'s gold",
        "(first 1 of {})'s goods for red",
        "left of (last 1 of {})",
    ),
}
STATEMENTS = {
    "card": (
        "each {}: add 1 to pot",
        "each {} by highest value: add 1 to pot",
        "each group of {} by highest value as alike: add number of alike to pot",
        "move {} to top of row",
        "show {} to seats",
    ),
    "square": ("each {}: add 1 to pot", "move row to (first 1 of {})'s ground"),
    "seat": ("each {}: add gold to pot", "as (first 1 of {}): add gold to pot", "all {} at once: add 1 to gold"),
}

CASES = [(sort, form) for sort, forms in FORMS.items() for form in forms]


def play_log(text: str) -> list[str]:
    game = Game.start(library.from_text(text), ["Ada", "Ben", "Cleo"], seed=1)
    return [line.text for line in game.log.lines(None) if not line.heading]


@pytest.mark.rotating(3)
@pytest.mark.parametrize("sort, form", CASES)
def test_set_in_parentheses_means_the_same_as_a_name(sort: str, form: str) -> None:
    phrase = FORMS[sort][form]
    lines = [
        f'          - log: "{{{place.replace("{}", those)}}}"'
        for place in (*ANY, *PLACES[sort])
        for those in ("those", f"({phrase})")
    ]
    log = play_log(TABLE.format(form=phrase, lines="\n".join(lines)))
    assert len(log) == len(lines)
    for place, by_name, in_place in zip((*ANY, *PLACES[sort]), log[::2], log[1::2], strict=True):
        assert by_name == in_place, place


@pytest.mark.rotating(3)
@pytest.mark.parametrize("sort, form", CASES)
def test_set_in_parentheses_does_the_same_as_a_name(sort: str, form: str) -> None:
    phrase = FORMS[sort][form]
    for statement in STATEMENTS[sort]:
        ends = []
        for set_ in ("those", f"({phrase})"):
            head, colon, body = statement.replace("{}", set_).partition(": ")
            depth = "      " if statement.startswith("all") else "          "
            lines = [f"{depth}- {head}{f': {body}' if colon else ''}"]
            if statement.startswith("all"):
                lines = [f"      - let those be {phrase.replace('you', 'ada')}"] * (set_ == "those") + lines
            lines += ['      - log: "{pot} {row} {total gold of seats} {ground of squares}"']
            if statement.startswith("all") and re.search(r"\byou\b|opponents", phrase):
                break
            ends.append(play_log(TABLE.format(form=phrase, lines="\n".join(lines))))
        assert ends == ends[:1] * len(ends), statement


def test_every_form_of_a_set_is_covered() -> None:
    """Check all alternatives of the grammar's sets."""
    text = resources.read_text("spec", "sentences.lark")
    rules = re.sub(r"(?m)^//.*$", "", text)
    sets = rules.partition("?set:")[2].partition("?amount:")[0]
    sets = re.sub(r"(?ms)^\?condition:.*?^\?joined_set:", "?joined_set:", sets)
    in_grammar, tried = {"path", *re.findall(r"->\s*(\w+)", sets)}, {form for forms in FORMS.values() for form in forms}
    assert in_grammar == tried, "FORMS of this file has a row for each set of the grammar"
