"""The same of games on boards: what each action there is here."""

from __future__ import annotations

from itertools import product
from typing import Any

from lockstep import Answers, Pairing
from spaces import rhombus, space, squares


def pentago() -> dict[int, Answers]:
    """A square, row by row, and one of eight turns: of each quarter both ways, clockwise from the upper left."""
    quarters = ("upper left", "upper right", "lower right", "lower left")
    senses = ("counterclockwise", "clockwise")
    return {
        (row * 6 + column) * 8 + 2 * quarter + sense: (space(row, column), quarters[quarter], senses[sense])
        for row, column, quarter, sense in product(range(6), range(6), range(4), range(2))
    }


def checkers() -> dict[int, Answers]:
    """From a square in one of four directions, one step, or two over a piece that is taken."""
    ways = ((-1, -1), (-1, 1), (1, 1), (1, -1))
    return {
        ((row * 8 + column) * 4 + way) * 2 + jump: (
            space(row, column),
            space(row + down * (1 + jump), column + across * (1 + jump)),
        )
        for row, column, (way, (down, across)), jump in product(range(8), range(8), enumerate(ways), range(2))
        if 0 <= row + down * (1 + jump) < 8 and 0 <= column + across * (1 + jump) < 8
    }


def checkers_class(state: Any, action: int) -> str:
    row, column = divmod(action // 8, 8)
    piece = "a king" if str(state).splitlines()[row][1 + column] in "8*" else "a man"
    return f"{piece} {'takes' if action % 2 else 'moves'}"


def hexagon(size: int) -> dict[int, Answers]:
    """Row by row of the square around it, in which each row begins half a space further to the left."""
    across = 2 * size - 1
    return {
        row * across + column: (space(row, column - (row + 1) // 2 + size // 2),)
        for row, column in product(range(across), repeat=2)
        if abs(row - column) < size
    }


def morris() -> dict[int, Answers]:
    """A point, to lay a man there or to take one; then from each point to each."""
    points = [
        *("a1", "d1", "g1", "b2", "d2", "f2", "c3", "d3", "e3", "a4", "b4", "c4"),
        *("e4", "f4", "g4", "c5", "d5", "e5", "b6", "d6", "f6", "a7", "d7", "g7"),
    ]
    laid: dict[int, Answers] = {number: (point,) for number, point in enumerate(points)}
    return laid | {24 + number: move for number, move in enumerate(product(points, repeat=2))}


def men(state: Any) -> list[int]:
    """How many of each seat have not been taken."""
    return [int(number) for number in str(state).partition("Num men:")[2].split()[:2]]


def morris_class(state: Any, action: int) -> str:
    if action < 24:
        return "a man is taken" if "Capture time" in str(state) else "a man is laid"
    return "a man jumps" if men(state)[state.current_player()] == 3 else "a man moves"


HEMMED_IN = [
    *(14, 1, 17, 9, 6, 23, 5, 18, 10, 21, 22, 16, 3, 15, 20, 11, 12, 8, 373, 1, 240, 523, 25, 350, 537, 500, 223, 148),
    *(427, 125, 196, 517, 4, 240, 573, 50, 320, 598, 348, 0, 496, 383, 86, 175, 427, 448, 294, 100, 373, 123, 356, 3),
    *(157, 179, 198),
]
"""A game of nine men's morris in which one side cannot move in the end."""


def morris_end(state: Any) -> str:
    if state.returns() == [0, 0]:
        return "a draw"
    return "too few men" if min(men(state)) == 2 else "no way to move"


WINS = frozenset({"Ada wins", "Ben wins"})
ENDS = WINS | {"a draw"}

BOARDS = {
    pairing.name: pairing
    for pairing in (
        Pairing(
            "checkers",
            checkers(),
            most_answers=2,
            final=frozenset(["move on.spot", "take.spot"]),
            class_of=checkers_class,
            meets=ENDS | {f"a {piece} {does}" for piece in ("man", "king") for does in ("takes", "moves")},
        ),
        Pairing("dark_hex", rhombus(3), secret=True, meets=WINS),
        Pairing("havannah", hexagon(8), meets=WINS),
        Pairing(
            "nine_mens_morris",
            morris(),
            most_answers=2,
            final=frozenset(["lay.spot", "shift.spot", "take.taken"]),
            class_of=morris_class,
            ended=morris_end,
            openings=([], [], HEMMED_IN),
            meets=frozenset(
                [
                    *("a man is laid", "a man is taken", "a man moves", "a man jumps"),
                    *("a draw", "too few men", "no way to move"),
                ]
            ),
        ),
        Pairing("phantom_ttt", squares(3, 3), secret=True, meets=ENDS),
        Pairing("pentago", pentago(), most_answers=3, meets=ENDS),
    )
}
