"""Who of a table is there: has its page open on some device."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable

UNKNOWN = 0
"""Instead of a time: longer than this server knows the table."""


class Attendance:
    """Who has gone for less than `patience` seconds, as while a page is loaded again, has not gone for others. Without
    patience nobody is said to have gone: their page may be open where another process serves it.

    away: seats that are not there, each with the time since when, in seconds since 1970, or UNKNOWN.
    """

    def __init__(self, tell: Callable[[], object], patience: float | None) -> None:
        """tell: is called when somebody has come or gone."""
        self.away: dict[int, int] = {}
        self._tell, self._patience = tell, patience
        self._pages: Counter[int] = Counter()
        self._leaving: dict[int, asyncio.TimerHandle] = {}

    def expect(self, seat: int, since: int = UNKNOWN) -> None:
        """Somebody sits here, and should come soon."""
        if self._patience is not None and not self._pages[seat] and seat not in self._leaving:
            loop = asyncio.get_running_loop()
            self._leaving[seat] = loop.call_later(self._patience, self._gone, seat, since)

    def come(self, seat: int) -> None:
        """A seat's page was opened."""
        self._pages[seat] += 1
        if (leaving := self._leaving.pop(seat, None)) is not None:
            leaving.cancel()
        if self.away.pop(seat, None) is not None:
            self._tell()

    def go(self, seat: int) -> None:
        """A seat's page was closed."""
        self._pages[seat] -= 1
        self.expect(seat, int(time.time()))

    def _gone(self, seat: int, since: int) -> None:
        del self._leaving[seat]
        self.away[seat] = since
        self._tell()
