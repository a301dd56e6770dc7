"""Which editions are held against which of OpenSpiel's games, and what each of its actions is here.

The tables are worked out from how OpenSpiel numbers actions; they know nothing of a position.
"""

from __future__ import annotations

from itertools import product

from lockstep import Answers, Pairing
from rulewright.game.game import Game

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def space(row: int, column: int) -> str:
    """As maps here call it: rows are counted from the top."""
    return f"{LETTERS[column]}{row + 1}"


def squares(rows: int, columns: int) -> dict[int, Answers]:
    """Of a game in which something is laid on a space: row by row."""
    return {row * columns + column: (space(row, column),) for row, column in product(range(rows), range(columns))}


def rhombus(size: int) -> dict[int, Answers]:
    """Likewise, of hexagons: every second row begins one space further to the right."""
    return {row * size + column: (space(row, column + row // 2),) for row, column in product(range(size), repeat=2)}


def breakthrough() -> dict[int, Answers]:
    """From a square in one of six directions, the three downwards first; and whether something is taken there, which
    is not said here."""
    found: dict[int, Answers] = {}
    for row, column, way, taken in product(range(8), range(8), range(6), range(2)):
        down, across = (1, way - 1) if way < 3 else (-1, way - 4)
        if 0 <= row + down < 8 and 0 <= column + across < 8:
            number = ((row * 8 + column) * 6 + way) * 2 + taken
            found[number] = (space(row, column), space(row + down, column + across))
    return found


def clobber() -> dict[int, Answers]:
    """From a square up, right, down or left."""
    found: dict[int, Answers] = {}
    for row, column, (way, (down, across)) in product(
        range(5), range(6), enumerate(((-1, 0), (0, 1), (1, 0), (0, -1)))
    ):
        if 0 <= row + down < 5 and 0 <= column + across < 6:
            found[(row * 6 + column) * 4 + way] = (space(row, column), space(row + down, column + across))
    return found


def nim() -> dict[int, Answers]:
    """So many from one of four heaps: first one from each, then two from each, and so on."""
    heaps = ("ones", "threes", "fives", "sevens")
    return {(amount - 1) * 4 + heap: (heaps[heap], str(amount)) for amount in range(1, 8) for heap in range(4)}


def pips(before: Game, after: Game) -> list[int]:
    """Outcomes of a die are numbered from 0."""
    [table] = after.view(None).zones
    assert table.pieces is not None
    return [int(table.pieces[0]) - 1]


PASS = 64
PAIRINGS = {
    pairing.theirs.partition("(")[0]: pairing
    for pairing in (
        Pairing("tic_tac_toe.yaml", "tic_tac_toe", squares(3, 3)),
        Pairing("mnk.yaml", "mnk", squares(15, 15)),
        Pairing("connect_four.yaml", "connect_four", {column: (space(0, column),) for column in range(7)}),
        Pairing("../games/reversi.yaml", "othello", {**squares(8, 8), PASS: ()}),
        Pairing("breakthrough.yaml", "breakthrough", breakthrough(), most_answers=2),
        Pairing("clobber.yaml", "clobber", clobber(), most_answers=2),
        Pairing("hex.yaml", "hex", rhombus(11)),
        Pairing("nim.yaml", "nim", nim(), most_answers=2),
        Pairing("pig.yaml", "pig", {0: ("roll",), 1: ("stop",)}, fell=pips),
    )
}
