"""Grids of rows and columns that take as few lines as possible without leaving anything out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product

from rulewright.publish.console import ConsoleLine, ConsolePart, Styled, cell_width, flow

EMPTY_CELL = "–"
_GAP = "  "
_DOT = " ·"
_MIN_WIDTH = 12
_MAX_WORD_WIDTH = 20
_MAX_TRIED = 5000

_Height = tuple[int, tuple[int, ...]]  # a column's width, and the lines that each row then takes in it


@dataclass
class Column:
    """Column. cells: for each row, pieces of text that are not broken; number: right-aligned."""

    heading: str
    cells: list[list[str]]
    number: bool = False
    width: int = 0

    @property
    def least(self) -> int:
        """Narrowest width of the column."""
        items = [item for cell in self.cells for item in cell]
        widest = max(cell_width(word) for word in [EMPTY_CELL, *self.heading.split(), *items])
        word = max((cell_width(word) for item in items for word in item.split()), default=0)
        if self.number:
            return widest
        return min(widest, max(_MIN_WIDTH, cell_width(self.heading), min(word, _MAX_WORD_WIDTH)))

    def written(self, row: int, width: int) -> list[str]:
        """Return the lines of a row's cell at a width."""
        return [line.removesuffix(_DOT) for line in flow(self.cells[row] or [EMPTY_CELL], width)]

    def heights(self, spare: int) -> list[_Height]:
        """Return the widths, up to `spare` above the narrowest, that save lines, with the lines of each row."""
        useful: list[_Height] = []
        for width in range(self.least, self.least + spare + 1):
            lines = tuple(len(self.written(row, width)) for row in range(len(self.cells)))
            if not useful or lines != useful[-1][1]:
                useful.append((width, lines))
        return useful

    def set(self, text: str) -> str:
        """Pad a text to the column's width."""
        blank = " " * (self.width - cell_width(text))
        return _GAP + (blank + text if self.number else text + blank)


_Arrangement = tuple[list[Column], Column | None]
"""Columns side by side, and a column whose cells stand below each row."""


def grid(
    heads: Sequence[Sequence[ConsolePart]],
    margin: int,
    columns: Sequence[Column],
    width: int,
    entry: Callable[[str, str], str],
) -> list[ConsoleLine]:
    """Draw rows under the columns' headings.

    Each column stands alone where that takes few lines; else text columns share one, or stand below their row, each
    entry with its heading; so do all that do not fit. heads: beginnings of rows, `margin` wide; entry: joins a heading
    and its text.
    """
    shown, below = _arrange(columns, len(heads), width - margin, entry)
    headings = [flow(column.heading.split(), column.width) for column in shown]
    lines: list[ConsoleLine] = [
        [" " * margin, *(Styled(column.set(text), "faint") for text, column in zip(row, shown, strict=True))]
        for row in zip(*_level(headings, at_bottom=True), strict=True)
    ]
    for number, head in enumerate(heads):
        texts_by_column = _level([column.written(number, column.width) for column in shown])
        for row, texts in enumerate(zip(*texts_by_column, strict=True) if texts_by_column else [()]):
            first = head if row == 0 else [" " * margin]
            lines.append([*first, *(column.set(text) for text, column in zip(texts, shown, strict=True))])
        if below is not None and below.cells[number]:
            lines += [[" " * margin + _GAP, text] for text in below.written(number, below.width)]
    return lines


def _arrange(columns: Sequence[Column], rows: int, room: int, entry: Callable[[str, str], str]) -> _Arrangement:
    """Choose the columns to show, with widths, and what stands below each row."""
    numbers = [column for column in columns if column.number]
    texts = [column for column in columns if not column.number]
    tried: list[_Arrangement] = []
    for shown in ([*numbers, *texts], [*numbers, _merge_columns(texts, rows, entry)]):
        if _fit_widths(shown, room):
            tried.append((_copy_columns(shown), None))
    if not tried:
        together = _merge_columns(columns, rows, entry)
        together.width = max(1, room - len(_GAP))
        tried.append(([together], None))
    while not _fit_widths(numbers, room):
        texts = [numbers.pop(), *texts]
    if numbers and texts:
        below = _merge_columns(texts, rows, entry)
        below.width = max(1, room - len(_GAP))
        tried.append((_copy_columns(numbers), below))
    least = min(map(_height, tried))
    return next(one for one in tried if _height(one) <= least + 1)  # a line of headings is worth it


def _copy_columns(columns: Iterable[Column]) -> list[Column]:
    """Copy columns, to keep their widths."""
    return [replace(column) for column in columns]


def _merge_columns(columns: Sequence[Column], rows: int, entry: Callable[[str, str], str]) -> Column:
    """Merge columns into one: `heading: this, that · heading: those`."""
    merged: list[list[str]] = []
    for row in range(rows):
        items: list[str] = []
        for column in columns:
            if cell := column.cells[row]:
                items += [entry(column.heading, cell[0]), *cell[1:]]
                items[-1] += _DOT
        merged.append(items)
    return Column("", merged)


def _fit_widths(columns: Sequence[Column], room: int) -> bool:
    """Set widths, with gaps at most `room` together, so that rows take the fewest lines; return False if that is
    impossible."""
    for column in columns:
        column.width = column.least
    spare = room - sum(len(_GAP) + column.width for column in columns)
    if spare < 0:
        return False
    texts = [column for column in columns if not column.number]
    useful = [column.heights(spare) for column in texts]
    if math.prod(map(len, useful)) > _MAX_TRIED:
        return True
    allowed = spare + sum(column.width for column in texts)
    fitting = [tried for tried in product(*useful) if sum(width for width, _ in tried) <= allowed]
    for column, (width, _) in zip(texts, min(fitting, key=_rows), strict=True):
        column.width = width
    return True


def _rows(tried: Iterable[_Height]) -> tuple[int, int, int]:
    """Return the lines of the rows with some widths, then of all cells, then the widths, for comparison."""
    tried = list(tried)
    lines = [lines for _, lines in tried]
    rows = sum(map(max, zip(*lines, strict=True)))
    return rows, sum(map(sum, lines)), sum(width for width, _ in tried)


def _height(arrangement: _Arrangement) -> int:
    """Count the lines of an arrangement, headings included."""
    columns, below_column = arrangement
    if not columns:
        return 0
    rows = range(len(columns[0].cells))
    top = max(len(flow(column.heading.split(), column.width)) for column in columns)
    below = (
        [len(below_column.written(row, below_column.width)) if below_column.cells[row] else 0 for row in rows]
        if below_column
        else []
    )
    return top + sum(below) + sum(max(len(column.written(row, column.width)) for column in columns) for row in rows)


def _level(texts: Sequence[list[str]], at_bottom: bool = False) -> list[list[str]]:
    """Pad texts with empty lines to equal height."""
    height = max(map(len, texts), default=0)
    return [[""] * (height - len(text)) + text if at_bottom else text + [""] * (height - len(text)) for text in texts]
