"""Outer edges of boards in colours, and the places between spaces that are none."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from rulewright.model.declarations import NUMBERS, Board
from rulewright.model.edition import Edition
from rulewright.publish.board_grid import BoardGrid, Point, Position, board_grid
from rulewright.publish.piece_colours import COLOURS

Edge = tuple[float, float, float, float, str]
"""Ends of a line, and its colour."""
_Side = tuple[Point, Point]
"""Both ends of a space's side."""


def gaps(board: Board) -> tuple[Position, ...]:
    """Return the positions inside the rectangle of a map's spaces that are no spaces, row by row. board: with a map."""
    columns, rows = zip(*board.positions, strict=True)
    spaces = set(board.positions)
    return tuple(
        (column, row)
        for row in range(min(rows), max(rows) + 1)
        for column in range(min(columns), max(columns) + 1)
        if (column, row) not in spaces
    )


def coloured_edges(edition: Edition, board: Board) -> tuple[Edge, ...]:
    """Return the outer edges of a map that its looks colour, by words that its spaces have; () without colours.

    Where a space has two such words, each of its edges goes to the one whose other edges face the same way.
    """
    colours = edition.edge_colours.get(board.name, {})
    if not colours:
        return ()
    grid = board_grid(edition.board_kinds.get(board.name, ""), board.hexagonal, board.positions)
    outer = _outer_sides(grid, board.positions)
    words = [tuple(word for word in _words(edition, board, number) if word in colours) for number in range(len(outer))]
    facing = _directions(grid, board.positions, outer, words)
    edges: list[Edge] = []
    for place, sides, own in zip(board.positions, outer, words, strict=True):
        for start, end in sides if own else ():
            outward = _outward(grid.center(place), (start, end))
            word = max(own, key=lambda word: math.cos(facing.get(word, outward) - outward))
            (x, y), (u, v) = start, end
            edges.append((round(x, 1), round(y, 1), round(u, 1), round(v, 1), COLOURS[colours[word]][0]))
    return tuple(edges)


def _outer_sides(grid: BoardGrid, places: Iterable[Position]) -> list[list[_Side]]:
    """Return the sides of each space that it shares with no other one."""
    all_sides = [list(_sides(grid, place)) for place in places]
    counts = Counter(_key(side) for sides in all_sides for side in sides)
    return [[side for side in sides if counts[_key(side)] == 1] for sides in all_sides]


def _sides(grid: BoardGrid, place: Position) -> Iterator[_Side]:
    """Yield the sides of a space."""
    corners = grid.corners(place)
    yield from zip(corners, [*corners[1:], corners[0]], strict=True)


def _key(side: _Side) -> frozenset[tuple[int, int]]:
    """Return what two spaces' common side has in common: its rounded ends, in no order."""
    return frozenset((round(x), round(y)) for x, y in side)


def _words(edition: Edition, board: Board, number: int) -> list[str]:
    """Return the names of the words that a space has as attributes. number: of the space, from 0."""
    spaces = edition.words[board.spaces]
    attributes = spaces.words[number].attributes.items()
    lists = ((spaces.attributes[name], value) for name, value in attributes)
    return [edition.words[words].words[value].name for words, value in lists if words not in NUMBERS]


def _directions(
    grid: BoardGrid, places: Iterable[Position], outer: Iterable[list[_Side]], words: Iterable[tuple[str, ...]]
) -> Mapping[str, float]:
    """Return the direction in which the edges of each word face on average, where a space has it alone."""
    sums: dict[str, list[float]] = {}
    for place, sides, own in zip(places, outer, words, strict=True):
        if len(own) == 1:
            for side in sides:
                angle, total = _outward(grid.center(place), side), sums.setdefault(own[0], [0.0, 0.0])
                total[0] += math.cos(angle)
                total[1] += math.sin(angle)
    return {word: math.atan2(down, across) for word, (across, down) in sums.items()}


def _outward(center: Point, side: _Side) -> float:
    """Return the direction from the center of a space to one of its sides."""
    (x, y), (u, v) = side
    return math.atan2((y + v) / 2 - center[1], (x + u) / 2 - center[0])
