"""What time it is, and waiting: one clock for all that a server does at a certain time. Tests have their own."""

from __future__ import annotations

import asyncio
import time

_LONGEST = 3600.0
"""Seconds for which one sleeps: if the computer slept meanwhile, or its clock was set, that is noticed."""


class Clock:
    """The computer's. ahead: seconds by which the clock is ahead that several servers have in common."""

    ahead = 0.0

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time() + self.ahead

    async def until(self, at: float) -> None:
        """Wait until then, and no longer than that is from now: the computer's clock may be set back meanwhile."""
        latest = time.monotonic() + at - self.now()
        while (left := min(at - self.now(), latest - time.monotonic())) > 0:
            await asyncio.sleep(min(left, _LONGEST))
