"""States that tell what was read of them: what was worked out from a state holds as long as those cells do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import compress
from operator import is_not
from typing import Any

from rulewright.runtime.state import State

_cell = list.__getitem__


class ReadState(list[Any]):
    """A copy of a state. read: the cells that were read since somebody set it, as the bits of a number: that is small,
    and quickly compared."""

    def __init__(self, cells: Iterable[Any]) -> None:
        super().__init__(cells)
        self.read = 0

    def __getitem__(self, key: Any) -> Any:
        if key.__class__ is int:
            self.read |= 1 << key
        else:
            self.read |= bits(range(*key.indices(len(self))))
        return _cell(self, key)

    def __iter__(self) -> Iterator[Any]:
        self.read |= self.all
        return super().__iter__()

    @property
    def all(self) -> int:
        """All its cells."""
        return (1 << len(self)) - 1


def changed(before: State, after: State) -> int:
    """The cells in which two states of one game differ, as the bits of a number."""
    found = compress(range(len(after)), map(is_not, list.__iter__(before), list.__iter__(after)))
    return bits([cell for cell in found if _cell(before, cell) != _cell(after, cell)])


def bits(found: Iterable[int]) -> int:
    """A set of cells as the bits of a number."""
    number = 0
    for cell in found:
        number |= 1 << cell
    return number


def cells(found: int) -> Iterator[int]:
    """The set of cells that the bits of a number are."""
    while found:
        lowest = found & -found
        yield lowest.bit_length() - 1
        found ^= lowest
