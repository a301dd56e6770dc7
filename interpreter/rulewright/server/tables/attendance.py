"""Attendance of a table: which seats have a page open on some device."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable

UNKNOWN = 0
"""Time of leaving for a seat that was absent before this server loaded the table."""


def _ignore(seat: int, present: bool) -> None:
    """Announce nothing: there is only one server."""


class Attendance:
    """Attendance of a table's seats; a page that is back within `patience` seconds, as when reloaded, was never absent.

    away: absent seats with the time since when, in seconds since 1970, or UNKNOWN; announce: called when a seat opens
    its first page at this server, and when it closes its last one.
    """

    def __init__(self, notify: Callable[[], object], patience: float, now: Callable[[], float] = time.time) -> None:
        """notify: called when somebody has come or gone."""
        self.away: dict[int, int] = {}
        self.announce: Callable[[int, bool], object] = _ignore
        self._tell, self._patience, self._now = notify, patience, now
        self._pages: Counter[int] = Counter()
        self._elsewhere: Counter[int] = Counter()  # servers
        self._leaving: dict[int, asyncio.TimerHandle] = {}

    def expect(self, seat: int, since: int | None = None) -> None:
        """Expect a seat's page soon. since: when it was last open, None: just now."""
        if not self._pages[seat] and not self._elsewhere[seat] and seat not in self._leaving:
            since = int(self._now()) if since is None else since
            self._leaving[seat] = asyncio.get_running_loop().call_later(self._patience, self._mark_away, seat, since)

    def come(self, seat: int) -> None:
        """Count a page that a seat has opened."""
        self._pages[seat] += 1
        if self._pages[seat] == 1:
            self.announce(seat, True)
        self._come(seat)

    def go(self, seat: int) -> None:
        """Count a page that a seat has closed."""
        self._pages[seat] -= 1
        if not self._pages[seat]:
            self.announce(seat, False)
        self.expect(seat)

    def come_elsewhere(self, seat: int) -> None:
        """Count another server where a seat has opened a page."""
        self._elsewhere[seat] += 1
        self._come(seat)

    def go_elsewhere(self, seat: int) -> None:
        """Count another server where a seat has closed its last page."""
        self._elsewhere[seat] -= 1
        self.expect(seat)

    def _come(self, seat: int) -> None:
        """Mark a seat as present."""
        if (leaving := self._leaving.pop(seat, None)) is not None:
            leaving.cancel()
        if self.away.pop(seat, None) is not None:
            self._tell()

    def _mark_away(self, seat: int, since: int) -> None:
        """Mark a seat as away, once its patience is over."""
        del self._leaving[seat]
        self.away[seat] = since
        self._tell()
