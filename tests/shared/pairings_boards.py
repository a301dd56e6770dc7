"""Answers of each action of OpenSpiel's games on boards."""

from __future__ import annotations

from itertools import product
from typing import Any

import openings
from lockstep import outcome
from pairing import NOTHING, STATES, Answers, Pairing
from spaces import rhombus, space, squares

QUARTERS = ("upper left", "upper right", "lower right", "lower left")
SENSES = ("counterclockwise", "clockwise")
TURNS = [f"{quarter} {sense}" for quarter, sense in product(QUARTERS, SENSES)]


def pentago() -> dict[int, Answers]:
    """A square, row by row, and one of eight turns: of each quarter both ways, clockwise from the upper left."""
    return {
        (row * 6 + column) * 8 + 2 * quarter + sense: (space(row, column), QUARTERS[quarter], SENSES[sense])
        for row, column, quarter, sense in product(range(6), range(6), range(4), range(2))
    }


def row(number: int, *columns: int) -> dict[int, Answers]:
    """The spaces of one row, in this order."""
    return {action: (space(number, column),) for action, column in enumerate(columns)}


def checkers() -> dict[int, Answers]:
    """Actions from a square in one of four directions: one step, or two over a captured piece."""
    cases = ((-1, -1), (-1, 1), (1, 1), (1, -1))
    return {
        ((row * 8 + column) * 4 + way) * 2 + jump: (
            space(7 - row, column),
            space(7 - row - down * (1 + jump), column + across * (1 + jump)),
        )
        for row, column, (way, (down, across)), jump in product(range(8), range(8), enumerate(cases), range(2))
        if 0 <= row + down * (1 + jump) < 8 and 0 <= column + across * (1 + jump) < 8
    }


def checkers_class(state: Any, action: int) -> str:
    row, column = divmod(action // 8, 8)
    piece = "a king" if str(state).splitlines()[row][1 + column] in "8*" else "a man"
    if not action % 2:
        return f"{piece} moves"
    after = state.child(action)
    on = not after.is_terminal() and after.current_player() == state.current_player()
    return f"{piece} takes and goes on" if on else f"{piece} takes"


def checkers_end(state: Any) -> str:
    """Return whether a seat has lost: it has no men, or none that can move."""
    if state.returns() == [0, 0]:
        return "a draw"
    board = "".join(line[1:] for line in str(state).splitlines()[:8])
    return "no way to move" if set(board) & set("o8") and set(board) & set("+*") else "no men"


DOES = ("moves", "takes", "takes and goes on")


def from_to() -> dict[int, Answers]:
    """Actions from each square of a chessboard to each; captures are not distinguished here."""
    return {
        number: (space(row, column), space(to_row, to_column))
        for number, (row, column, to_row, to_column, _) in enumerate(product(*(range(8) for _ in range(4)), range(2)))
    }


KNIGHT = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (2, -1), (2, 1), (1, -2), (1, 2))
FILES = (0, 1, 1, 1)  # of the lines of a queen, by how far they go to the right and up
ROWS = (1, 0, 1, -1)


def chess(up: int) -> dict[int, Answers]:
    """Actions of a pawn from a square, file by file, as the player sees it: promotions to other pieces than a queen, to
    a queen, knight's moves, and castling to the left and right.

    up: 1 for white, -1 for black.
    """
    moves: list[tuple[int, int, tuple[str, ...]]] = [
        (across, 1, (rank,)) for rank in ("rook", "bishop", "knight") for across in (0, 1, -1)
    ]
    distances = (*range(-7, 0), *range(1, 8))
    moves += [(across * far, rise * far, ()) for across, rise in zip(FILES, ROWS, strict=True) for far in distances]
    moves += [(across, rise, ()) for across, rise in KNIGHT]
    results: dict[int, Answers] = {}
    for file, row, (kind, (across, rise, rank)) in product(range(8), range(8), enumerate(moves)):
        if 0 <= file + across < 8 and 0 <= row + rise < 8:
            start, spot = (
                space(each if up == 1 else 7 - each, where)
                for each, where in ((row, file), (row + rise, file + across))
            )
            results[(file * 8 + row) * len(moves) + kind] = (start, *rank, spot)
    home = 0 if up == 1 else 7
    return results | {4672 + side: (space(home, 4), space(home, 2 + 4 * side)) for side in range(2)}


RANKS = {"Q": "a queen", "R": "a rook", "B": "a bishop", "N": "a knight"}


