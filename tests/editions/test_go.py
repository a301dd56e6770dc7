"""Go beside a model of its published rules: where stones may lie, what is taken, and how points are counted."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping

import pytest

from rulewright.game import library
from rulewright.game.game import Game

Board = Mapping[str, int]
"""Seat of the stone on each point; empty points are left out."""

SIZE = 9
COLUMNS = "abcdefghj"
POINTS = [f"{column}{row}" for column in COLUMNS for row in range(1, SIZE + 1)]


def neighbours(point: str) -> list[str]:
    column, row = COLUMNS.index(point[0]), int(point[1:])
    around = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
    return [f"{COLUMNS[a]}{b}" for a, b in around if 0 <= a < SIZE and 1 <= b <= SIZE]


def connected(board: Board, start: str) -> set[str]:
    """Return the points of one content that are connected to a point."""
    group, left = {start}, [start]
    while left:
        new = {one for one in neighbours(left.pop()) if board.get(one) == board.get(start)} - group
        group |= new
        left += new
    return group


def around(group: Iterable[str]) -> set[str]:
    return {one for point in group for one in neighbours(point)}


def after(board: Board, point: str, seat: int) -> dict[str, int] | None:
    """Return the board after a stone, or None where it would have no liberty."""
    result = {**board, point: seat}
    for other in neighbours(point):
        if result.get(other) == 1 - seat and not around(chain := connected(result, other)) - result.keys():
            result = {place: owner for place, owner in result.items() if place not in chain}
    return result if around(connected(result, point)) - result.keys() else None


def area(board: Board, seat: int) -> int:
    surrounded = [
        point
        for point in POINTS
        if point not in board and {board[one] for one in around(connected(board, point)) & board.keys()} == {seat}
    ]
    return list(board.values()).count(seat) + len(surrounded)


@pytest.mark.rotating(6)
def test_go_is_played_as_in_a_model() -> None:
    kinds = Counter[str]()
    for seed in range(2):
        kinds += a_game(seed)
    assert kinds["ko"] > 0
    assert kinds["suicide"] > 0
    assert kinds["taken"] > 20


def a_game(seed: int) -> Counter[str]:
    game, chance = Game.start(library.load("classics/go"), ["Ada", "Ben"], seed=seed), random.Random(seed)
    kinds = Counter[str]()
    board: dict[str, int] = {}
    past = {frozenset(board.items())}
    while not game.over:
        [decision] = game.decisions()
        offered = {choice.key for choice in decision.choices}
        results = {point: after(board, point, decision.seat) for point in POINTS if point not in board}
        again = {point for point, result in results.items() if result and frozenset(result.items()) in past}
        legal = {point for point, result in results.items() if result} - again
        assert legal <= offered <= legal | again
        kinds["ko"] += bool(again - offered)
        kinds["suicide"] += None in results.values()
        keys = [one for one in [chance.choice(["", *sorted(offered)])] if one]
        game.answer(decision.seat, keys)
        for point in set(keys) - again:
            new = results[point]
            assert new is not None
            kinds["taken"] += len(board) + 1 - len(new)
            board = new
            past.add(frozenset(board.items()))
    zones = [zone for zone in game.view(None).zones if zone.name == "place" and zone.pieces]
    assert board == {zone.word: int("white" in str(zone.pieces)) for zone in zones}
    points = {standing.seat: standing.total for standing in game.standings()}
    assert points == {0: area(board, 0), 1: area(board, 1) + 7.5}
    return kinds
