"""Grids of rows and columns that take as few lines as possible without leaving anything out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product

from rulewright.publish.console import ConsoleLine, ConsolePart, Styled, cell_width, flow

EMPTY_CELL = "–"
"""Sign of a cell without items."""
_GAP = "  "
"""Gap before a column."""
_DOT = " ·"
"""Separator of items that are joined in one cell."""
_MIN_WIDTH = 12
"""Width of a column of texts that it may always have, in cells of the terminal."""
_MAX_WORD_WIDTH = 20
"""Width up to which a column has room for its longest word."""
_MAX_COMBINATIONS = 5000
"""Maximum number of combinations of widths that are tried; of more, all columns have their least."""

_Height = tuple[int, tuple[int, ...]]
"""A column's width, and the lines that each row then takes in it."""


@dataclass
class Column:
    """Column. cells: for each row, pieces of text between which lines may break; number: right-aligned, and never
    broken; width: of its cells, set when the grid is arranged."""

    heading: str
    cells: list[list[str]]
    number: bool = False
    width: int = 0

    @property
    def min_width(self) -> int:
        """Narrowest width of the column."""
        items = [item for cell in self.cells for item in cell]
        widest = max(cell_width(word) for word in [EMPTY_CELL, *self.heading.split(), *items])
        word = max((cell_width(word) for item in items for word in item.split()), default=0)
        if self.number:
            return widest
        return min(widest, max(_MIN_WIDTH, cell_width(self.heading), min(word, _MAX_WORD_WIDTH)))

    def cell_lines(self, row: int, width: int) -> list[str]:
        """Return the lines of a row's cell at a width; EMPTY_CELL without pieces of text."""
        return [line.removesuffix(_DOT) for line in flow(self.cells[row] or [EMPTY_CELL], width)]

    def heights(self, spare: int) -> list[_Height]:
        """Return the widths, up to `spare` above the narrowest, that save lines, with the lines of each row."""
        useful: list[_Height] = []
        for width in range(self.min_width, self.min_width + spare + 1):
            lines = tuple(len(self.cell_lines(row, width)) for row in range(len(self.cells)))
            if not useful or lines != useful[-1][1]:
                useful.append((width, lines))
        return useful

    def pad(self, text: str) -> str:
        """Pad a text to the column's width, with the gap before it."""
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
    entry with its heading; so do all that do not fit. heads: beginnings of rows, `margin` wide; columns: their
    widths are set; entry: joins a heading and its text.
    """
    side_by_side, below = _arrange(columns, len(heads), width - margin, entry)
    headings = [flow(column.heading.split(), column.width) for column in side_by_side]
    lines: list[ConsoleLine] = [
        [" " * margin, *(Styled(column.pad(text), "faint") for text, column in zip(row, side_by_side, strict=True))]
        for row in zip(*_level(headings, at_bottom=True), strict=True)
    ]
    for number, head in enumerate(heads):
        texts_by_column = _level([column.cell_lines(number, column.width) for column in side_by_side])
        for row, texts in enumerate(zip(*texts_by_column, strict=True) if texts_by_column else [()]):
            first = head if row == 0 else [" " * margin]
            lines.append([*first, *(column.pad(text) for text, column in zip(texts, side_by_side, strict=True))])
        if below is not None and below.cells[number]:
            lines += [[" " * margin + _GAP, text] for text in below.cell_lines(number, below.width)]
    return lines


def _arrange(columns: Sequence[Column], rows: int, room: int, entry: Callable[[str, str], str]) -> _Arrangement:
    """Choose the columns to show, with widths, and what stands below each row: the first way that takes at most one
    line more than the shortest. rows: their number; room: width of all columns together."""
    numbers = [column for column in columns if column.number]
    texts = [column for column in columns if not column.number]
    arrangements: list[_Arrangement] = []
    for candidate in ([*numbers, *texts], [*numbers, _merge_columns(texts, rows, entry)]):
        if _fit_widths(candidate, room):
            arrangements.append((_copy_columns(candidate), None))
    if not arrangements:
        together = _merge_columns(columns, rows, entry)
        together.width = max(1, room - len(_GAP))
        arrangements.append(([together], None))
    while not _fit_widths(numbers, room):
        texts = [numbers.pop(), *texts]
    if numbers and texts:
        below = _merge_columns(texts, rows, entry)
        below.width = max(1, room - len(_GAP))
        arrangements.append((_copy_columns(numbers), below))
    least = min(map(_height, arrangements))
    return next(one for one in arrangements if _height(one) <= least + 1)  # a line of headings is worth it


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
    """Set widths, with gaps at most `room` together, so that rows take the fewest lines (the narrowest widths where
    there are too many to try); return False if they do not fit."""
    for column in columns:
        column.width = column.min_width
    spare = room - sum(len(_GAP) + column.width for column in columns)
    if spare < 0:
        return False
    texts = [column for column in columns if not column.number]
    useful = [column.heights(spare) for column in texts]
    if math.prod(map(len, useful)) > _MAX_COMBINATIONS:
        return True
    allowed = spare + sum(column.width for column in texts)
    fitting = [tried for tried in product(*useful) if sum(width for width, _ in tried) <= allowed]
    for column, (width, _) in zip(texts, min(fitting, key=_rows), strict=True):
        column.width = width
    return True


def _rows(tried: Iterable[_Height]) -> tuple[int, int, int]:
    """Return the lines of the rows with one width for each column, then of all cells, then the widths, each summed, for
    comparison."""
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
        [len(below_column.cell_lines(row, below_column.width)) if below_column.cells[row] else 0 for row in rows]
        if below_column
        else []
    )
    return top + sum(below) + sum(max(len(column.cell_lines(row, column.width)) for column in columns) for row in rows)


def _level(texts: Sequence[list[str]], at_bottom: bool = False) -> list[list[str]]:
    """Pad texts with empty lines to equal height."""
    height = max(map(len, texts), default=0)
    return [[""] * (height - len(text)) + text if at_bottom else text + [""] * (height - len(text)) for text in texts]
