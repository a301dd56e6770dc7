"""Pictures for a page: dots with intervals, histograms and stacked bars, as SVG that goes into HTML as it is.

Text stays text and takes the page's colour; groups differ by mark or hatching as well as by colour (Okabe and Ito's
palette for colour-blind readers). Equal data make equal pictures, to the byte.
"""

from __future__ import annotations

import hashlib
import io
import logging
import re
import warnings
from collections.abc import Sequence
from html import escape
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator
from numpy.typing import NDArray

from rulewright.base.diagnostics import visible
from rulewright.base.records import record
from rulewright.simulation.statistics import Estimate

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
MARKS = ("o", "s", "^", "D", "v", "P")
HATCHES = ("", "///", "...", "xxx", "\\\\\\", "ooo", "---", "+++")
MOST_ROWS = 60

_INK, _PAPER = "#010203", "#FDFCFB"  # stand for the page's own colours
_WIDTH = 5.4
_LONGEST = 30
_LONGEST_AXIS = 60
_STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "rulewright",
    "text.parse_math": False,
    "font.size": 9.5,
    "hatch.linewidth": 0.6,
    **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color", "axes.edgecolor"), _INK),
}


@record
class DotRow:
    """One line of dots. estimates: one per group; None where a group has none."""

    label: str
    estimates: Sequence[Estimate | None]


