"""States that record reads: a value derived from a state stays valid as long as the cells read are unchanged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import compress
from operator import is_not
from typing import Any

from rulewright.runtime.state import State

_cell = list.__getitem__
"""Read of a cell that a ReadState does not record."""


class ReadState(list[Any]):
    """Copy of a state that records the cells read. read: set of cells as bits of a number, small and quickly compared;
    callers may reset it."""

    def __init__(self, cells: Iterable[Any]) -> None:
        super().__init__(cells)
        self.read = 0

    def __getitem__(self, key: Any) -> Any:
        if key.__class__ is int:
            self.read |= 1 << key
        else:
            self.read |= bits_of_cells(range(*key.indices(len(self))))
        return _cell(self, key)

    def __iter__(self) -> Iterator[Any]:
        self.read |= self.all
        return super().__iter__()

    @property
    def all(self) -> int:
        """Set of all cells, as bits."""
        return (1 << len(self)) - 1


def changed_cells(before: State, after: State) -> int:
    """Return the cells in which two states of one game differ, as bits."""
    different = compress(range(len(after)), map(is_not, list.__iter__(before), list.__iter__(after)))
    return bits_of_cells([cell for cell in different if _cell(before, cell) != _cell(after, cell)])


def bits_of_cells(cells: Iterable[int]) -> int:
    """Turn a set of cells into the bits of a number."""
    number = 0
    for cell in cells:
        number |= 1 << cell
    return number


def cells(bits_left: int) -> Iterator[int]:
    """Yield the cells of a set given as bits."""
    while bits_left:
        lowest = bits_left & -bits_left
        yield lowest.bit_length() - 1
        bits_left ^= lowest
