"""Who of a table is there: has its page open on some device."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable

UNKNOWN = 0
"""Instead of a time: longer than this server knows the table."""


def _nobody_else(seat: int, there: bool) -> None:
    """There is only one server."""


class Attendance:
    """Who has gone for less than `patience` seconds, as while a page is loaded again, has not gone for others.

    away: seats that are not there, each with the time since when, in seconds since 1970, or UNKNOWN; announce: is told
    the first page that a seat has open at this server, and when the last one is closed.
    """

    def __init__(self, tell: Callable[[], object], patience: float, now: Callable[[], float] = time.time) -> None:
        """tell: is called when somebody has come or gone."""
        self.away: dict[int, int] = {}
        self.announce: Callable[[int, bool], object] = _nobody_else
        self._tell, self._patience, self._now = tell, patience, now
        self._pages: Counter[int] = Counter()
        self._elsewhere: Counter[int] = Counter()  # servers
        self._leaving: dict[int, asyncio.TimerHandle] = {}

    def expect(self, seat: int, since: int | None = None) -> None:
        """Somebody sits here, and should come soon. since: when they were here, None: just now."""
        if not self._pages[seat] and not self._elsewhere[seat] and seat not in self._leaving:
            since = int(self._now()) if since is None else since
            self._leaving[seat] = asyncio.get_running_loop().call_later(self._patience, self._gone, seat, since)

    def come(self, seat: int) -> None:
        """A seat's page was opened."""
        self._pages[seat] += 1
        if self._pages[seat] == 1:
            self.announce(seat, True)
        self._come(seat)

    def go(self, seat: int) -> None:
        """A seat's page was closed."""
        self._pages[seat] -= 1
        if not self._pages[seat]:
            self.announce(seat, False)
        self.expect(seat)

    def come_elsewhere(self, seat: int) -> None:
        """A seat has its page open at another server."""
        self._elsewhere[seat] += 1
        self._come(seat)

    def go_elsewhere(self, seat: int) -> None:
        """It has none there any more."""
        self._elsewhere[seat] -= 1
        self.expect(seat)

    def _come(self, seat: int) -> None:
        if (leaving := self._leaving.pop(seat, None)) is not None:
            leaving.cancel()
        if self.away.pop(seat, None) is not None:
            self._tell()

    def _gone(self, seat: int, since: int) -> None:
        del self._leaving[seat]
        self.away[seat] = since
        self._tell()
