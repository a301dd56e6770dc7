"""States that notice when something hidden in them is looked at, and when a phase begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulewright.program.form import PHASE
from rulewright.runtime.state import State


class Looked(Exception):
    """Something hidden has been looked at."""


class PhaseOver(Exception):
    """Another phase begins."""


class Watch:
    """From when it begins: whether anybody has looked."""

    def __init__(self) -> None:
        self.looked = self.begun = False

    def begin(self) -> None:
        self.begun = True

    def look(self) -> None:
        if self.begun:
            self.looked = True
            raise Looked


class Veil(tuple[int, ...]):
    """Pieces that nobody may look at. Their number is known, and they may be laid elsewhere unseen."""

    watch: Watch

    def __new__(cls, pieces: Iterable[int], watch: Watch) -> Veil:
        made = super().__new__(cls, pieces)
        made.watch = watch
        return made

    def __iter__(self) -> Iterator[int]:
        self.watch.look()
        return super().__iter__()

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        if isinstance(key, slice):
            return Veil(found, self.watch)
        self.watch.look()
        return found

    def __add__(self, other: Any) -> Any:
        return Veil(super().__add__(other), self.watch)

    def __radd__(self, other: Any) -> Any:
        if isinstance(other, tuple):
            return Veil(tuple.__add__(other, self), self.watch)
        return [*other, *self]

    def __contains__(self, piece: object) -> bool:
        self.watch.look()
        return super().__contains__(piece)

    def __eq__(self, other: object) -> bool:
        self.watch.look()
        return super().__eq__(other)

    def __hash__(self) -> int:
        self.watch.look()
        return super().__hash__()


class Watched(list[Any]):
    """A state of which some cells are hidden: it notices when they are looked at, and when a phase begins."""

    def __init__(self, cells: Iterable[Any], hidden: frozenset[int], watch: Watch) -> None:
        super().__init__(cells)
        self.hidden, self.watch = hidden, watch

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        if key.__class__ is not int:
            self.watch.look()
        elif key in self.hidden:
            if isinstance(found, tuple):
                return Veil(found, self.watch)
            self.watch.look()
        return found

    def __setitem__(self, key: Any, value: Any) -> None:
        if key == PHASE and self.watch.begun:
            raise PhaseOver
        super().__setitem__(key, value)

    def copied(self) -> Watched:
        return Watched(list.__iter__(self), self.hidden, self.watch)


def raw(s: State) -> State:
    """The same for whoever only counts."""
    return [tuple(tuple.__iter__(cell)) if isinstance(cell, Veil) else cell for cell in list.__iter__(s)]
