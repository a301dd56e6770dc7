"""Options that make no difference at a table."""

import pytest

from rulewright.game import library
from rulewright.model.idle_options import idle_options

TEXT = """\
rulewright: 1
title: Options
players: 2 to 4
pieces: {stone: {copies: 9, starts in: heap}}
zones: {heap: {seen by: all}}
counters: {seat: {coins: 1}}
values:
  game:
    prize: {by: number of seats, 2: 1, otherwise: 2}
phases:
  day:
    do:
      - if CONDITION: each seat: add prize to coins
      - if number of heap is 9: end game
scoring: {coins: {points: coins}}
options:
  small table: {text: A gift at small tables.}
  dearer: {text: Larger gifts., change: {prize: +1}}
"""


@pytest.mark.parametrize(
    ("condition", "idle_at"),
    [
        ("small table and number of seats is 3", [2, 4]),
        ("number of seats is at most 2 and small table", [3, 4]),
        ("small table and (number of heap is 9 and number of seats is more than 3)", [2, 3]),
        ("small table or number of seats is 3", []),
        ("not small table and number of seats is not 3", [3]),
        ("small table", []),
        ("number of heap is 9", []),  # nothing is known of what is never asked for
    ],
)
def test_an_option_used_only_with_other_seat_counts_is_idle(condition: str, idle_at: list[int]) -> None:
    text = TEXT.replace(
        "if CONDITION: each seat: add prize to coins", f"if {condition}:\n          - each seat: add prize to coins"
    )
    edition = library.from_text(text, "options").edition
    assert [seats for seats in (2, 3, 4) if idle_options(edition, seats) == {"small table"}] == idle_at
    assert all(idle_options(edition, seats) <= {"small table"} for seats in (2, 3, 4))


def test_an_option_used_in_a_word_list_is_not_idle() -> None:
    saying = "words: {sign: {sun: {do: [if small table: shuffle heap]}}}\ncounters:"
    text = TEXT.replace("if CONDITION: each seat: add prize to coins", "do what sun says")
    text = text.replace("if number of heap is 9", "if small table and number of seats is 3").replace(
        "counters:", saying
    )
    assert not idle_options(library.from_text(text, "options").edition, 2)
