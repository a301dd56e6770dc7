"""Names of spaces on maps; rows are counted from the top."""

from __future__ import annotations

from itertools import product

from pairing import Answers

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def space(row: int, column: int) -> str:
    return f"{LETTERS[column]}{row + 1}"


def squares(rows: int, columns: int) -> dict[int, Answers]:
    """Return the choices of a game in which something is laid on a space: row by row."""
    return {row * columns + column: (space(row, column),) for row, column in product(range(rows), range(columns))}


def rhombus(size: int) -> dict[int, Answers]:
    """Likewise, of hexagons: every second row begins one space further to the right."""
    return {row * size + column: (space(row, column + row // 2),) for row, column in product(range(size), repeat=2)}
