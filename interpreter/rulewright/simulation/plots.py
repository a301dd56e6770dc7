"""Plots for a page, drawn as SVG as wide as its place: strips, histograms, stacked bars, curves.

All horizontal positions are percentages, so that texts keep their size on a phone. An axis is a `Scale`, which is never
shorter than its caller says, so that small differences look small. Colours are Okabe and Ito's, for colour-blind
readers; the first, grey, is for the base of a comparison. Equal data make equal pictures, to the byte. Screen readers
get the figures as text: in the tables of strips, and below the other pictures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from rulewright.base.records import record
from rulewright.simulation.markup import Html, join_lines, tag
from rulewright.simulation.sample import Sample
from rulewright.simulation.statistics import Estimate

COLOURS = 8
"""Number of classes g0, g1 … in the style sheet."""

MAX_BARS = 40
"""Most bars of a histogram, about."""

NumberText = Callable[[float], str]
"""Function that formats a number on an axis."""


@record
class Scale:
    """Range of numbers on an axis.

    ticks: round numbers in it, from one end to the other; line: position of a dashed reference line, or None.
    """

    low: float
    high: float
    ticks: tuple[float, ...]
    line: float | None = None

    def position(self, value: float) -> float:
        """Return the position of a number, from 0 to 100; numbers outside are at the ends."""
        return 100 * (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)


def scale(
    values: Iterable[float],
    least: float,
    line: float | None = None,
    bounds: tuple[float, float] = (-math.inf, math.inf),
    ticks: int = 5,
) -> Scale:
    """Return a scale that shows all values and the line, with ends at round numbers where `bounds` allow.

    least: shortest range, so that small differences look small; bounds: limits of possible numbers; ticks: about how
    many.
    """
    finite = [value for value in (*values, *([] if line is None else [line])) if math.isfinite(value)] or [0.0]
    low, high = min(finite), max(finite)
    missing = max(least, 1e-9) - (high - low)
    if missing > 0:
        low, high = low - missing / 2, high + missing / 2
    # What cannot be on one side is given to the other.
    low, high = low - max(0.0, high - bounds[1]), high + max(0.0, bounds[0] - low)
    low, high = max(low, bounds[0]), min(high, bounds[1])
    step = _step((high - low) / ticks)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ends = max(first * step, bounds[0]), min(last * step, bounds[1])
    return Scale(
        *ends, tuple(t for n in range(first, last + 1) if ends[0] <= (t := round(n * step, 9)) <= ends[1]), line
    )


def _step(least: float) -> float:
    """Return the least of 1, 2 and 5 times a power of ten that is not below."""
    power = 10.0 ** math.floor(math.log10(least))
    return next((times * power for times in (1, 2, 5) if times * power >= least * 0.999), 10 * power)


def colour_class(group: int) -> str:
    """Return the class of a group's colour in the style sheet; after COLOURS groups they begin again."""
    return f"g{group % COLOURS}"


# ── strips: a table whose rows have a dot on its interval ──


@record
class StripMark:
    """Dot on its interval. group: its colour; own: whether it is the base of the comparison, drawn hollow."""

    estimate: Estimate | None
    group: int = 1
    own: bool = False


@record
class Strip:
    """Row of a table of strips. label: of this row; marks: one above the other; text: figure as text, or Html."""

    label: str
    marks: Sequence[StripMark]
    text: str = ""


def strips(caption: str, rows: Sequence[tuple[str, Sequence[Strip]]], axis: Scale, format_number: NumberText) -> Html:
    """Return a table: labels, marks, figures. rows: a heading, or '', and the strips below it.

    On a phone, strips below headings have their label above their marks.
    """
    bodies = []
    for heading, below in rows:
        lines = [_strip_row(row, axis, bool(heading)) for row in below]
        over = [tag("tr", tag("th", heading, scope="rowgroup", colspan="3"))] if heading else []
        bodies.append(tag("tbody", *over, *lines, class_="several" if heading else ""))
    head = tag("tr", tag("td"), tag("td", _axis(axis, format_number), class_="strip"), tag("td"))
    name = "strips keyed" if any(heading for heading, _ in rows) else "strips"
    inner = tag("table", tag("thead", head, aria_hidden="true"), *bodies, class_=name)
    return tag("figure", tag("figcaption", caption) if caption else "", inner)


