"""Marks of tables, as an edition's looks ask: measures beside names, who leads, and the spaces that have won."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.game import library
from rulewright.game.game import Game
from rulewright.publish.labels import Labels
from rulewright.server.views import seat_view

RULES = """\
rulewright: 1
title: Marks
players: 2
words: {colour: {black: {}, white: {}}}
boards: {grid: {of: cell, map: "ooo", legend: {o: {}}}}
sides: colour
pieces:
  card: {has: {value: 1 to 6}, starts in: deck, noun: "card {value}"}
  stone: {each: colour, copies: 3, starts in: box, noun: "{colour} stone"}
zones:
  deck: {holds: card, seen by: nobody, pile: yes}
  box: {holds: stone, seen by: all}
  place: {of: cell, holds: stone, seen by: all, at most: 1}
  hand: {of: seat, holds: card, seen by: owner}
  played: {of: seat, holds: card, seen by: all}
counters: {seat: {won: {starts at: no, shown: no}}}
setup: {do: [each seat: move top 2 of deck to hand]}
phases:
  play:
    do:
      - each seat:
          - choose 1 from hand into played: {ask: Which card?}
      - each seat:
          - choose 1 from cells where place is empty as spot: {ask: Where?}
          - move first 1 of my stones in box to spot's place
      - each first 1 of seats as winner: set won to yes
      - end game
ranking: {by: won first}
measures:
  secret: {title: worth, is: total value of hand}
  cards: {title: cards, is: number of hand}
looks:
  seats: {show: [secret, cards]}
  zones: {played: {leading: seats with highest total value of played}}
  boards:
    grid:
      winning: cells of my stones
      threatened: cells of my stones where b1's place is empty
      lit: cells of my stones where c1's place is not empty
      pale: cells where place is not empty
      areas: cells of my stones
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    file = tmp_path / "marks.yaml"
    file.write_text(RULES)
    return Game.start(library.load(str(file)), ["Ann", "Bo"], {}, 1)


def test_a_measure_is_shown_to_whoever_may_see_what_it_counts(game: Game) -> None:
    labels = Labels(game)
    onlooker, ann = seat_view.now(labels, None, 0), seat_view.now(labels, 0, 0)
    assert onlooker.measures == {"secret": (None, None), "cards": (2, 2)}
    worth = sum(int(card.split()[-1]) for card in ann.zones["hand/0/"].pieces or ())
    assert ann.measures == {"secret": (worth, None), "cards": (2, 2)}
    assert seat_view.own(labels, 0, None, onlooker)["measures"] == ann.measures


def test_whose_card_leads_and_where_somebody_has_won(game: Game) -> None:
    def take() -> None:
        (decision,) = game.decisions()
        game.answer(decision.seat, [decision.choices[-1].key])

    take()
    take()
    view = seat_view.now(Labels(game), None, 0)
    values = [int((view.zones[f"played/{seat}/"].pieces or ("",))[0].split()[-1]) for seat in range(2)]
    assert not (view.threatened or view.lit or view.pale or view.areas)
    assert view.leading == {"played": (values.index(max(values)),)} and view.winning == {}
    take()
    take()
    view = seat_view.now(Labels(game), None, 0)
    assert view.winning == {"cell": ("c1",)}
    assert view.threatened == {} and view.areas == {"cell": (("c1",), ("b1",))}


def test_what_is_in_danger_and_points_at_the_end(game: Game) -> None:
    for _ in range(3):
        (decision,) = game.decisions()
        game.answer(decision.seat, [decision.choices[-1].key])
    view = seat_view.now(Labels(game), None, 0)
    assert view.lit == view.pale == view.threatened == {"cell": ("c1",)} and view.areas == {"cell": (("c1",), ())}
    go = Game.start(library.load("classics/go"), ["Ann", "Bo"], {}, 1)
    go.answer(0, ["e5"])
    view = seat_view.now(Labels(go), None, 0)
    assert view.scores == {} and view.measures == {"komi": (None, 7.5)}
    for seat in (1, 0):
        go.answer(seat, [])
    assert seat_view.now(Labels(go), None, 0).scores["0"].total == 81


def test_a_mark_that_the_rules_do_not_define_here_is_left_out(tmp_path: Path) -> None:
    """Such as who leads a trick by the suit of a trump card, while no card is turned up."""
    file = tmp_path / "trump.yaml"
    file.write_text(
        RULES.replace("hand: {", "trump: {holds: card, seen by: all}\n  hand: {")
        .replace("is: number of hand", "is: number of hand + trump's value")
        .replace("highest total value of played", "highest (total value of played + trump's value)")
    )
    view = seat_view.now(Labels(Game.start(library.load(str(file)), ["Ann", "Bo"], {}, 1)), None, 0)
    assert view.leading == {"played": ()} and view.measures["cards"] == (None, None)
