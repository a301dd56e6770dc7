"""Pentago, checkers and nine men's morris beside models of their published rules: when a game is won or drawn."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import pytest

from project_folders import TESTS
from rulewright.game import library
from rulewright.game.game import Game

Space = tuple[int, int]
"""Column and row, from 0."""

BACK = (0, 0.4, 0.9)


class Turns:
    """A game by chance: the answers of each turn, and how it ended. back: how often what was moved last goes back."""

    def __init__(self, edition: str, seed: int, back: float = 0) -> None:
        self.game = Game.start(library.load(edition), ("Ada", "Ben"), seed=seed)
        self.chance, self.back = random.Random(seed), back

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """Each answer with its seat."""
        arguments: tuple[list[str], list[str]] = ([], [])
        while not self.game.over:
            [decision] = self.game.decisions()
            keys, mine = {choice.key for choice in decision.choices}, arguments[decision.seat]
            former = keys.intersection(mine[-1:]) or keys.intersection(mine[-3:-2])
            goes_back = former and self.chance.random() < self.back
            mine.append(self.chance.choice(sorted(former if goes_back else keys)))
            self.game.answer(decision.seat, [mine[-1]])
            yield decision.seat, mine[-1]

    def winners(self) -> set[int]:
        return {standing.seat for standing in self.game.standings() if standing.rank == 1}


def space(key: str) -> Space:
    return ord(key[0]) - ord("a"), int(key[1:]) - 1


@pytest.mark.rotating(3)
def test_a_row_before_the_rotation_wins_at_pentago() -> None:
    ends = Counter[str]()
    for seed in range(24):
        turns, board = Turns(str(TESTS / "openspiel" / "pentago.yaml"), seed), dict[Space, int]()
        answers, won = iter(turns), set[int]()
        for seat, spot in answers:
            board[space(spot)] = seat
            if row_of_five(board, seat):
                won, mode = {seat}, "before the rotation"
                break
            (_, quarter), (_, sense) = next(answers), next(answers)
            board = rotated(board, quarter, sense)
            won, mode = {each for each in (0, 1) if row_of_five(board, each)}, "after the rotation"
            if won or len(board) == 36:
                break
        assert turns.game.over
        assert turns.winners() == (won or {0, 1})
        ends[mode] += 1
    assert min(ends["before the rotation"], ends["after the rotation"]) > 3


def row_of_five(board: Mapping[Space, int], seat: int) -> bool:
    return any(
        all(board.get((column + step * across, row + step * down)) == seat for step in range(5))
        for column, row in board
        for across, down in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


def rotated(board: Mapping[Space, int], quarter: str, sense: str) -> dict[Space, int]:
    left, top = 3 * ("right" in quarter), 3 * ("lower" in quarter)

    def goes(column: int, row: int) -> Space:
        across, down = column - left, row - top
        if not (0 <= across < 3 and 0 <= down < 3):
            return column, row
        return (left + 2 - down, top + across) if sense == "clockwise" else (left + down, top + 2 - across)

    return {goes(*spot): seat for spot, seat in board.items()}


@pytest.mark.rotating(5)
def test_checkers_is_drawn_by_the_rules_of_clubs() -> None:
    ends = Counter(map(end_of_checkers, range(24)))
    assert ends["again"] > 3
    assert ends["won"] > 3


def from_above(key: str) -> Space:
    """Return the place of a square whose row is counted from below."""
    column, row = space(key)
    return column, 7 - row


def end_of_checkers(seed: int) -> str:
    """Play a game by chance, and say how the model ends it: after the same move, or at no other one."""
    turns = Turns("classics/checkers", seed, BACK[seed % 3])
    board = {(column, row): (row < 3, False) for row in (0, 1, 2, 5, 6, 7) for column in range(8) if (column + row) % 2}
    past, quiet, answers, index, mover = Counter[object](), 0, iter(turns), None, 0
    while True:
        if index is None and not jumps(board, mover):  # a position in which somebody must take cannot come again
            past[frozenset(board.items()), mover] += 1
            if max(past.values()) == 3 and walks(board, mover):
                assert turns.game.over
                assert turns.winners() == {0, 1}
                return "again"
        if quiet == 80 and index is None:
            assert turns.game.over
            assert turns.winners() == {0, 1}
            return "quiet"
        if not jumps(board, mover) and not walks(board, mover):
            assert turns.game.over
            assert turns.winners() == {1 - mover}
            return "won"
        (seat, first), (_, second) = next(answers), next(answers)
        assert seat == mover
        (column, row), (existing, down) = start, end = from_above(first), from_above(second)
        white, king = board.pop(start)
        answer = board.pop(((column + existing) // 2, (row + down) // 2), None) if abs(row - down) == 2 else None
        crowned = not king and down == (7 if white else 0)
        board[end] = white, king or crowned
        quiet = quiet + 1 if king and not answer else 0
        index = end if answer and not crowned and end in jumps(board, mover) else None
        mover = mover if index else 1 - mover


Board = Mapping[Space, tuple[bool, bool]]
"""Pieces on squares: whether each is white, and whether it is a king."""


def moves(white: bool, king: bool) -> Iterable[Space]:
    return [(across, down) for across in (-1, 1) for down in (-1, 1) if king or (down == 1) == white]


def steps(board: Board, seat: int) -> Iterator[tuple[Space, Space, Space]]:
    """Yield, for each piece of a seat and each direction, its square, the next one, and the one behind that."""
    for (column, row), (white, king) in board.items():
        if white == (seat == 1):
            for across, down in moves(white, king):
                yield (column, row), (column + across, row + down), (column + 2 * across, row + 2 * down)


def free(board: Board, spot: Space) -> bool:
    return spot not in board and all(0 <= number < 8 for number in spot)


def walks(board: Board, seat: int) -> set[Space]:
    return {start for start, near, _ in steps(board, seat) if free(board, near)}


def jumps(board: Board, seat: int) -> set[Space]:
    return {
        start
        for start, near, far in steps(board, seat)
        if near in board and board[near][0] != (seat == 1) and free(board, far)
    }


@pytest.mark.rotating(4)
def test_morris_is_drawn_by_the_rules_of_clubs() -> None:
    ends = Counter(map(end_of_morris, range(24)))
    assert ends["again"] > 3
    assert ends["over"] > 3


def end_of_morris(seed: int) -> str:
    """Play a game by chance, and say how it ended: drawn after the same move as in the model, or otherwise."""
    turns = Turns("classics/nine-mens-morris", seed, BACK[seed % 3])
    answers, board, hands = list(turns), dict[str, int](), [9, 9]
    past, quiet, index, mover = Counter[object](), 0, 0, 0
    while True:
        if hands[mover] == 0:
            past[frozenset(board.items()), mover] += 1
        picture = "again" if 3 in past.values() else "quiet" if quiet == 100 else ""
        if picture or index == len(answers):
            assert index == len(answers), (picture, quiet)
            assert (turns.winners() == {0, 1}) == bool(picture)
            return picture or "over"
        if hands[mover]:
            spot, index = answers[index][1], index + 1
            hands[mover] -= 1
        else:
            (_, start), (_, spot), index = answers[index], answers[index + 1], index + 2
            del board[start]
            quiet += 1
        board[spot] = mover
        if any(spot in line and all(board.get(each) == mover for each in line) for line in LINES):
            del board[answers[index][1]]
            past, quiet, index = Counter(), 0, index + 1
        mover = 1 - mover


LINES = [
    line.split()
    for line in (
        *("a1 d1 g1", "b2 d2 f2", "c3 d3 e3", "a4 b4 c4", "e4 f4 g4", "c5 d5 e5", "b6 d6 f6", "a7 d7 g7"),
        *("a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "d1 d2 d3", "d5 d6 d7", "e3 e4 e5", "f2 f4 f6", "g1 g4 g7"),
    )
]
