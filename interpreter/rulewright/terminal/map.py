"""A map drawn in characters: spaces in rows, lines between regions, brackets around what can be chosen.

    a     b     c
         ┌───────────┐
1        │ f    [fMn]│
   ┌─────┼───────────┘
2  │ w   │
   └─────┘
"""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_lowercase

from rulewright.base.records import record
from rulewright.publish.console import ConsoleLine, cell_width
from rulewright.terminal.canvas import Canvas

_MARGIN = 3  # for the numbers of the rows
_UNKNOWN = "?"

MapPosition = tuple[int, int]
"""Column and row, from 0."""


@record
class MapSpace:
    """What a map shows of a space. letter: by which it is drawn; mark: of what lies there, or ''; style: the mark's;
    chosen: whether it stands in brackets; region: there are lines between two that are not equal."""

    letter: str
    mark: str
    style: str
    chosen: bool
    region: object


@record
class Map:
    """A map in one form. lines: whether regions have borders; gap: between a space's letter and its mark; longest: how
    long marks can be; hexagonal: whether odd rows are shifted by half a space; left, top: the first column and row that
    are drawn."""

    spaces: Mapping[MapPosition, MapSpace]
    hexagonal: bool
    longest: int
    lines: bool
    gap: bool
    left: int = 0
    top: int = 0

    @property
    def columns(self) -> int:
        return 1 + max(column for column, _ in self.spaces)

    @property
    def rows(self) -> int:
        return 1 + max(row for _, row in self.spaces)

    @property
    def pitch(self) -> int:
        """From one space to the next: a bracket, letter and mark; with lines, another bracket and the line."""
        pitch = 2 + self.gap + self.longest + 2 * self.lines
        return pitch + pitch % 2 if self.hexagonal else pitch

    def width(self, columns: int) -> int:
        return _MARGIN + columns * self.pitch + 1 + (self.pitch // 2 if self.hexagonal else 0)

    def drawn(self, first: int, last: int) -> list[ConsoleLine]:
        """From column `first` to before `last`."""
        top, rows = self.top, self.rows - self.top
        height = 2 * rows + 2 if self.lines else rows + 1
        part = _Part(self, Canvas(self.width(last - first), height + self.hexagonal), first, last)
        for column in range(first, last):
            part.canvas.write(part.middle(column, 0), 0, ascii_lowercase[column], "faint")
            if self.hexagonal:
                part.canvas.write(part.middle(column, 1), height, ascii_lowercase[column], "faint")
        for row in range(rows):
            part.row(top + row, 2 + 2 * row if self.lines else 1 + row)
        if self.lines:
            for row in range(rows + 1):
                part.border(top + row, 1 + 2 * row)
        return part.canvas.lines()

    def bands(self, width: int) -> list[ConsoleLine]:
        """A map that is too wide, in parts one below the other."""
        fitting = max(1, (width - self.width(0)) // self.pitch)
        starts = range(self.left, self.columns, fitting)
        return [line for first in starts for line in (*self.drawn(first, min(self.columns, first + fitting)), [])]


@record
class _Part:
    """Some columns of a map on a sheet."""

    map: Map
    canvas: Canvas
    first: int
    last: int

    def left(self, column: int, row: int) -> int:
        """Where a space begins: with its line or bracket."""
        shift = self.map.pitch // 2 if self.map.hexagonal and row % 2 else 0
        return _MARGIN + (column - self.first) * self.map.pitch + shift

    def middle(self, column: int, row: int) -> int:
        """Where a space's letter stands."""
        return self.left(column, row) + 1 + self.map.lines

    def space(self, column: int, row: int) -> MapSpace | None:
        return self.map.spaces.get((column, row)) if self.first <= column < self.last else None

    def region(self, column: int, row: int) -> object:
        space = self.space(column, row)
        return None if space is None else (space.region,)

    def row(self, row: int, y: int) -> None:
        """The spaces of a row, and what stands between them."""
        self.canvas.write(0, y, f"{row + 1:>2}", "faint")
        for column in range(self.first, self.last + 1):
            x, here, before = self.left(column, row), self.space(column, row), self.space(column - 1, row)
            begins, ends = here is not None and here.chosen, before is not None and before.chosen
            if self.map.lines:
                self.canvas.write(x - 1, y, "]" if ends else " ", "mark")
                self.canvas.write(
                    x, y, "│" if self.region(column, row) != self.region(column - 1, row) else " ", "faint"
                )
            if begins:
                self.canvas.write(x + self.map.lines, y, "[", "mark")
            elif ends and not self.map.lines:
                self.canvas.write(x, y, "]", "mark")
            if here is not None:
                letter = here.letter if cell_width(here.letter) == 1 else _UNKNOWN
                self.canvas.write(self.middle(column, row), y, letter, "faint" if here.mark else "")
                self.canvas.write(self.middle(column, row) + 1 + self.map.gap, y, here.mark, here.style)

    def border(self, row: int, y: int) -> None:
        """The lines above a row."""
        for x in range(_MARGIN, self.canvas.width):
            over_left, over = self.over(x - 1, row - 1), self.over(x, row - 1)
            under_left, under = self.over(x - 1, row), self.over(x, row)
            self.canvas.join(x, y, over_left != over, under_left != under, over_left != under_left, over != under)

    def over(self, x: int, row: int) -> object:
        """The region that lies in a row just right of a place of the sheet."""
        return self.region(self.first + (x - self.left(self.first, row)) // self.map.pitch, row)
