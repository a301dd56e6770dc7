"""Map drawn in characters: spaces in rows, lines between regions, brackets around choosable spaces.

    a     b     c
         ┌───────────┐
1        │ f    [fMn]│
   ┌─────┼───────────┘
2  │ w   │
   └─────┘
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from rulewright.base.records import record
from rulewright.program.board_coordinates import LOWERCASE, BoardCoordinates
from rulewright.publish.console import ConsoleLine, cell_width
from rulewright.terminal.canvas import Canvas

_MARGIN = 3
"""Columns for the numbers of the rows."""
_WIDE_LETTER = "?"
"""Stands for a letter that takes two columns."""

MapPosition = tuple[int, int]
"""Column and row, from 0."""


@record
class MapSpace:
    """Space of a map.

    - letter: of its kind
    - mark: its contents in short, or ''
    - style: of the mark
    - choosable: whether it is in brackets
    - region: spaces with equal regions have no line between them
    """

    letter: str
    mark: str
    style: str
    choosable: bool
    region: object


@record
class Map:
    """Map in one form.

    - lines: regions have borders
    - gap: a blank between a space's letter and its mark
    - mark_width: width of marks
    - hexagonal: odd rows are shifted by half a space
    - left, top: first column and row to draw
    - coordinates: names of columns and rows
    - heads: names of spaces of the first and the last row, instead of these
    """

    spaces: Mapping[MapPosition, MapSpace]
    hexagonal: bool
    mark_width: int
    lines: bool
    gap: bool
    left: int = 0
    top: int = 0
    coordinates: BoardCoordinates = LOWERCASE
    heads: Mapping[MapPosition, str] = field(default_factory=dict)

    @property
    def columns(self) -> int:
        """Number of columns from the map's left edge, also where `left` leaves some out."""
        return 1 + max(column for column, _ in self.spaces)

    @property
    def rows(self) -> int:
        """Number of rows from the map's upper edge, also where `top` leaves some out."""
        return 1 + max(row for _, row in self.spaces)

    @property
    def pitch(self) -> int:
        """Distance between spaces: a bracket, letter and mark; with lines, another bracket and the line."""
        pitch = 2 + self.gap + self.mark_width + 2 * self.lines
        return pitch + pitch % 2 if self.hexagonal else pitch

    @property
    def has_letters(self) -> bool:
        """Whether columns have letters, and rows numbers."""
        return not self.heads and not self.coordinates.numbered

    def width(self, columns: int) -> int:
        """Return the characters that so many columns take, with their margin."""
        return _MARGIN + columns * self.pitch + 1 + (self.pitch // 2 if self.hexagonal else 0)

    def draw(self, first: int, last: int) -> list[ConsoleLine]:
        """Draw from column `first` to before `last`, all rows from `top`."""
        top, rows = self.top, self.rows - self.top
        height = 2 * rows + 2 if self.lines else rows + 1
        more = self.hexagonal or bool(self.heads)
        part = _MapSection(self, Canvas(self.width(last - first), height + more), first, last)
        for (column, row), name in self.heads.items():
            part.canvas.write(part.middle(column, row), 0 if row == 0 else height, name, "faint")
        for column in range(first, last if self.has_letters else first):
            if self.coordinates.slant is not None:
                if (column, top) in self.spaces:
                    letter = self.coordinates.letter((column, top))
                    part.canvas.write(part.middle(column, top) - 1, 0, letter, "faint")
                continue
            part.canvas.write(part.middle(column, 0), 0, self.coordinates.letter((column, 0)), "faint")
            if self.hexagonal:
                part.canvas.write(part.middle(column, 1), height, self.coordinates.letter((column, 1)), "faint")
        for row in range(rows):
            part.draw_row(top + row, 2 + 2 * row if self.lines else 1 + row)
        if self.lines:
            for row in range(rows + 1):
                part.draw_border(top + row, 1 + 2 * row)
        return part.canvas.lines()

    def bands(self, width: int) -> list[ConsoleLine]:
        """Draw a map that is too wide, in bands of columns one below the other, with a blank line below each."""
        fitting = max(1, (width - self.width(0)) // self.pitch)
        starts = range(self.left, self.columns, fitting)
        return [line for first in starts for line in (*self.draw(first, min(self.columns, first + fitting)), [])]


@record
class _MapSection:
    """Section of a map's columns on a canvas."""

    map: Map
    canvas: Canvas
    first: int
    last: int

    def left(self, column: int, row: int) -> int:
        """Return the x at which a space begins: at its line or bracket."""
        shift = self.map.pitch // 2 if self.map.hexagonal and row % 2 else 0
        return _MARGIN + (column - self.first) * self.map.pitch + shift

    def middle(self, column: int, row: int) -> int:
        """Return the x of a space's letter."""
        return self.left(column, row) + 1 + self.map.lines

    def space(self, column: int, row: int) -> MapSpace | None:
        """Return the space at a place of this section; None if there is none."""
        return self.map.spaces.get((column, row)) if self.first <= column < self.last else None

    def region(self, column: int, row: int) -> object:
        """Return a key that is equal within a region; None outside of the map."""
        space = self.space(column, row)
        return None if space is None else (space.region,)

    def draw_row(self, row: int, y: int) -> None:
        """Draw the spaces of a row, and what is between them."""
        if self.map.has_letters:
            self.canvas.write(0, y, f"{self.map.coordinates.number(row):>2}", "faint")
        for column in range(self.first, self.last + 1):
            x, space, before = self.left(column, row), self.space(column, row), self.space(column - 1, row)
            opens, closes = space is not None and space.choosable, before is not None and before.choosable
            if self.map.lines:
                self.canvas.write(x - 1, y, "]" if closes else " ", "mark")
                self.canvas.write(
                    x, y, "│" if self.region(column, row) != self.region(column - 1, row) else " ", "faint"
                )
            if opens:
                self.canvas.write(x + self.map.lines, y, "[", "mark")
            elif closes and not self.map.lines:
                self.canvas.write(x, y, "]", "mark")
            if space is not None:
                letter = space.letter if cell_width(space.letter) == 1 else _WIDE_LETTER
                self.canvas.write(self.middle(column, row), y, letter, "faint" if space.mark else "")
                self.canvas.write(self.middle(column, row) + 1 + self.map.gap, y, space.mark, space.style)

    def draw_border(self, row: int, y: int) -> None:
        """Draw the lines above a row."""
        for x in range(_MARGIN, self.canvas.width):
            over_left, over = self.region_at(x - 1, row - 1), self.region_at(x, row - 1)
            under_left, under = self.region_at(x - 1, row), self.region_at(x, row)
            self.canvas.join(x, y, over_left != over, under_left != under, over_left != under_left, over != under)

    def region_at(self, x: int, row: int) -> object:
        """Return the region just right of a point of the canvas, in a row."""
        return self.region(self.first + (x - self.left(self.first, row)) // self.map.pitch, row)
