"""Who is at tables by way of other servers: each tells the others whose pages are open at its own, and nobody keeps it.

A server says `here` and `gone` of seats, each as GAME.SEAT, and `who` when it comes: all that are there say then what
they have. Where a server has gone, so have its pages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from weakref import WeakValueDictionary

from rulewright.server.tables.attendance import Attendance

HERE, GONE, WHO = "here", "gone", "who"
AT_ONCE = 300
"""Seats in one message: PostgreSQL takes 8,000 bytes."""
GATHERING = 0.2
"""Seconds until something is said: of a page that is loaded again, nothing is."""

Sitting = tuple[int, int]
"""A table and a seat."""


class RollCall:
    """Of one server. say: tells all others."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self._tables: WeakValueDictionary[int, Attendance] = WeakValueDictionary()
        self._own: set[Sitting] = set()
        self._told: set[Sitting] = set()
        self._others: dict[int, set[Sitting]] = {}
        self._gathering: asyncio.TimerHandle | None = None

    def follow(self, game: int, attendance: Attendance) -> None:
        """A table is in memory now: who is there, and whoever comes and goes."""
        self._tables[game] = attendance
        attendance.announce = partial(self._here, game)
        for places in self._others.values():
            for _, seat in sorted(place for place in places if place[0] == game):
                attendance.come_elsewhere(seat)

    # ── what this one says ──

    def _here(self, game: int, seat: int, there: bool) -> None:
        (self._own.add if there else self._own.discard)((game, seat))
        if self._gathering is None:
            self._gathering = asyncio.get_running_loop().call_later(GATHERING, self._tell)

    def _tell(self) -> None:
        self._gathering = None
        self._list(GONE, self._told - self._own)
        self._list(HERE, self._own - self._told)
        self._told = set(self._own)

    def _list(self, what: str, places: Iterable[Sitting]) -> None:
        words = [f"{game}.{seat}" for game, seat in sorted(places)]
        for start in range(0, len(words), AT_ONCE):
            self._say(" ".join([what, *words[start : start + AT_ONCE]]))

    # ── what others say ──

    def begun(self) -> None:
        """From now on others are heard, and hear this one; nobody knows what they have said before."""
        for process in list(self._others):
            self.gone(process)
        self._told = set()
        self._say(WHO)
        self._tell()

    def said(self, process: int, told: str) -> None:
        """By another process. What makes no sense is nobody's word."""
        what, *words = told.split() or [""]
        there = self._others.setdefault(process, set())
        with suppress(ValueError):
            places = {(int(game), int(seat)) for game, _, seat in (word.partition(".") for word in words)}
            if what == WHO:
                self.gone(process)
                self._list(HERE, self._told)
            elif what == HERE:
                self._move(places - there, Attendance.come_elsewhere)
                there |= places
            elif what == GONE:
                self._move(places & there, Attendance.go_elsewhere)
                there -= places

    def gone(self, process: int) -> None:
        """Another process is there no more."""
        self._move(self._others.pop(process, set()), Attendance.go_elsewhere)

    def _move(self, places: Iterable[Sitting], move: Callable[[Attendance, int], None]) -> None:
        for game, seat in places:
            if game in self._tables:
                move(self._tables[game], seat)
