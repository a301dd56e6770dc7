"""Monitored states: they raise an exception when hidden pieces or cells are read, or when a phase begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulewright.program.state_layout import PHASE
from rulewright.runtime.state import State


class HiddenRead(Exception):
    """Exception: something hidden is read."""


class PhaseEnded(Exception):
    """Exception: another phase begins."""


class AccessMonitor:
    """Switch of the monitoring, and record of whether anything hidden was read since it began."""

    def __init__(self) -> None:
        self.was_read = self.active = False

    def start(self) -> None:
        """Turn the monitoring on; what was read before stays recorded."""
        self.active = True

    def record_read(self) -> None:
        """Note that something hidden is read, if monitoring is on. Raises HiddenRead then."""
        if self.active:
            self.was_read = True
            raise HiddenRead


class HiddenPieces(tuple[int, ...]):
    """Pieces of a zone that must not be read. Their number is public, and they may be moved unseen."""

    monitor: AccessMonitor

    def __new__(cls, pieces: Iterable[int], monitor: AccessMonitor) -> HiddenPieces:
        instance = super().__new__(cls, pieces)
        instance.monitor = monitor
        return instance

    def __iter__(self) -> Iterator[int]:
        self.monitor.record_read()
        return super().__iter__()

    def __getitem__(self, key: Any) -> Any:
        item = super().__getitem__(key)
        if isinstance(key, slice):
            return HiddenPieces(item, self.monitor)
        self.monitor.record_read()
        return item

    def __add__(self, other: Any) -> Any:
        return HiddenPieces(super().__add__(other), self.monitor)

    def __radd__(self, other: Any) -> Any:
        if isinstance(other, tuple):
            return HiddenPieces(tuple.__add__(other, self), self.monitor)
        return [*other, *self]

    def __contains__(self, piece: object) -> bool:
        self.monitor.record_read()
        return super().__contains__(piece)

    def __eq__(self, other: object) -> bool:
        self.monitor.record_read()
        return super().__eq__(other)

    def __hash__(self) -> int:
        self.monitor.record_read()
        return super().__hash__()


class MonitoredState(list[Any]):
    """State with hidden cells: raises HiddenRead when one is read, and PhaseEnded when a phase begins."""

    def __init__(self, cells: Iterable[Any], hidden: frozenset[int], monitor: AccessMonitor) -> None:
        super().__init__(cells)
        self.hidden, self.monitor = hidden, monitor

    def __getitem__(self, key: Any) -> Any:
        """Return what a cell holds; the pieces of a hidden zone as HiddenPieces. Raises HiddenRead for a hidden number,
        and for a slice."""
        value = super().__getitem__(key)
        if key.__class__ is not int:
            self.monitor.record_read()
        elif key in self.hidden:
            if isinstance(value, tuple):
                return HiddenPieces(value, self.monitor)
            self.monitor.record_read()
        return value

    def __setitem__(self, key: Any, value: Any) -> None:
        if key == PHASE and self.monitor.active:
            raise PhaseEnded
        super().__setitem__(key, value)

    def copy_state(self) -> MonitoredState:
        """Return a copy that is monitored, too."""
        return MonitoredState(list.__iter__(self), self.hidden, self.monitor)


def unmonitored(s: State) -> State:
    """Copy a state into plain lists and tuples that may be read freely, for code that only counts."""
    return [tuple(tuple.__iter__(cell)) if isinstance(cell, HiddenPieces) else cell for cell in list.__iter__(s)]
