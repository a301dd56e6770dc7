"""A sheet of characters to draw on, each in a style, that becomes lines."""

from __future__ import annotations

from itertools import groupby

from rulewright.publish.console import ConsoleLine, Styled

# By what goes out from a point: up, down, left, right.
_LINES = dict(
    zip(
        [(up, down, left, right) for up in (0, 1) for down in (0, 1) for left in (0, 1) for right in (0, 1)],
        " ╶╴─╷┌┐┬╵└┘┴│├┤┼",
        strict=True,
    )
)


class Canvas:
    """A sheet of a width and a height, blank at first."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._cells = [[(" ", "")] * width for _ in range(height)]

    def write(self, x: int, y: int, text: str, style: str = "") -> None:
        """A text from (x, y) to the right; every character of it takes one cell."""
        for offset, character in enumerate(text):
            self._cells[y][x + offset] = (character, style)

    def join(self, x: int, y: int, up: bool, down: bool, left: bool, right: bool) -> None:
        """The lines that go out from a point."""
        if character := _LINES[up, down, left, right].strip():
            self._cells[y][x] = (character, "faint")

    def lines(self) -> list[ConsoleLine]:
        return [
            [Styled("".join(text for text, _ in run), style) for style, run in groupby(row, key=lambda cell: cell[1])]
            for row in ([list(row) for row in self._cells])
        ]
