"""Clock of a server: current time and waiting, replaceable in tests."""

from __future__ import annotations

import asyncio
import time

_MAX_SLEEP_SECONDS = 3600.0
"""Longest uninterrupted sleep in seconds, so that a suspended computer or a changed clock is noticed."""


class Clock:
    """System clock. ahead: seconds by which the clock that several servers share (their database's) is ahead of it."""

    ahead = 0.0

    def now(self) -> float:
        """Return the time in seconds since 1970."""
        return time.time() + self.ahead

    async def wait_until(self, deadline: float) -> None:
        """Sleep until a time in seconds since 1970, but never longer than it is away now: the system clock may be set
        back meanwhile."""
        latest = time.monotonic() + deadline - self.now()
        while (remaining := min(deadline - self.now(), latest - time.monotonic())) > 0:
            await asyncio.sleep(min(remaining, _MAX_SLEEP_SECONDS))

    async def wait_for(self, event: asyncio.Event, deadline: float) -> None:
        """Wait until an event is set, at most until a time in seconds since 1970."""
        waiting = [asyncio.ensure_future(wait) for wait in (event.wait(), self.wait_until(deadline))]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waiting:
                wait.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
