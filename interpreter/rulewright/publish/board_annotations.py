"""Board annotations: events on a board, drawn over it as SVG: numbers, arrows, arrivals, departures, choices."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field

from rulewright.base.records import record
from rulewright.publish.board_grid import Point, Position

ACCENT = "#B0124F"
"""Colour of annotations: no ground has it, and white letters are readable on it."""

_DASHED = 'stroke-dasharray="30 18"'
"""Attribute of a dashed line."""


@record
class PieceOnSpace:
    """Topmost piece in a space.

    name: its beginning replaces a missing picture; picture: SVG or ''; count: number of pieces there; text: describes
    them all.
    """

    name: str
    picture: str
    count: int = 1
    text: str = ""


@record
class Arrow:
    """Move from space to space."""

    start: Position
    goal: Position


@record
class BoardAnnotations:
    """Annotations of a board.

    - marks: numbers of the story's lines about a space
    - arrows: moves
    - arrivals: pieces that come from elsewhere
    - departures: spaces whose piece leaves the board
    - choices: spaces that may be chosen
    - decisive: spaces on which something depends
    """

    marks: Mapping[Position, tuple[int, ...]]
    arrows: tuple[Arrow, ...] = ()
    arrivals: Mapping[Position, PieceOnSpace] = field(default_factory=dict)
    departures: frozenset[Position] = frozenset()
    choices: frozenset[Position] = frozenset()
    decisive: frozenset[Position] = frozenset()


def choice_sign(x: float, y: float) -> str:
    """Draw the sign of a space that may be chosen."""
    return _circle(x, y, 62, f'fill="#fff" fill-opacity="0.5" stroke="{ACCENT}" stroke-width="9" {_DASHED}')


def arrival_place(x: float, y: float, radius: int, occupied: bool) -> tuple[float, float, int]:
    """Return position and radius for an arriving piece: those given, or, if the space is occupied, beside the piece
    there and smaller."""
    return (x + 44, y + 44, 58) if occupied else (x, y, radius)


def arrival_sign(x: float, y: float, radius: int) -> str:
    """Draw a plus beside an arriving piece."""
    x, y = x + radius * 0.72, y + radius * 0.72
    badge = _circle(x, y, 38, f'fill="{ACCENT}" stroke="#fff" stroke-width="8"')
    return f'{badge}<path d="M{x - 20:.0f} {y:.0f}h40m-20 -20v40" stroke="#fff" stroke-width="11"/>'


def top_layer(annotations: BoardAnnotations, middle: Callable[[Position], Point], radius: int) -> Iterator[str]:
    """Draw what is above the pieces, numbers topmost. middle: returns the center of a space; radius: of a piece."""
    for place in sorted(annotations.departures):
        x, y = middle(place)
        cross = f"M{x - 58:.0f} {y - 58:.0f}l116 116m0 -116l-116 116"
        yield f'<path d="{cross}" stroke="{ACCENT}" stroke-width="14" stroke-linecap="round"/>'
    for place in sorted(annotations.decisive):
        x, y = middle(place)
        yield _circle(x, y, radius + 6, 'fill="none" stroke="#fff" stroke-width="26"')
        yield _circle(x, y, radius + 6, f'fill="none" stroke="{ACCENT}" stroke-width="16"')
    for arrow in annotations.arrows:
        yield _arrow(middle(arrow.start), middle(arrow.goal))
    for place, numbers in annotations.marks.items():
        x, y = middle(place)
        share = 1 if len(numbers) < 3 else 0.76  # so that they stay in their space
        for index, number in enumerate(numbers):
            across, down = x - 58 + 92 * share * index, y - 58
            yield _circle(across, down, 50 * share, f'fill="{ACCENT}" stroke="#fff" stroke-width="8"')
            attributes = f'font-size="{74 * share:.0f}" font-weight="bold" fill="#fff" text-anchor="middle"'
            yield f'<text x="{across:.0f}" y="{down + 26 * share:.0f}" {attributes}>{number}</text>'


def _arrow(start: Point, goal: Point) -> str:
    """Draw an arrow from the edge of a piece in one space to the middle of another."""
    (x, y), length = start, math.dist(start, goal)
    across, down = (goal[0] - x) / length, (goal[1] - y) / length
    x, y, end = x + across * 62, y + down * 62, length - 62 - 40
    tip, neck = (x + across * end, y + down * end), (x + across * (end - 56), y + down * (end - 56))
    head = [tip, *((neck[0] + side * down * 44, neck[1] - side * across * 44) for side in (1, -1))]
    line = f"M{x:.0f} {y:.0f}L{neck[0]:.0f} {neck[1]:.0f}"
    point = "M" + "L".join(f"{u:.0f} {v:.0f}" for u, v in head) + "Z"
    return "".join(
        f'<path d="{line}" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'
        f'<path d="{point}" fill="{colour}" stroke="{colour}" stroke-width="{width - 18}" stroke-linejoin="round"/>'
        for width, colour in ((36, "#fff"), (20, ACCENT))
    )


def _circle(x: float, y: float, radius: float, attributes: str) -> str:
    """Draw a circle around a point. attributes: further ones of its element."""
    return f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{radius:.0f}" {attributes}/>'