def chess_class(state: Any, action: int) -> str:
    move = state.action_to_string(action)
    if move.startswith("O-O"):
        return "castling on the queen's side" if move.startswith("O-O-O") else "castling on the king's side"
    if "=" in move:
        return f"a pawn becomes {RANKS[move[move.index('=') + 1]]}"
    passing = str(state).split()[3]
    return "a pawn takes in passing" if move[0].islower() and f"x{passing}" in move else "another move"


def chess_end(state: Any) -> str:
    if any(state.returns()):
        return "mate"
    board, *_, quiet, _ = str(state).split()
    left = set(board.lower()) & set("pnbrq")
    if not left & set("pqr"):
        return "too few men" if left else "bare kings"
    if thrice(state):
        return "a position for the third time"
    return "fifty moves" if int(quiet) >= 100 else "stalemate"


def states(state: Any) -> list[Any]:
    """All that there have been in this game, with this one."""
    results = [state.get_game().new_initial_state()]
    for action in state.history():
        results.append(results[-1].child(action))
    return results


def thrice(state: Any) -> bool:
    """Whether a game of chess has ended because there was a position for the third time."""
    positions = [str(each).split()[:4] for each in states(state)]
    return positions.count(positions[-1]) >= 3


OUT_AND_BACK = [
    [2426, 2426, *[3572, 3572, 3137, 3137] * 2],
    [2426, 2426, *[2352, 2352, 2424, 2424] * 2, 2352, 2352],
    [2426, 89, 2571, 1842, *[3572, 3572, 3137, 3137] * 2, 3572],
    [3572, 3572, *[4117, 4117, 3534, 3534] * 2, 4117, 4117],
]
"""Openings of chess: knights go out and back after a pawn that could not be captured in passing; kings, which may
castle only before that; knights after a pawn that could be captured in passing, once; rooks, with which nobody can
castle after that."""


TWO_FOR_ONE = [3, 1, 11, 9, 10, 2, 0, 1]
"""A game of go: white gives up two stones and takes one, which makes the board what it was."""


def go_class(state: Any, action: int) -> str:
    if action == 81:
        return "a pass"
    stones = [sum(str(each).count(stone) for stone in "XO") for each in (state, state.child(action))]
    return "a stone" if stones[1] > stones[0] else "a stone that takes"


def go_end(state: Any) -> str:
    if state.history()[-2:] == [81, 81]:
        return f"two passes, {outcome(state.returns())}"
    return "as many moves as there may be" if any(state.returns()) else "a board again"


def seeds(state: Any) -> list[int]:
    """Position of oware: seeds in each house, in the order in which they are sown, and each seat's captures."""
    lines = [line for line in str(state).splitlines() if "FINISHED" not in line]
    north, south = ([int(number) for number in line.split()] for line in lines[2:4])
    return [*south, *reversed(north), *(int(line.split()[4]) for line in (lines[0], lines[-1]))]


def oware_end(state: Any) -> str:
    """Return whether houses and turn were as before, as the last seeds that were sown show if they captured nothing."""
    *before, own, _ = states(state)
    seat = own.current_player()
    now = seeds(own)
    start = place = 6 * seat + state.history()[-1]
    content, now[start] = now[start], 0
    while content:
        place = (place + 1) % 12
        if place != start:
            now[place] += 1
            content -= 1
    again = any(seeds(each) == now and each.current_player() != seat for each in before)
    return "houses as before" if again else outcome(state.returns())