def _strip_row(row: Strip, axis: Scale, keyed: bool) -> Html:
    """Return a row of a strip plot: its name, a mark with its interval for each group, and the figure. keyed: whether
    its name has the colour of its first mark."""
    shapes = _grid(axis)
    for number, mark in enumerate(row.marks, 1):
        if mark.estimate is None or not mark.estimate.known:
            continue
        low, middle, high = (_percent(axis.position(each)) for each in _interval_positions(mark.estimate))
        y = _percent(100 * number / (len(row.marks) + 1))
        line = tag("line", x1=low, x2=high, y1=y, y2=y, class_="reach")
        dot = tag("circle", cx=middle, cy=y, r="5", class_="hollow" if mark.own else "dot")
        shapes.append(tag("g", line, dot, class_=colour_class(mark.group)))
    high_enough = f"height: {0.5 + 0.65 * len(row.marks):g}rem" if len(row.marks) > 1 else ""
    picture = tag("svg", *shapes, style=high_enough, aria_hidden="true")
    name = tag("th", row.label, scope="row", class_=f"own {colour_class(row.marks[0].group)}" if keyed else "")
    return tag("tr", name, tag("td", picture, class_="strip"), tag("td", row.text))


def _interval_positions(estimate: Estimate) -> tuple[float, float, float]:
    """Return the low end, the value and the high end of an estimate."""
    return estimate.low, estimate.value, estimate.high


def _grid(axis: Scale) -> list[Html]:
    """Return the vertical lines at an axis's ticks, and the reference line."""
    lines = [_vertical_line(axis.position(tick), "grid") for tick in axis.ticks]
    return lines if axis.line is None else [*lines, _vertical_line(axis.position(axis.line), "mark")]


def _vertical_line(position: float, name: str) -> Html:
    """Return a vertical line. position: from 0 to 100."""
    return tag("line", x1=_percent(position), x2=_percent(position), y1="0", y2="100%", class_=name)


def _axis(axis: Scale, format_number: NumberText) -> Html:
    """Return a picture with the numbers of an axis, for the head of a table."""
    return tag("svg", *_ticks(axis, format_number, "75%"))


def _ticks(axis: Scale, format_number: NumberText, y: str) -> list[Html]:
    """Return the labels of ticks. Every other one is left out where the page is narrow, but not zero."""
    few = axis.ticks if len(axis.ticks) <= 7 else axis.ticks[::2]
    middle = few.index(0.0) % 2 if 0.0 in few else 0
    return [
        tag(
            "text",
            format_number(tick),
            x=_percent(axis.position(tick)),
            y=y,
            text_anchor="middle",
            class_="spare" if number % 2 != middle and len(few) > 3 else "",
        )
        for number, tick in enumerate(few)
    ]


# ── histograms ──


