"""States that tell what was read of them: what was worked out from a state holds as long as those cells do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import compress
from operator import is_not
from typing import Any

from rulewright.runtime.state import State


class ReadState(list[Any]):
    """A copy of a state. read: the numbers of the cells that were read since somebody set it."""

    def __init__(self, cells: Iterable[Any]) -> None:
        super().__init__(cells)
        self.read: set[int] = set()

    def __getitem__(self, key: Any) -> Any:
        if key.__class__ is int:
            self.read.add(key)
        else:
            self.read.update(range(*key.indices(len(self))))
        return super().__getitem__(key)

    def __iter__(self) -> Iterator[Any]:
        self.read.update(range(len(self)))
        return super().__iter__()


def changed(before: State, after: State) -> int:
    """The cells in which two states of one game differ, as the bits of a number."""
    found = compress(range(len(after)), map(is_not, list.__iter__(before), list.__iter__(after)))
    return bits(cell for cell in found if list.__getitem__(before, cell) != list.__getitem__(after, cell))


def bits(cells: Iterable[int]) -> int:
    """A set of cells as the bits of a number: small, and quickly compared."""
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found