def hexagon(size: int) -> dict[int, Answers]:
    """Row by row of the square around it, in which each row begins half a space further to the left."""
    across = 2 * size - 1
    return {
        row * across + column: (space(row, column - (row + 1) // 2 + size // 2),)
        for row, column in product(range(across), repeat=2)
        if abs(row - column) < size
    }


def havannah_end(state: Any) -> str:
    """Return the group of the last stone: all connected stones of its colour."""
    if not any(state.returns()):
        return "a draw"
    last = len(HAVANNAH) - 1
    own = {divmod(action, len(HAVANNAH)) for action in state.history()[-1::-2]}
    worklist = [divmod(state.history()[-1], len(HAVANNAH))]
    chain = set(worklist)
    while worklist:
        row, column = worklist.pop()
        new = {(row + down, column + across) for down, across in AROUND} & own - chain
        chain |= new
        worklist += new
    if len(chain & CORNERS) >= 2:
        return "a bridge"
    sides = {
        side
        for row, column in chain - CORNERS
        for side, met in enumerate((row == 0, column == 0, row == last, column == last, abs(row - column) == last // 2))
        if met
        for side in [side + 2 * (side == 4 and row > column)]
    }
    return "a fork" if len(sides) >= 3 else "a ring"


HAVANNAH = range(15)
CORNERS = {(0, 0), (0, 7), (7, 0), (7, 14), (14, 7), (14, 14)}
AROUND = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1))


def morris() -> dict[int, Answers]:
    """A point, to lay a man there or to take one; then from each point to each."""
    points = [
        *("a1", "d1", "g1", "b2", "d2", "f2", "c3", "d3", "e3", "a4", "b4", "c4"),
        *("e4", "f4", "g4", "c5", "d5", "e5", "b6", "d6", "f6", "a7", "d7", "g7"),
    ]
    laid: dict[int, Answers] = {number: (point,) for number, point in enumerate(points)}
    return laid | {24 + number: move for number, move in enumerate(product(points, repeat=2))}


def tried(state: Any, action: int) -> str:
    """Name the result of an action: a stone is laid, or the space has an unseen stone, and another is tried."""
    after = state.child(action)
    again = not after.is_terminal() and after.current_player() == state.current_player()
    return "a space is taken" if again else "a stone is laid"


def men(state: Any) -> list[int]:
    """Return the number of pieces of each seat that are not captured."""
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
            shelf="../../editions/classics/checkers.yaml",
            options={"draws": "early"},
            class_of=checkers_class,
            ended=checkers_end,
            meets=frozenset(
                [
                    *("a draw", "no way to move", "no men"),
                    *(f"a {piece} {does}" for piece in ("man", "king") for does in DOES),
                ]
            ),
            openings=openings.CHECKERS,
        ),
        Pairing(
            "chess",
            chess(-1),
            second=chess(1),
            unsaid=frozenset(["play.lesser"]),
            class_of=chess_class,
            ended=chess_end,
            meets=frozenset(
                [
                    *("castling on the king's side", "castling on the queen's side", "a pawn takes in passing"),
                    *(f"a pawn becomes {rank}" for rank in RANKS.values()),
                    *("another move", "mate", "stalemate", "bare kings", "too few men", "fifty moves"),
                    "a position for the third time",
                ]
            ),
            openings=[*openings.CHESS, *OUT_AND_BACK],
        ),
        Pairing(
            "dark_hex",
            rhombus(3),
            secret=STATES,
            class_of=tried,
            meets=WINS | {"a stone is laid", "a space is taken"},
        ),
        Pairing(
            "go(board_size=9)",
            {**squares(9, 9), 81: NOTHING},
            class_of=go_class,
            ended=go_end,
            meets=frozenset(
                [
                    *("a stone", "a stone that takes", "a pass", "a board again", "two passes, Ada wins"),
                    *("two passes, Ben wins", "as many moves as there may be"),
                ]
            ),
            openings=[TWO_FOR_ONE, [20, 81, 81], [81, 20, 81, 81], []],
        ),
        Pairing("havannah", hexagon(8), ended=havannah_end, meets=frozenset(["a ring", "a bridge", "a fork"])),
        Pairing(
            "nine_mens_morris",
            morris(),
            begins=frozenset(["take.taken"]),
            shelf="../../editions/classics/nine-mens-morris.yaml",
            options={"draws": "fixed length"},
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
        Pairing(
            "lines_of_action",
            from_to(),
            class_of=lambda state, action: "a piece takes" if action % 2 else "a piece moves",
            meets=ENDS | {"a piece takes", "a piece moves"},
            openings=openings.LINES_OF_ACTION,
        ),
        Pairing(
            "oware",
            row(1, *range(6)),
            second=row(0, *reversed(range(6))),
            ended=oware_end,
            meets=ENDS | {"houses as before"},
            openings=([], [], *openings.OWARE),
        ),
        Pairing(
            "phantom_ttt",
            squares(3, 3),
            secret=STATES,
            class_of=tried,
            meets=ENDS | {"a stone is laid", "a space is taken"},
        ),
        Pairing(
            "pentago",
            pentago(),
            options={"turn always": "yes"},
            class_of=lambda state, action: TURNS[action % 8],
            meets=ENDS | set(TURNS),
            openings=openings.PENTAGO,
        ),
    )
}