def histogram(
    caption: str,
    groups: Sequence[tuple[str, Sample]],
    least: float,
    format_number: NumberText,
    share: NumberText,
    numbers: Html,
    colours: Sequence[int] | None = None,
) -> Html:
    """Return a histogram for each group over one axis, with a dashed line at its mean.

    groups: label and numbers, at least one of them; least: the shortest axis; share: formats a part of 1; numbers:
    content to open below; colours: of the groups, else one after the other.
    """
    low, high = min(values.min() for _, values in groups), max(values.max() for _, values in groups)
    whole = all(bool((values.values == np.round(values.values)).all()) for _, values in groups)
    wide = max(1.0, math.ceil((high - low + 1) / MAX_BARS)) if whole else max((high - low) / MAX_BARS, 1e-9)
    half = 0.5 if whole else 0.0
    edges = np.arange(low - half, high + wide + half, wide)
    axis = scale([low - half, high + half], least, bounds=(-half if low >= 0 else -math.inf, math.inf), ticks=8)
    heights = [
        np.histogram(values.values, edges, weights=values.counts)[0] / max(1, len(values)) for _, values in groups
    ]
    upward = scale([0.0, *(float(parts.max()) for parts in heights)], 0.1, bounds=(0, 1), ticks=2)
    panels = []
    for number, ((label, values), parts) in enumerate(zip(groups, heights, strict=True)):
        shapes = [each for tick in upward.ticks for each in _level_line(upward, tick, share)]
        for edge, part in zip(edges[:-1], parts, strict=True):
            if part:
                left, right = axis.position(edge + 0.07 * wide), axis.position(edge + 0.93 * wide)
                top = upward.position(float(part))
                box = {"x": _percent(left), "width": _percent(right - left)}
                shapes.append(tag("rect", **box, y=_percent(100 - top), height=_percent(top), class_="fill"))
        shapes.append(_vertical_line(axis.position(values.mean()), "mark"))
        name = colour_class(number + 1 if colours is None else colours[number])
        picture = tag("svg", *shapes, class_=name, style="height: 6.5rem", aria_hidden="true")
        panels += [tag("p", label, class_="faint")] if len(groups) > 1 else []
        panels.append(picture)
    below = tag("svg", *_ticks(axis, format_number, "1rem"), style="height: 1.4rem", aria_hidden="true")
    return join_lines(tag("figure", tag("figcaption", caption), *panels, below), numbers)


def _level_line(upward: Scale, tick: float, share: NumberText) -> list[Html]:
    """Return a horizontal line with its label."""
    y = _percent(100 - upward.position(tick))
    line = tag("line", x1="0", x2="100%", y1=y, y2=y, class_="grid")
    return [line, tag("text", share(tick), x="0", y=y, dy="-3")] if tick else [line]


# ── stacked bars ──


def stacked_bars(
    caption: str,
    bars: Sequence[str],
    parts: Sequence[tuple[str, Sequence[float]]],
    format_number: NumberText,
    format_axis: NumberText,
) -> Html:
    """Return a bar for each label, made of parts; negative ones go to the left.

    parts: label, and a number for each bar; format_number, format_axis: of the numbers in the bars, and above them.
    """
    above = [sum(max(0.0, values[bar]) for _, values in parts) for bar in range(len(bars))]
    below = [sum(min(0.0, values[bar]) for _, values in parts) for bar in range(len(bars))]
    axis = scale([0.0, *above, *below], 1e-9)
    lines = []
    for bar, label in enumerate(bars):
        shapes, right, left = _grid(axis), 0.0, 0.0
        for number, (_, values) in enumerate(parts):
            value = values[bar]
            begin, end = (right, right + value) if value >= 0 else (left + value, left)
            right, left = max(right, end), min(left, begin)
            width = axis.position(end) - axis.position(begin)
            box = {"x": _percent(axis.position(begin)), "width": _percent(width), "y": "12%", "height": "76%"}
            shapes.append(
                tag("g", tag("rect", **box, class_="part"), *_text_in_bar(axis, begin, end, format_number(value)))
            )
            shapes[-1] = tag("g", shapes[-1], class_=colour_class(number + 1))
        shapes.append(_vertical_line(axis.position(0.0), "zero"))
        picture = tag("svg", *shapes, aria_hidden="true")
        whole = format_number(above[bar] + below[bar])
        lines.append(tag("tr", tag("th", label, scope="row"), tag("td", picture, class_="strip"), tag("td", whole)))
    head = tag("tr", tag("td"), tag("td", _axis(axis, format_axis), class_="strip"), tag("td"))
    inner = tag("table", tag("thead", head, aria_hidden="true"), tag("tbody", *lines), class_="strips")
    names = legend(*((label, number + 1) for number, (label, _) in enumerate(parts)))
    return tag("figure", tag("figcaption", caption), names, inner)


