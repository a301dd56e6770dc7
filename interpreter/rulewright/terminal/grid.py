"""Rows and columns in the width there is: as few lines as possible, and nothing left out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product

from rulewright.publish.console import ConsoleLine, ConsolePart, Styled, cell_width, flow

NOTHING = "–"
_GAP = "  "
_DOT = " ·"
_NARROWEST = 12
_LONGEST_WORD = 20
_MOST_TRIED = 5000

_Height = tuple[int, tuple[int, ...]]  # a column's width, and the lines that each row then takes in it


@dataclass
class Column:
    """One column. cells: for each row, pieces of text that are not broken; number: whether it is set to the right."""

    heading: str
    cells: list[list[str]]
    number: bool = False
    width: int = 0

    @property
    def least(self) -> int:
        items = [item for cell in self.cells for item in cell]
        widest = max(cell_width(word) for word in [NOTHING, *self.heading.split(), *items])
        word = max((cell_width(word) for item in items for word in item.split()), default=0)
        if self.number:
            return widest
        return min(widest, max(_NARROWEST, cell_width(self.heading), min(word, _LONGEST_WORD)))

    def written(self, row: int, width: int) -> list[str]:
        """A row's cell on lines of a width."""
        return [line.removesuffix(_DOT) for line in flow(self.cells[row] or [NOTHING], width)]

    def heights(self, spare: int) -> list[_Height]:
        """The widths, of at most `spare` more than the least, that save lines."""
        found: list[_Height] = []
        for width in range(self.least, self.least + spare + 1):
            lines = tuple(len(self.written(row, width)) for row in range(len(self.cells)))
            if not found or lines != found[-1][1]:
                found.append((width, lines))
        return found

    def set(self, text: str) -> str:
        blank = " " * (self.width - cell_width(text))
        return _GAP + (blank + text if self.number else text + blank)


_Arrangement = tuple[list[Column], Column | None]
"""The columns, and what stands beneath each row."""


def grid(
    heads: Sequence[Sequence[ConsolePart]],
    margin: int,
    columns: Sequence[Column],
    width: int,
    entry: Callable[[str, str], str],
) -> list[ConsoleLine]:
    """The rows under the columns' headings. heads: what begins each row, `margin` wide; entry: puts a heading before
    what it is of.

    Each column stands alone where that takes few lines; else those that hold text share one, or stand beneath the rest
    of their row, each entry with its heading; and so do all for which there is no room.
    """
    shown, beneath = _arranged(columns, len(heads), width - margin, entry)
    headings = [flow(column.heading.split(), column.width) for column in shown]
    lines: list[ConsoleLine] = [
        [" " * margin, *(Styled(column.set(text), "faint") for text, column in zip(row, shown, strict=True))]
        for row in zip(*_level(headings, at_bottom=True), strict=True)
    ]
    for number, head in enumerate(heads):
        written = _level([column.written(number, column.width) for column in shown])
        for row, texts in enumerate(zip(*written, strict=True) if written else [()]):
            first = head if row == 0 else [" " * margin]
            lines.append([*first, *(column.set(text) for text, column in zip(texts, shown, strict=True))])
        if beneath is not None and beneath.cells[number]:
            lines += [[" " * margin + _GAP, text] for text in beneath.written(number, beneath.width)]
    return lines


def _arranged(columns: Sequence[Column], rows: int, room: int, entry: Callable[[str, str], str]) -> _Arrangement:
    """The columns as they are shown, with their widths, and what stands beneath each row."""
    numbers = [column for column in columns if column.number]
    texts = [column for column in columns if not column.number]
    tried: list[_Arrangement] = []
    for shown in ([*numbers, *texts], [*numbers, _merged(texts, rows, entry)]):
        if _fit(shown, room):
            tried.append((_copied(shown), None))
    if not tried:
        together = _merged(columns, rows, entry)
        together.width = max(1, room - len(_GAP))
        tried.append(([together], None))
    while not _fit(numbers, room):
        texts = [numbers.pop(), *texts]
    if numbers and texts:
        beneath = _merged(texts, rows, entry)
        beneath.width = max(1, room - len(_GAP))
        tried.append((_copied(numbers), beneath))
    least = min(map(_height, tried))
    return next(one for one in tried if _height(one) <= least + 1)  # a line of headings is worth it


def _copied(columns: Iterable[Column]) -> list[Column]:
    """Columns that keep their widths."""
    return [replace(column) for column in columns]


def _merged(columns: Sequence[Column], rows: int, entry: Callable[[str, str], str]) -> Column:
    """All of the columns in one: `heading: this, that · heading: those`."""
    merged: list[list[str]] = []
    for row in range(rows):
        items: list[str] = []
        for column in columns:
            if cell := column.cells[row]:
                items += [entry(column.heading, cell[0]), *cell[1:]]
                items[-1] += _DOT
        merged.append(items)
    return Column("", merged)


def _fit(columns: Sequence[Column], room: int) -> bool:
    """Give each column a width, with gaps at most `room` together, so that the rows take the fewest lines."""
    for column in columns:
        column.width = column.least
    spare = room - sum(len(_GAP) + column.width for column in columns)
    if spare < 0:
        return False
    texts = [column for column in columns if not column.number]
    useful = [column.heights(spare) for column in texts]
    if math.prod(map(len, useful)) > _MOST_TRIED:
        return True
    allowed = spare + sum(column.width for column in texts)
    fitting = [tried for tried in product(*useful) if sum(width for width, _ in tried) <= allowed]
    for column, (width, _) in zip(texts, min(fitting, key=_rows), strict=True):
        column.width = width
    return True


def _rows(tried: Iterable[_Height]) -> tuple[int, int, int]:
    """How many lines the rows take with these widths of columns; then all their cells; then the widths."""
    tried = list(tried)
    lines = [lines for _, lines in tried]
    rows = sum(map(max, zip(*lines, strict=True)))
    return rows, sum(map(sum, lines)), sum(width for width, _ in tried)


def _height(arrangement: _Arrangement) -> int:
    """How many lines columns take, headings included."""
    columns, beneath = arrangement
    if not columns:
        return 0
    rows = range(len(columns[0].cells))
    top = max(len(flow(column.heading.split(), column.width)) for column in columns)
    below = [len(beneath.written(row, beneath.width)) if beneath.cells[row] else 0 for row in rows] if beneath else []
    return top + sum(below) + sum(max(len(column.written(row, column.width)) for column in columns) for row in rows)


def _level(texts: Sequence[list[str]], at_bottom: bool = False) -> list[list[str]]:
    """Texts side by side, with empty lines so that all are equally long."""
    height = max(map(len, texts), default=0)
    return [[""] * (height - len(text)) + text if at_bottom else text + [""] * (height - len(text)) for text in texts]
