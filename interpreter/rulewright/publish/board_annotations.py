"""What happens on a board, drawn over it as SVG: numbers, arrows, what comes and goes, what may be chosen."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field

from rulewright.base.records import record

Point = tuple[float, float]
Position = tuple[int, int]
"""Column and row, from 0."""

ACCENT = "#B0124F"
"""Colour of whatever tells what happens: no ground has it, and white letters can be read on it."""

_DASHED = 'stroke-dasharray="30 18"'


@record
class Lying:
    """What lies on top in a space. name: of which the beginning stands for a picture that is missing; picture: SVG or
    ''; count: how many lie there; told: all of them in words."""

    name: str
    picture: str
    count: int = 1
    told: str = ""


@record
class Arrow:
    """Where something goes, from space to space."""

    start: Position
    goal: Position


@record
class Traces:
    """What happens on a board. marks: the numbers of what is told of a space; arrows: what moves; comes: what comes to
    a space from elsewhere; gone: spaces whose piece leaves the board; offered: those that may be chosen; decides: those
    on which something turns."""

    marks: Mapping[Position, tuple[int, ...]]
    arrows: tuple[Arrow, ...] = ()
    comes: Mapping[Position, Lying] = field(default_factory=dict)
    gone: frozenset[Position] = frozenset()
    offered: frozenset[Position] = frozenset()
    decides: frozenset[Position] = frozenset()


def choosable(x: float, y: float) -> str:
    """A space that may be chosen."""
    return _circle(x, y, 62, f'fill="#fff" fill-opacity="0.5" stroke="{ACCENT}" stroke-width="9" {_DASHED}')


def coming(x: float, y: float, radius: int, taken: bool) -> tuple[float, float, int]:
    """Where a piece is drawn that comes to a space, and how large: beside what lies there, if something does."""
    return (x + 44, y + 44, 58) if taken else (x, y, radius)


def come(x: float, y: float, radius: int) -> str:
    """A plus beside a piece that was not there."""
    x, y = x + radius * 0.72, y + radius * 0.72
    badge = _circle(x, y, 38, f'fill="{ACCENT}" stroke="#fff" stroke-width="8"')
    return f'{badge}<path d="M{x - 20:.0f} {y:.0f}h40m-20 -20v40" stroke="#fff" stroke-width="11"/>'


def over(traces: Traces, middle: Callable[[Position], Point], radius: int) -> Iterator[str]:
    """What stands above the pieces, the numbers above all. middle: of a space; radius: of a piece."""
    for place in sorted(traces.gone):
        x, y = middle(place)
        cross = f"M{x - 58:.0f} {y - 58:.0f}l116 116m0 -116l-116 116"
        yield f'<path d="{cross}" stroke="{ACCENT}" stroke-width="14" stroke-linecap="round"/>'
    for place in sorted(traces.decides):
        x, y = middle(place)
        yield _circle(x, y, radius + 6, 'fill="none" stroke="#fff" stroke-width="26"')
        yield _circle(x, y, radius + 6, f'fill="none" stroke="{ACCENT}" stroke-width="16"')
    for arrow in traces.arrows:
        yield _arrow(middle(arrow.start), middle(arrow.goal))
    for place, numbers in traces.marks.items():
        x, y = middle(place)
        share = 1 if len(numbers) < 3 else 0.76  # so that they stay in their space
        for at, number in enumerate(numbers):
            across, down = x - 58 + 92 * share * at, y - 58
            yield _circle(across, down, 50 * share, f'fill="{ACCENT}" stroke="#fff" stroke-width="8"')
            how = f'font-size="{74 * share:.0f}" font-weight="bold" fill="#fff" text-anchor="middle"'
            yield f'<text x="{across:.0f}" y="{down + 26 * share:.0f}" {how}>{number}</text>'


def _arrow(start: Point, goal: Point) -> str:
    """From the edge of what lies in one space into the middle of another."""
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


def _circle(x: float, y: float, radius: float, how: str) -> str:
    return f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{radius:.0f}" {how}/>'