def dots(
    title: str,
    rows: Sequence[DotRow],
    groups: Sequence[str],
    axis: str,
    shares: bool = False,
    line: tuple[float, str] | None = None,
) -> str:
    """Estimates as dots on their intervals, a row each. line: where a dashed line stands, and what it means."""
    scale = 100 if shares else 1
    step = min(0.22, 0.7 / len(groups))
    figure, axes = _figure(0.75 + len(rows) * max(0.3, 0.17 * len(groups)) + (0.25 if len(groups) > 1 else 0))
    for number, group in enumerate(groups):
        found = [(place, row.estimates[number]) for place, row in enumerate(rows)]
        kept = [(place, each) for place, each in found if each is not None and each.known]
        if not kept:
            continue
        middle = np.array([each.value for _, each in kept]) * scale
        reach = np.array([[e.value - e.low for _, e in kept], [e.high - e.value for _, e in kept]]) * scale
        axes.errorbar(
            middle,
            [place + (number - (len(groups) - 1) / 2) * step for place, _ in kept],
            xerr=np.maximum(reach, 0),
            fmt=MARKS[number % len(MARKS)],
            color=COLOURS[number % len(COLOURS)],
            markersize=5,
            capsize=2.5,
            linewidth=1.4,
            label=_cut(group) if len(groups) > 1 else None,
        )
    axes.set_yticks(range(len(rows)), [_cut(row.label) for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel(_cut(axis, _LONGEST_AXIS))
    if line is not None:
        axes.axvline(line[0] * scale, color=_INK, linewidth=0.9, linestyle=(0, (4, 3)), label=line[1])
    axes.grid(axis="x", alpha=0.25, linewidth=0.6, color=_INK)
    axes.tick_params(axis="y", length=0)
    _legend(figure, axes, len(groups) > 1 or line is not None)
    return _svg(figure, title, "Each dot is an estimate, the line through it its 95 % interval.")


def histogram(title: str, groups: Sequence[tuple[str, NDArray[np.float64]]], axis: str, of: str) -> str:
    """How often numbers occur, one panel per group over one axis. groups: label and numbers; of: what
    they are numbers of, 'games'."""
    everything = np.concatenate([values for _, values in groups])
    low, high = float(everything.min()), float(everything.max())
    whole = bool((everything == np.round(everything)).all())
    wide = max(1.0, np.ceil((high - low + 1) / 40)) if whole else max((high - low) / 40, 1e-9)
    edges = np.arange(low - (0.5 if whole else 0), high + wide + (0.5 if whole else 0), wide)
    figure, first = _figure(0.45 + 0.95 * len(groups), panels=len(groups))
    panels = figure.axes if len(groups) > 1 else [first]
    tallest = 0.0
    for number, (axes, (label, values)) in enumerate(zip(panels, groups, strict=True)):
        heights = np.histogram(values, edges)[0] * 100 / max(1, len(values))
        tallest = max(tallest, float(heights.max()))
        # One outline that goes down between the bars is drawn far quicker than bars.
        sides = np.ravel(np.column_stack([edges[:-1] + 0.07 * wide, edges[1:] - 0.07 * wide]))
        outline = np.ravel(np.column_stack([heights, np.zeros(len(heights))]))[:-1]
        axes.stairs(outline, sides, fill=True, color=COLOURS[number % len(COLOURS)])
        middle = float(values.mean()) if len(values) else 0.0
        axes.axvline(middle, color=_INK, linewidth=0.9, linestyle=(0, (4, 3)))
        if len(groups) > 1:
            axes.set_title(_cut(label), loc="left", fontsize=9, pad=2, color=_INK)
    for axes in panels:
        axes.set_ylim(0, tallest * 1.08 or 1)
        axes.set_ylabel(f"% of {of}")
        axes.yaxis.set_major_locator(MaxNLocator(3))
        axes.xaxis.set_major_locator(MaxNLocator(8, integer=whole))
    panels[-1].set_xlabel(_cut(axis, _LONGEST_AXIS))
    return _svg(figure, title, "The height of a bar is how often a number occurs; the dashed line is the mean.")


def stacked(title: str, groups: Sequence[str], parts: Sequence[tuple[str, Sequence[float]]], axis: str) -> str:
    """A bar per group made of parts, what is negative to the left. parts: label, and a number per group."""
    figure, axes = _figure(0.75 + 0.4 * len(groups) + 0.22 * ((len(parts) + 1) // 2))
    right, left = np.zeros(len(groups)), np.zeros(len(groups))
    for number, (label, numbers) in enumerate(parts):
        values = np.array(numbers, dtype=float)
        axes.barh(
            range(len(groups)),
            values,
            0.62,
            left=np.where(values >= 0, right, left),
            color=COLOURS[number % len(COLOURS)],
            hatch=HATCHES[number % len(HATCHES)],
            edgecolor=_PAPER,
            linewidth=0.8,
            label=_cut(label),
        )
        right, left = right + np.maximum(values, 0), left + np.minimum(values, 0)
    axes.set_yticks(range(len(groups)), [_cut(group) for group in groups])
    axes.set_ylim(len(groups) - 0.5, -0.5)
    axes.axvline(0, color=_INK, linewidth=0.8)
    axes.set_xlabel(_cut(axis, _LONGEST_AXIS))
    axes.tick_params(axis="y", length=0)
    _legend(figure, axes, True)
    return _svg(figure, title, "The length of a part is its mean.")


def _figure(height: float, panels: int = 1) -> tuple[Figure, Axes]:
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(_WIDTH, height), layout="constrained")
        FigureCanvasSVG(figure)
        made = figure.subplots(panels, 1, sharex=True, squeeze=False)
        for axes in made.flat:
            axes.spines[["top", "right"]].set_visible(False)
            axes.patch.set_visible(False)
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}".replace("-", "−")))
        first: Axes = made.flat[0]
    return figure, first


def _legend(figure: Figure, axes: Axes, wanted: bool) -> None:
    if not wanted:
        return
    # Lines come before dots there, and are explained after them here.
    handles, labels = axes.get_legend_handles_labels()
    order = sorted(range(len(handles)), key=lambda place: isinstance(handles[place], Line2D))
    shown = [handles[place] for place in order], [labels[place] for place in order]
    with mpl.rc_context(_STYLE):
        figure.legend(*shown, loc="outside upper left", ncols=2, frameon=False, fontsize=8.5)


def _svg(figure: Figure, title: str, description: str) -> str:
    """The figure as an element of a page, with what screen readers say of it."""
    out = io.StringIO()
    # A character that the measuring font lacks is measured as a box; the reader's fonts draw it.
    with mpl.rc_context(_STYLE), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    body = text[text.index("<svg") :]
    box = re.search(r'viewBox="([^"]*)"', body)
    body = body[body.index(">") + 1 :]
    body = re.sub(r"\s*<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r"\s*<defs>\s*<style[^>]*>.*?</style>\s*</defs>", "", body, flags=re.DOTALL)
    # One page holds many figures, each of which would call its parts by the same names.
    words = re.sub(r"\W+", "-", title.casefold(), flags=re.ASCII).strip("-")
    name = f"{words}-{hashlib.sha256(title.encode(errors='replace')).hexdigest()[:6]}"
    body = re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{name}-", body)
    body = re.sub(_INK, "currentColor", body, flags=re.IGNORECASE)
    body = re.sub(_PAPER, "var(--paper)", body, flags=re.IGNORECASE)
    return (
        f'<svg role="img" viewBox="{box[1] if box else ""}" aria-labelledby="{name}-title {name}-description">'
        f'<title id="{name}-title">{escape(visible(title))}</title>'
        f'<desc id="{name}-description">{escape(description)}</desc>{body.strip()}'
    )


def _cut(text: str, longest: int = _LONGEST) -> str:
    """A label short enough to leave room for its plot, without what XML cannot hold."""
    clean = " ".join(visible(text).split())
    return clean if len(clean) <= longest else clean[: longest - 1] + "…"
