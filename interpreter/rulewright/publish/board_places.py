"""Places of a board's spaces in its drawing: of its map, as its looks draw them, or along a path that bends."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from rulewright.model.declarations import Board
from rulewright.model.edition import Edition
from rulewright.publish.board_grid import Position

TRACK, PLACES = "track", "places"
"""Kinds of boards whose spaces have a road to each of their neighbours."""
MAX_IN_RING = 16
"""Listed spaces without places that are drawn around a circle; more are only listed."""
SPACES_BY_RADIUS = 2.7
"""Spaces around a circle for each space of its radius."""
RING_ROUNDS = 3
"""Rounds in which parts of a circle are turned round."""


def board_kind(edition: Edition, board: Board) -> str:
    """Return how a board is drawn: as its looks have it, else PLACES for listed spaces; '' for the usual way of a
    map."""
    is_listed = board.name in edition.space_places or is_ring(board)
    return edition.board_kinds.get(board.name) or (PLACES if is_listed else "")


def board_places(edition: Edition, board: Board) -> tuple[Position, ...]:
    """Return column and row of each space in the drawing of a board; nothing where none can be made."""
    if board.name in edition.space_places:
        return edition.space_places[board.name]
    if is_path(edition, board):
        return path(len(board.positions), board.round)
    return ring(board.neighbours) if is_ring(board) else board.positions


def is_ring(board: Board) -> bool:
    """Return whether a board's spaces are only listed, and few enough to be drawn around a circle."""
    return not board.positions and any(board.neighbours) and len(board.neighbours) <= MAX_IN_RING


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
    """Return the names drawn on spaces that have no letters and numbers beside them: 1, 2 … along a path, labels on
    places and on a numbered board; {} on other boards.

    label: returns the name of a space by its number, from 0.
    """
    words, places = edition.words[board.spaces].words, board_places(edition, board)
    if is_path(edition, board):
        names = [str(number) for number in range(1, len(words) + 1)]
    elif board_kind(edition, board) == PLACES or board.coordinates.numbered:
        names = [label(number) for number in range(len(words))]
    else:
        return {}
    return dict(zip(places, names, strict=True))


@lru_cache(maxsize=64)
def path(count: int, is_round: bool) -> tuple[Position, ...]:
    """Return the places of a path: a loop if it goes round, else rows that follow each other upwards, with bends."""
    return tuple(_loop(count) if is_round else _rows(count))


@lru_cache(maxsize=64)
def ring(neighbours: Sequence[Sequence[int]]) -> tuple[Position, ...]:
    """Return places around a circle in an order in which few roads cross: the first space on top, those that follow it
    clockwise."""
    count = len(neighbours)
    order = list(range(count))
    for start, end in [*combinations(range(1, count + 1), 2)] * RING_ROUNDS:
        turned = [*order[:start], *reversed(order[start:end]), *order[end:]]
        order = min(order, turned, key=lambda one: _disorder(one, neighbours))
    turns = [2 * math.pi * order.index(space) / count for space in range(count)]
    far = max(1, round(count / SPACES_BY_RADIUS))
    return tuple((round(far * (1 + math.sin(turn))), round(far * (1 - math.cos(turn)))) for turn in turns)


def _disorder(order: Sequence[int], neighbours: Sequence[Sequence[int]]) -> tuple[int, int]:
    """Count the pairs of roads that cross where spaces lie around a circle in an order, and the steps that all roads
    span."""
    place = {space: number for number, space in enumerate(order)}
    ends = {(place[space], place[other]) for space, others in enumerate(neighbours) for other in others}
    spans = [(start, end) for start, end in ends if start < end]
    crossings = sum(a < c < b < d for a, b in spans for c, d in spans)
    return crossings, sum(min(end - start, len(order) - end + start) for start, end in spans)


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
