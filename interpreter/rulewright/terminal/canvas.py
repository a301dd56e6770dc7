"""Canvas of styled characters that becomes lines."""

from __future__ import annotations

from itertools import groupby

from rulewright.publish.console import ConsoleLine, Styled

_LINES = dict(
    zip(
        [(up, down, left, right) for up in (0, 1) for down in (0, 1) for left in (0, 1) for right in (0, 1)],
        " ╶╴─╷┌┐┬╵└┘┴│├┤┼",
        strict=True,
    )
)
"""Character by the lines that leave a point: up, down, left, right; a blank without lines."""


class Canvas:
    """Canvas of a width and height in characters, blank at first. Points are (x, y) from the upper left, from (0, 0);
    what is written last at a point counts."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._cells = [[(" ", "")] * width for _ in range(height)]

    def write(self, x: int, y: int, text: str, style: str = "") -> None:
        """Write a text from (x, y) to the right; each character takes one cell."""
        for offset, character in enumerate(text):
            self._cells[y][x + offset] = (character, style)

    def join(self, x: int, y: int, up: bool, down: bool, left: bool, right: bool) -> None:
        """Draw the lines that leave a point, if any. x, y: the point; up, down, left, right: in which directions they
        lead."""
        if character := _LINES[up, down, left, right].strip():
            self._cells[y][x] = (character, "faint")

    def lines(self) -> list[ConsoleLine]:
        """Return all rows, with a run of characters for each style; blanks at their ends stay."""
        return [
            [Styled("".join(text for text, _ in run), style) for style, run in groupby(row, key=lambda cell: cell[1])]
            for row in self._cells
        ]
