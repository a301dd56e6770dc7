"""Grid of a drawn board: where its spaces lie, in books and on screens alike."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

Position = tuple[int, int]
"""Column and row of a space, from 0."""
Point = tuple[float, float]
"""Point of a drawing: x to the right, y downwards."""
Box = tuple[float, float, float, float]
"""Left, top, width and height of the rectangle that a space fills."""

SPACE = 200
"""Width of a space; pictures have the same."""
SIDE = SPACE / math.sqrt(3)
"""Side of a hexagon."""
PLACE = 0.36 * SPACE
"""Radius of a place with roads."""
PILED = 5
"""Pieces that a long space has room for where they are piled."""
_POINT_LENGTH, _BETWEEN_POINTS = 4.7 * SPACE, 1.2 * SPACE
"""Length of a pointed space, and of the gap between two that face each other."""
_GAP = 0.35
"""Width of a column without spaces, of that of a space."""


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
        """Return how pieces are piled on a space: 1 down from its upper edge, -1 up from its lower one, 0 not; 2 and -2
        flat, so that many have room."""
        return 0

    def bay(self) -> Box | None:
        """Return the rectangle where other things lie on the board, such as dice; None if there is no room for them."""
        return None

    def center(self, position: Position) -> Point:
        """Return the middle of a space's box."""
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
    """Grid of two rows of long spaces, with what lies between the rows as a bar, and room there for dice.

    A column without spaces is a narrow gap; behind the last one lie trays, where pieces are piled flat.
    """

    def __init__(self, places: Iterable[Position]) -> None:
        super().__init__()
        places = list(places)
        columns, rows = {column for column, _ in places}, [row for _, row in places]
        self._first, self._last = min(rows), max(rows)
        self._bars = [place for place in places if self._first < place[1] < self._last]
        self._bar = max((column for column, _ in self._bars), default=-1)  # the column behind which the bar lies
        self._gaps = [column for column in range(max(columns)) if column not in columns]
        self._last_point = max(column for column in columns if not self._gaps or column < self._gaps[-1])
        self._height = 2 * _POINT_LENGTH + _BETWEEN_POINTS

    def box(self, position: Position) -> Box:
        """Return where a point or the bar's part lies: left, top, width and height."""
        column, row = position
        if position in self._bars:
            share = self._height / len(self._bars)
            return (self._bar + 1) * SPACE, self._bars.index(position) * share, SPACE, share
        left = float((column + (1 if self._bars and column > self._bar else 0)) * SPACE)
        left -= sum((1 - _GAP) * SPACE for gap in self._gaps if gap < column)
        return left, 0 if row <= self._first else self._height - _POINT_LENGTH, SPACE, _POINT_LENGTH

    def pile(self, position: Position) -> int:
        """Return in which direction pieces of a space are piled, see `BoardGrid.pile`."""
        if position in self._bars:
            return 0
        direction = 1 if position[1] <= self._first else -1
        return 2 * direction if self._gaps and position[0] > self._gaps[-1] else direction

    def bay(self) -> Box:
        left, _, width, _ = self.box((self._last_point, self._first))
        return 0, _POINT_LENGTH, left + width, _BETWEEN_POINTS


class PlaceGrid(BoardGrid):
    """Grid of places that stand apart, with a road to each of their neighbours."""

    def box(self, position: Position) -> Box:
        column, row = position
        return column * 1.5 * SPACE, row * 1.4 * SPACE, SPACE, SPACE

    def corners(self, position: Position) -> list[Point]:
        x, y = self.center(position)
        angles = [math.pi * number / 16 for number in range(32)]
        return [(x + PLACE * math.cos(angle), y + PLACE * math.sin(angle)) for angle in angles]


@lru_cache(maxsize=64)
def board_grid(kind: str, hexagonal: bool, places: tuple[Position, ...]) -> BoardGrid:
    """Return the grid of a board. kind: as its looks have it; hexagonal: form of its spaces, if they are no points or
    places; places: of its spaces."""
    if kind == "places":
        return PlaceGrid()
    return PointGrid(places) if kind == "points" and places else BoardGrid(hexagonal)
