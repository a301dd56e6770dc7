"""Coordinates of a map: the letters of its columns, the numbers of its rows, and the names of its spaces."""

from __future__ import annotations

from string import ascii_lowercase

from rulewright.base.records import record


@record
class BoardCoordinates:
    """Coordinates of a map. Positions are (column, row) of the drawing, from 0 at the top left. letters: of the
    columns, from the left; first_row: row that readers number 1; slant: where columns run down to the right along
    hexagons, slanted column with the first letter, else None; numbered: positions in the order of their numbers, where
    readers call spaces 1, 2, 3 and so on."""

    letters: str = ascii_lowercase
    first_row: int = 0
    slant: int | None = None
    numbered: tuple[tuple[int, int], ...] = ()

    def column(self, position: tuple[int, int]) -> int:
        """Return the column of a space, from 0."""
        column, row = position
        return column if self.slant is None else column - row // 2 - self.slant

    def letter(self, position: tuple[int, int]) -> str:
        """Return the letter of a space's column, or '' where there is none."""
        column = self.column(position)
        return self.letters[column] if 0 <= column < len(self.letters) else ""

    def number(self, row: int) -> int:
        """Return the number of a row."""
        return abs(row - self.first_row) + 1

    def label(self, position: tuple[int, int]) -> str:
        """Return what readers call a space, such as a1 or 7. Raises ValueError for a position without a number where
        there are numbers."""
        if self.numbered:
            return str(self.numbered.index(position) + 1)
        return f"{self.letter(position)}{self.number(position[1])}"

    def name(self, position: tuple[int, int]) -> str:
        """Return what an edition calls a space: small letters, and never the numbers of `numbered`."""
        return f"{self.letter(position)}{self.number(position[1])}".lower()


LOWERCASE = BoardCoordinates()
"""Coordinates where nothing is said: a1 at the top left."""
