"""Lists of moves: board games of two sides are written down as their players write them."""

from __future__ import annotations

import random

import pytest

from rulewright.game import library
from rulewright.game.game import Game
from rulewright.model.editions import available
from whole_games import NAMES

ANSWERS = 24
"""Backgammon's dice are rolled by answers of their own."""


def of_two_sides() -> list[str]:
    """Classic games in which two sides play on one board."""
    classics = [name for name in available() if name.startswith("classics/")]
    editions = {name: library.load(name).edition for name in classics}
    return [name for name, edition in editions.items() if edition.sides and list(edition.seat_counts()) == [2]]


@pytest.mark.rotating(6)
@pytest.mark.parametrize("name", of_two_sides())
def test_moves_of_both_sides_have_a_notation(name: str) -> None:
    game, rng = Game.start(library.load(name), NAMES[:2], seed=2), random.Random(2)
    for _ in range(ANSWERS):
        decision = game.decisions()[0]
        game.answer(decision.seat, [rng.choice(decision.choices).key])  # never a pass, which may end the game
    lines = [game.log.line(number, None) for number in range(game.log.length)]
    assert {line.actor for line in lines if line.notation} == {0, 1}
