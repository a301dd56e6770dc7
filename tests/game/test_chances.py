"""Enumeration of chance outcomes with their odds."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import rulewright
from project_folders import GAMES
from rulewright.game import library
from rulewright.game.chance_outcomes import PossibleGame
from rulewright.runtime.chance_enumeration import TooManyOutcomes

OPENSPIEL = Path(__file__).parents[1] / "openspiel"

RANDOM_CHOICE = """\
rulewright: 1
title: Drawn
players: 1
pieces:
  card: {has: {value: 1 to 4}, starts in: deck, noun: "{value}"}
zones: {deck: {seen by: nobody}, row: {seen by: all}}
phases:
  play:
    do:
      - each seat:
          - may: {ask: "Draw two?", do: [choose at random 2 from deck into row]}
      - end game
"""


def odds_of(outcomes: list[PossibleGame], zone: str, seat: int | None = None) -> dict[tuple[str, ...], Fraction]:
    odds: dict[tuple[str, ...], Fraction] = {}
    for outcome in outcomes:
        pieces = outcome.game.view(seat).zone(zone, owner=seat).pieces or ()
        odds[pieces] = odds.get(pieces, Fraction(0)) + outcome.odds
    return odds


def test_a_rolled_die_has_six_equal_outcomes() -> None:
    game = rulewright.Game.start(library.load(str(OPENSPIEL / "pig.yaml")), ["Ada", "Ben"], seed=1)
    before = game.state
    outcomes = rulewright.outcomes(game, 0, ["roll"])
    assert odds_of(outcomes, "table") == {(str(face),): Fraction(1, 6) for face in range(1, 7)}
    assert game.state == before
    [one] = [outcome.game for outcome in outcomes if outcome.game.view(None).zone("table").pieces == ("1",)]
    assert [seat for seat, _ in one.pending.ids] == [1], "who rolls a 1 has lost the turn"


def test_an_answer_without_chance_has_one_outcome() -> None:
    game = rulewright.Game.start(library.load(str(OPENSPIEL / "pig.yaml")), ["Ada", "Ben"], seed=1)
    [only] = rulewright.outcomes(game, 0, ["stop"])
    assert only.odds == 1
    assert [seat for seat, _ in only.game.pending.ids] == [1]


def test_dealt_cards_have_equal_odds() -> None:
    beginnings = rulewright.beginnings(library.load(str(OPENSPIEL / "kuhn_poker.yaml")), ["Ada", "Ben"])
    assert sum(outcome.odds for outcome in beginnings) == 1
    for seat in range(2):
        assert odds_of(beginnings, "hand", seat) == {(str(card),): Fraction(1, 3) for card in (1, 2, 3)}


def test_pieces_chosen_at_random_have_equal_odds() -> None:
    game = rulewright.Game.start(library.from_text(RANDOM_CHOICE), ["Ada"])
    pairs = odds_of(rulewright.outcomes(game, 0, ["yes"]), "row")
    assert pairs == {(str(a), str(b)): Fraction(1, 6) for a in range(1, 5) for b in range(a + 1, 5)}


def test_possible_games_can_be_played_on() -> None:
    game = rulewright.Game.start(library.from_text(RANDOM_CHOICE), ["Ada"])
    for outcome in rulewright.outcomes(game, 0, ["yes"]):
        assert outcome.game.over
        assert outcome.game.machine is game.machine


def test_a_shuffled_deck_has_too_many_outcomes() -> None:
    with pytest.raises(TooManyOutcomes, match=r"Chance can come to more than 10,000 outcomes here\."):
        rulewright.beginnings(library.load(str(GAMES / "trumps.yaml")), ["Ada", "Ben", "Cleo"])


def test_an_answer_that_is_not_offered_is_refused() -> None:
    game = rulewright.Game.start(library.from_text(RANDOM_CHOICE), ["Ada"])
    with pytest.raises(rulewright.AnswerError):
        rulewright.outcomes(game, 0, ["perhaps"])
