"""Attendance across servers: each tells the others whose pages are open at its own, and nobody stores it.

A server sends `here` and `gone` for seats, each as GAME.SEAT, and `who` when it starts, which all others answer with
what they have. Where a server has gone, so have its pages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from weakref import WeakValueDictionary

from rulewright.server.tables.attendance import Attendance

PRESENT, ABSENT, LIST_REQUEST = "here", "gone", "who"
"""Kinds of messages: people who have come, people who have gone, a request for all who are there."""
MAX_SEATS_PER_MESSAGE = 300
"""Seats in one message: PostgreSQL allows 8,000 bytes."""
GATHER_SECONDS = 0.2
"""Seconds for which changes are gathered, so that nothing is sent for a reloaded page."""

SeatKey = tuple[int, int]
"""Table and seat."""


class AttendanceSync:
    """Synchronization of one server. say: broadcasts to all others."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self._tables: WeakValueDictionary[int, Attendance] = WeakValueDictionary()
        self._own: set[SeatKey] = set()
        self._announced: set[SeatKey] = set()
        self._others: dict[int, set[SeatKey]] = {}
        self._gathering: asyncio.TimerHandle | None = None

    def follow(self, game: int, attendance: Attendance) -> None:
        """Follow the attendance of a table that was loaded, here and elsewhere."""
        self._tables[game] = attendance
        attendance.announce = partial(self._set_own, game)
        for seats in self._others.values():
            for _, seat in sorted(key for key in seats if key[0] == game):
                attendance.come_elsewhere(seat)

    # ── what this one says ──

    def _set_own(self, game: int, seat: int, present: bool) -> None:
        """Note that a seat's first page has opened here or its last one has closed, and announce it soon."""
        (self._own.add if present else self._own.discard)((game, seat))
        if self._gathering is None:
            self._gathering = asyncio.get_running_loop().call_later(GATHER_SECONDS, self._announce)

    def _announce(self) -> None:
        """Tell other servers what has changed here since the last time."""
        self._gathering = None
        self._list(ABSENT, self._announced - self._own)
        self._list(PRESENT, self._own - self._announced)
        self._announced = set(self._own)

    def _list(self, kind: str, seats: Iterable[SeatKey]) -> None:
        """Broadcast a list of seats. kind: 'here' or 'gone'."""
        words = [f"{game}.{seat}" for game, seat in sorted(seats)]
        for start in range(0, len(words), MAX_SEATS_PER_MESSAGE):
            self._say(" ".join([kind, *words[start : start + MAX_SEATS_PER_MESSAGE]]))

    # ── what others say ──

    def on_connected(self) -> None:
        """Start anew with a new connection: messages before it are unknown."""
        for process in list(self._others):
            self.on_process_end(process)
        self._announced = set()
        self._say(LIST_REQUEST)
        self._announce()

    def on_message(self, process: int, message: str) -> None:
        """Handle another process's message; nonsense is ignored."""
        kind, *words = message.split() or [""]
        seats = self._others.setdefault(process, set())
        with suppress(ValueError):
            seats_named = {(int(game), int(seat)) for game, _, seat in (word.partition(".") for word in words)}
            if kind == LIST_REQUEST:
                self.on_process_end(process)
                self._list(PRESENT, self._announced)
            elif kind == PRESENT:
                self._move(seats_named - seats, Attendance.come_elsewhere)
                seats |= seats_named
            elif kind == ABSENT:
                self._move(seats_named & seats, Attendance.go_elsewhere)
                seats -= seats_named

    def on_process_end(self, process: int) -> None:
        """Drop the pages of a process that has gone."""
        self._move(self._others.pop(process, set()), Attendance.go_elsewhere)

    def _move(self, seats: Iterable[SeatKey], move: Callable[[Attendance, int], None]) -> None:
        """Call `move` for the attendance of each seat's table, if that is loaded."""
        for game, seat in seats:
            if game in self._tables:
                move(self._tables[game], seat)
