"""Places of a board's spaces in its drawing: of its map, as its looks draw them, or along a path that bends."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache

from rulewright.model.declarations import Board
from rulewright.model.edition import Edition
from rulewright.publish.board_grid import Position

TRACK, PLACES = "track", "places"
"""Kinds of boards whose spaces have a road to each of their neighbours."""


def board_kind(edition: Edition, board: Board) -> str:
    """Return how a board is drawn: as its looks have it; listed spaces as places."""
    return edition.board_kinds.get(board.name) or (PLACES if board.name in edition.space_places else "")


def board_places(edition: Edition, board: Board) -> tuple[Position, ...]:
    """Return column and row of each space in the drawing of a board; nothing where none can be made."""
    if board.name in edition.space_places:
        return edition.space_places[board.name]
    if is_path(edition, board):
        return path(len(board.positions), board.round)
    return board.positions


def is_path(edition: Edition, board: Board) -> bool:
    """Return whether a board is a track of one column or one row, which its drawing bends."""
    columns, rows = (len(set(line)) for line in zip(*board.positions, strict=True)) if board.positions else (0, 0)
    return edition.board_kinds.get(board.name) == TRACK and 1 in (columns, rows)


def roads(edition: Edition, board: Board) -> tuple[tuple[Position, Position], ...]:
    """Return the places that roads join, each pair once; none on boards whose spaces lie side by side."""
    if board_kind(edition, board) not in (TRACK, PLACES):
        return ()
    places = board_places(edition, board)
    return tuple(
        (places[space], places[other])
        for space, others in enumerate(board.neighbours)
        for other in others
        if space < other
    )


def space_names(edition: Edition, board: Board, label: Callable[[int], str]) -> dict[Position, str]:
    """Return the names drawn on spaces that have no letters and numbers beside them: numbers of a path, and of a
    numbered board.

    label: returns the name of a space by its number.
    """
    words, places = edition.words[board.spaces].words, board_places(edition, board)
    if is_path(edition, board):
        names = [str(number) for number in range(1, len(words) + 1)]
    elif board.name in edition.space_places or board.coordinates.numbered:
        names = [label(number) for number in range(len(words))]
    else:
        return {}
    return dict(zip(places, names, strict=True))


@lru_cache(maxsize=64)
def path(count: int, is_round: bool) -> tuple[Position, ...]:
    """Return the places of a path: a loop if it goes round, else rows that follow each other upwards, with bends."""
    return tuple(_loop(count) if is_round else _rows(count))


def _loop(count: int) -> Iterator[Position]:
    """Yield places clockwise around a rectangle, from its lower right corner."""
    half = max(2, (count + 1) // 2)
    wide = max(1, round(half * 0.55))
    high = max(1, half - wide)
    edge = [(wide - step, high) for step in range(wide)] + [(0, high - step) for step in range(high)]
    edge += [(step, 0) for step in range(wide)] + [(wide, step) for step in range(high)]
    yield from edge[:count]


def _rows(count: int) -> Iterator[Position]:
    """Yield places from the lower left, to and fro, with one space between two rows."""
    across = max(3, round(math.sqrt(2.4 * count)))
    turns = math.ceil(count / (across + 1))
    last = 2 * turns - (2 if count % (across + 1) and count % (across + 1) <= across else 1)
    for number in range(count):
        turn, step = divmod(number, across + 1)
        along = min(step, across - 1)
        yield (along if turn % 2 == 0 else across - 1 - along), last - 2 * turn - (1 if step == across else 0)
