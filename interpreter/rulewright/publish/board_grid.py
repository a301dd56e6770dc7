"""Grid of a drawn board: where its spaces lie. `server/page/board_grid.js` has the same; a test compares."""

from __future__ import annotations

import math

Position = tuple[int, int]
"""Column and row of a space, from 0."""
Point = tuple[float, float]

SPACE = 200
"""Width of a space; pictures have the same."""
SIDE = SPACE / math.sqrt(3)
"""Side of a hexagon."""


def center(position: Position, hexagonal: bool) -> Point:
    """Return the middle of a space. Odd rows of hexagons are shifted by half a space."""
    column, row = position
    if hexagonal:
        return (column + (1 if row % 2 else 0.5)) * SPACE, 1.5 * row * SIDE + SIDE
    return (column + 0.5) * SPACE, (row + 0.5) * SPACE


def corners(position: Position, hexagonal: bool) -> list[Point]:
    """Return the corners of a space, clockwise from the top, or from the top left."""
    x, y = center(position, hexagonal)
    half = SPACE / 2
    if hexagonal:
        ends = [(0, -SIDE), (half, -SIDE / 2), (half, SIDE / 2), (0, SIDE), (-half, SIDE / 2), (-half, -SIDE / 2)]
    else:
        ends = [(-half, -half), (half, -half), (half, half), (-half, half)]
    return [(x + dx, y + dy) for dx, dy in ends]
