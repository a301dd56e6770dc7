"""Dominoes beside a model of its rules: which tiles fit, where the ends are, and what a hand earns."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest

from rulewright.game import library
from rulewright.game.game import Game

Tile = tuple[int, int]
NAMES = ["Ada", "Ben", "Cora", "Dan"]


def tile(name: str) -> Tile:
    high, low = name.rpartition(" ")[2].split("-")
    return int(high), int(low)


def hands(game: Game) -> list[set[Tile]]:
    return [set(map(tile, game.view(seat).zone("hand", seat).pieces or ())) for seat in range(len(game.names))]


def points(game: Game) -> list[float]:
    totals = {standing.seat: standing.total for standing in game.standings()}
    return [totals[seat] for seat in range(len(game.names))]


def laid(game: Game) -> list[Tile]:
    """Return the tiles of the line as they lie, from left to right."""
    pieces = game.view(None).zone("line").pieces or ()
    return [tile(name)[::-1] if name.startswith("turned") else tile(name) for name in pieces]


def earned(left: list[set[Tile]]) -> list[int]:
    """Return what each seat gets at the end of a hand."""
    weights = [sum(map(sum, hand)) for hand in left]
    is_best = [weight == min(weights) and weights.count(weight) == 1 for weight in weights]
    return [sum(weights) - 2 * weight if best else 0 for weight, best in zip(weights, is_best, strict=True)]


@pytest.mark.rotating(3)
@pytest.mark.parametrize("stock", ["block", "draw"])
def test_dominoes_is_played_as_in_a_model(stock: str) -> None:
    kinds = Counter[str]()
    for seats in (2, 3, 4):
        kinds += a_game(seats, stock)
    assert kinds["went out"] > 0
    assert kinds["blocked"] > 0


def a_game(seats: int, stock: str) -> Counter[str]:
    game = Game.start(library.load("classics/dominoes"), NAMES[:seats], {"stock": stock}, seats)
    chance, kinds = random.Random(seats), Counter[str]()
    while not game.over:
        [decision] = game.decisions()
        line, before, score, turn = laid(game), hands(game), points(game), game.view(None).round
        assert all(one[1] == other[0] for one, other in pairwise(line))
        ends = {line[0][0], line[-1][1]}
        assert {tile(choice.key) for choice in decision.choices} == {
            one for one in before[decision.seat] if ends & set(one)
        }
        key = chance.choice([choice.key for choice in decision.choices])
        game.answer(decision.seat, [key])
        if not game.over and "place" in game.decisions()[0].id:
            [decision] = game.decisions()
            tiles = game.view(None).zone("line").pieces or ()
            assert [choice.key for choice in decision.choices] == [tiles[0], tiles[-1]]
            game.answer(decision.seat, [chance.choice([choice.key for choice in decision.choices])])
        before[decision.seat].discard(tile(key))
        if game.over or game.view(None).round == turn + 1:  # not after a hand that nobody could play
            went_out = not before[decision.seat]
            kinds["went out" if went_out else "blocked"] += 1
            if went_out or stock == "block":  # else they have drawn what was left
                assert points(game) == [a + b for a, b in zip(score, earned(before), strict=True)]
    assert max(points(game)) >= 100
    return kinds
