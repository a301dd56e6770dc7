"""Pictures of trade-offs: candidates as dots between two axes, as SVG inside of HTML."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape

from rulewright.base.diagnostics import readable
from rulewright.base.records import record
from rulewright.simulation.statistics import Estimate

WIDTH, HEIGHT = 640, 400
"""Size of a picture, in its own units."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 74, 18, 16, 52
"""Margins around the axes, in the picture's own units."""

_STYLE = """
.dots { max-width: 42rem }
.dots text { fill: currentColor; font: 13px system-ui, sans-serif }
.dots .axis { stroke: currentColor; stroke-width: 1 }
.dots .grid { stroke: currentColor; stroke-opacity: .16; stroke-width: 1 }
.dots .goal { fill: #009E73; fill-opacity: .16 }
.dots line.goal { stroke: #009E73; stroke-width: 2; stroke-opacity: .8 }
.dots .span { stroke: currentColor; stroke-opacity: .45; stroke-width: 1.2 }
.dots .other { fill: currentColor; fill-opacity: .35 }
.dots .best { fill: #0072B2; stroke: var(--paper); stroke-width: 1 }
.dots .now { fill: var(--paper); stroke: currentColor; stroke-width: 2.2 }
.dots .chosen { fill: #D55E00; stroke: var(--paper); stroke-width: 1 }
.key { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; font-size: .9rem; color: var(--faint); padding: 0; margin: 0 }
.key li { display: flex; align-items: center; gap: .4rem; list-style: none }
.key svg { width: 1.1rem; height: 1.1rem }
"""


@record
class TradeOffDot:
    """Candidate in a picture.

    x, y: its figures; kind: 'other', 'best', 'now' or 'chosen'; label: beside it, or '' for one whose intervals are not
    drawn.
    """

    x: Estimate
    y: Estimate
    kind: str
    label: str = ""


@record
class PictureAxis:
    """Axis of a picture.

    - title: its label
    - format_number: formats a number with so many decimals
    - least, most: of the goal, reversed if there is none
    - share: whether its figures are parts of 1
    - names: labels of 0, 1, 2 … instead of numbers
    """

    title: str
    format_number: Callable[[float, int], str]
    least: float = math.inf
    most: float = -math.inf
    share: bool = False
    names: Sequence[str] = ()


def dots(title: str, description: str, across: PictureAxis, up: PictureAxis, candidates: Sequence[TradeOffDot]) -> str:
    """Draw candidates between two axes, with lines for their intervals. title, description: for screen readers."""
    scales = [
        _scale(axis, [dot.x if axis is across else dot.y for dot in candidates], candidates, axis is across)
        for axis in (across, up)
    ]
    (x_low, x_high, x_ticks), (y_low, y_high, y_ticks) = scales

    def at_x(value: float) -> float:
        part = (value - x_low) / (x_high - x_low)
        return _LEFT + min(1.0, max(0.0, part)) * (WIDTH - _LEFT - _RIGHT)

    def at_y(value: float) -> float:
        part = (value - y_low) / (y_high - y_low)
        return HEIGHT - _BOTTOM - min(1.0, max(0.0, part)) * (HEIGHT - _TOP - _BOTTOM)

    parts = [*_goal(across, at_x, True), *_goal(up, at_y, False)]
    bottom, left = HEIGHT - _BOTTOM, _LEFT
    for tick in x_ticks:
        parts.append(_line("grid", at_x(tick), _TOP, at_x(tick), bottom))
        parts.append(_text(_tick_text(across, tick, x_ticks), at_x(tick), bottom + 18, "middle"))
    for tick in y_ticks:
        parts.append(_line("grid", left, at_y(tick), WIDTH - _RIGHT, at_y(tick)))
        parts.append(_text(_tick_text(up, tick, y_ticks), left - 8, at_y(tick) + 4, "end"))
    parts += [_line("axis", left, bottom, WIDTH - _RIGHT, bottom), _line("axis", left, _TOP, left, bottom)]
    parts.append(_text(across.title, (left + WIDTH - _RIGHT) / 2, HEIGHT - 10, "middle"))
    parts.append(
        f'<text transform="translate(16 {(_TOP + bottom) / 2:.1f}) rotate(-90)" text-anchor="middle">'
        f"{escape(readable(_cut(up.title)))}</text>"
    )
    order = sorted(candidates, key=lambda dot: ("other", "best", "now", "chosen").index(dot.kind))
    for dot in order:
        x, y = at_x(dot.x.value), at_y(dot.y.value)
        if dot.label:
            if dot.x.known and dot.x.high > dot.x.low:
                parts.append(_line("span", at_x(dot.x.low), y, at_x(dot.x.high), y))
            if dot.y.known and dot.y.high > dot.y.low:
                parts.append(_line("span", x, at_y(dot.y.low), x, at_y(dot.y.high)))
    placed: list[tuple[float, float]] = []
    for dot in order:
        x, y = at_x(dot.x.value), at_y(dot.y.value)
        parts.append(_mark(dot.kind, x, y))
        if dot.label:
            end, above = x > WIDTH - 90, y - 8
            while any(abs(x - other) < 24 and abs(above - height) < 13 for other, height in placed):
                above += 13
            placed.append((x, above))
            parts.append(_text(dot.label, x - 9 if end else x + 9, above, "end" if end else "start"))
    labels = f"<title>{escape(readable(title))}</title><desc>{escape(readable(description))}</desc>"
    inside = f"{labels}<style>{_STYLE}</style>{''.join(parts)}"
    return f'<svg class="dots" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">{inside}</svg>'


