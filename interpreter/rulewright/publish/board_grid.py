"""Grid of a drawn board: where its spaces lie, in books and on screens alike."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

Position = tuple[int, int]
"""Column and row of a space, from 0."""
Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, width and height of the rectangle that a space fills."""

SPACE = 200
"""Width of a space; pictures have the same."""
SIDE = SPACE / math.sqrt(3)
"""Side of a hexagon."""
PILED = 5
"""Pieces that a long space has room for where they are piled."""
_POINT_LENGTH, _BETWEEN_POINTS = 4.6 * SPACE, 0.5 * SPACE


class BoardGrid:
    """Grid of a board. Odd rows of hexagons are shifted by half a space."""

    def __init__(self, hexagonal: bool = False) -> None:
        self.hexagonal = hexagonal

    def box(self, position: Position) -> Box:
        """Return the rectangle that a space fills."""
        column, row = position
        if self.hexagonal:
            return (column + (0.5 if row % 2 else 0)) * SPACE, 1.5 * row * SIDE, SPACE, 2 * SIDE
        return column * SPACE, row * SPACE, SPACE, SPACE

    def pile(self, position: Position) -> int:
        """Return how pieces are piled on a space: 1 down from its upper edge, -1 up from its lower one, 0 not."""
        return 0

    def center(self, position: Position) -> Point:
        left, top, width, height = self.box(position)
        return left + width / 2, top + height / 2

    def corners(self, position: Position) -> list[Point]:
        """Return the corners of a space, clockwise from the top, or from the top left."""
        left, top, width, height = self.box(position)
        right, bottom, x = left + width, top + height, left + width / 2
        if self.hexagonal:
            upper, lower = top + height / 4, bottom - height / 4
            return [(x, top), (right, upper), (right, lower), (x, bottom), (left, lower), (left, upper)]
        return [(left, top), (right, top), (right, bottom), (left, bottom)]


class PointGrid(BoardGrid):
    """Grid of two rows of long spaces, with what lies between the rows as a bar."""

    def __init__(self, places: Iterable[Position]) -> None:
        super().__init__()
        places = list(places)
        rows = [row for _, row in places]
        self._first, self._last = min(rows), max(rows)
        self._bars = [place for place in places if self._first < place[1] < self._last]
        self._bar = max((column for column, _ in self._bars), default=-1)  # the column behind which the bar lies

    def box(self, position: Position) -> Box:
        column, row = position
        height = 2 * _POINT_LENGTH + _BETWEEN_POINTS
        if position in self._bars:
            share = height / len(self._bars)
            return (self._bar + 1) * SPACE, self._bars.index(position) * share, SPACE, share
        left = (column + (1 if self._bars and column > self._bar else 0)) * SPACE
        return left, 0 if row <= self._first else height - _POINT_LENGTH, SPACE, _POINT_LENGTH

    def pile(self, position: Position) -> int:
        if position in self._bars:
            return 0
        return 1 if position[1] <= self._first else -1


@lru_cache(maxsize=64)
def board_grid(kind: str, hexagonal: bool, places: tuple[Position, ...]) -> BoardGrid:
    """Return the grid of a board by its kind, as its looks have it."""
    return PointGrid(places) if kind == "points" and places else BoardGrid(hexagonal)