def _text_in_bar(axis: Scale, begin: float, end: float, text: str) -> list[Html]:
    """Return a part's number, if there is room for it even on a phone."""
    if axis.position(end) - axis.position(begin) < 14:
        return []
    middle = _percent((axis.position(begin) + axis.position(end)) / 2)
    return [tag("text", text, x=middle, y="50%", dy="4", text_anchor="middle", class_="on")]


# ── curves ──


@record
class CurvePoint:
    """Point of a curve. own: whether it is the base of the comparison, drawn hollow."""

    x: float
    estimate: Estimate
    own: bool = False


def curve(
    title: str,
    points: Sequence[CurvePoint],
    least: float,
    format_number: NumberText,
    below: NumberText | None = None,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Html:
    """Return a curve of a figure over a number: dots on their intervals, joined; points without a finite interval are
    left out.

    title: of the panel; least: the shortest vertical axis; below: formats the numbers below; bounds: of the figure.
    Several are put side by side by `panels`.
    """
    known = [point for point in sorted(points, key=lambda point: point.x) if point.estimate.known]
    xs = [point.x for point in known] or [0.0]
    across = Scale(xs[0], max(xs[-1], xs[0] + 1e-9), tuple(xs)[:: 1 + len(xs) // 8])
    upward = scale([end for point in known for end in _interval_positions(point.estimate)], least, None, bounds, 3)
    shapes = [each for tick in upward.ticks for each in _level_line_beside(upward, tick, format_number)]

    def x(point: CurvePoint) -> float:
        return 14 + 0.82 * across.position(point.x)

    def y(value: float) -> float:
        return 100 - upward.position(value)

    upper = [f"{_number(x(p))},{_number(y(p.estimate.high))}" for p in known]
    lower = [f"{_number(x(p))},{_number(y(p.estimate.low))}" for p in reversed(known)]
    middle = [f"{_number(x(p))},{_number(y(p.estimate.value))}" for p in known]
    shapes.append(
        tag(
            "svg",
            tag("polygon", points=" ".join([*upper, *lower]), class_="band"),
            tag("polyline", points=" ".join(middle), class_="curve", vector_effect="non-scaling-stroke"),
            viewBox="0 0 100 100",
            preserveAspectRatio="none",
        )
    )
    for point in known:
        center = {"cx": _percent(x(point)), "cy": _percent(y(point.estimate.value))}
        shapes.append(tag("circle", **center, r="5", class_="hollow" if point.own else "dot"))
    picture = tag("svg", *shapes, class_=colour_class(1), style="height: 8rem", aria_hidden="true")
    numbers = [
        tag(
            "text",
            (below or format_number)(x_),
            x=_percent(14 + 0.82 * across.position(x_)),
            y="1rem",
            text_anchor="middle",
        )
        for x_ in across.ticks
    ]
    axis = tag("svg", *numbers, style="height: 1.4rem", aria_hidden="true")
    return tag("figure", tag("figcaption", title), picture, axis)


def _level_line_beside(upward: Scale, tick: float, format_number: NumberText) -> list[Html]:
    """Return a horizontal line with its label before it."""
    y = _percent(100 - upward.position(tick))
    line = tag("line", x1="9%", x2="100%", y1=y, y2=y, class_="grid")
    return [line, tag("text", format_number(tick), x="0", y=y, dy="4")]


def panels(*pictures: str) -> Html:
    """Return small pictures side by side, as many as there is room for."""
    return tag("div", *pictures, class_="panels")


def legend(*entries: tuple[str, int]) -> Html:
    """Return the legend of colours. entries: labels, each with the number of its colour."""
    return tag("ul", *(tag("li", label, class_=colour_class(group)) for label, group in entries), class_="key")


def dashed_line_legend(label: str) -> Html:
    """Return the legend of a dashed line. label: its meaning."""
    return tag("ul", tag("li", label, class_="line"), class_="key")


def _percent(value: float) -> str:
    """Return a position from 0 to 100 as SVG has it: with a % sign."""
    return f"{_number(value)}%"


def _number(value: float) -> str:
    """Return a number with two decimals at most, as SVG has it."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