def legend_mark(kind: str) -> str:
    """Return a mark by itself, for a legend."""
    return f'<svg class="dots" viewBox="0 0 18 18" aria-hidden="true">{_mark(kind, 9, 9)}</svg>'


def _mark(kind: str, x: float, y: float) -> str:
    """Return a mark. Kinds differ by their shape as well as by their colour."""
    if kind == "chosen":
        points = [(x + r * math.sin(a), y - r * math.cos(a)) for a, r in _star()]
        return f'<polygon class="chosen" points="{" ".join(f"{px:.1f},{py:.1f}" for px, py in points)}"/>'
    if kind == "now":
        return f'<rect class="now" x="{x - 5:.1f}" y="{y - 5:.1f}" width="10" height="10"/>'
    if kind == "best":
        corners = f"{x:.1f},{y - 6.5:.1f} {x + 6.5:.1f},{y:.1f} {x:.1f},{y + 6.5:.1f} {x - 6.5:.1f},{y:.1f}"
        return f'<polygon class="best" points="{corners}"/>'
    return f'<circle class="other" cx="{x:.1f}" cy="{y:.1f}" r="3.6"/>'


def _star() -> list[tuple[float, float]]:
    """Return angle and radius of a star's corners."""
    return [(math.pi * corner / 5, 9.0 if corner % 2 == 0 else 4.0) for corner in range(10)]


def _goal(axis: PictureAxis, position: Callable[[float], float], across: bool) -> list[str]:
    """Return the range of a goal as SVG: a band, a line, or nothing. position: of a figure in the picture; across:
    whether its axis is the horizontal one."""
    if axis.least > axis.most:
        return []
    ends = sorted((position(axis.least), position(axis.most)))
    if axis.least == axis.most:
        if across:
            return [_line("goal", ends[0], _TOP, ends[0], HEIGHT - _BOTTOM)]
        return [_line("goal", _LEFT, ends[0], WIDTH - _RIGHT, ends[0])]
    if across:
        x, y, width, height = ends[0], float(_TOP), ends[1] - ends[0], float(HEIGHT - _TOP - _BOTTOM)
    else:
        x, y, width, height = float(_LEFT), ends[0], float(WIDTH - _LEFT - _RIGHT), ends[1] - ends[0]
    return [f'<rect class="goal" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>']


def _scale(
    axis: PictureAxis, estimates: Sequence[Estimate], candidates: Sequence[TradeOffDot], across: bool
) -> tuple[float, float, list[float]]:
    """Return the ends of an axis, and its ticks. estimates: of the candidates on this axis, in their order."""
    if axis.names:
        return -0.5, len(axis.names) - 0.5, [float(place) for place in range(len(axis.names))]
    values = [each.value for each in estimates]
    for dot, each in zip(candidates, estimates, strict=True):
        if dot.label and each.known:
            values += [each.low, each.high]
    values += [bound for bound in (axis.least, axis.most) if math.isfinite(bound)]
    low, high = min(values), max(values)
    reach = max((high - low) * 0.06, abs(high) * 0.02, 1e-3)
    low, high = low - reach, high + reach
    step = _step((high - low) / 5, 0.01 if axis.share else 1.0)
    first = math.ceil(low / step)
    return low, high, [number * step for number in range(first, math.floor(high / step) + 1)]


def _step(rough: float, unit: float) -> float:
    """Return a round number near a rough one. unit: of which few digits are shown."""
    scaled = rough / unit
    power = 10.0 ** math.floor(math.log10(scaled))
    return next(step for step in (1, 2, 5, 10) if step * power >= scaled * 0.999) * power * unit


def _tick_text(axis: PictureAxis, value: float, ticks: Sequence[float]) -> str:
    """Return the label of a tick, with the decimals that the distance of ticks needs."""
    if axis.names:
        return _cut(axis.names[round(value)], 14)
    distance = (ticks[1] - ticks[0] if len(ticks) > 1 else 1.0) * (100 if axis.share else 1)
    places = max(0, -math.floor(math.log10(distance) + 1e-9))
    return axis.format_number(0.0 if abs(value) < 1e-9 else value, places)


def _cut(text: str, longest: int = 60) -> str:
    """Shorten a text with an ellipsis."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _line(kind: str, x: float, y: float, to_x: float, to_y: float) -> str:
    """Return a line as SVG. kind: its class."""
    return f'<line class="{kind}" x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"/>'


def _text(text: str, x: float, y: float, anchor: str) -> str:
    """Return a label as SVG, shortened and escaped. anchor: as SVG has it."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(readable(_cut(text)))}</text>'
