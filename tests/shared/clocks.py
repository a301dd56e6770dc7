"""A clock that a test sets."""

from __future__ import annotations

import asyncio
from threading import Lock

from rulewright.server.clock import Clock


class TestClock(Clock):
    """Clock that stands still until some thread lets it go on."""

    __test__ = False

    def __init__(self, now: float = 1_000_000.0) -> None:
        self._now = now
        self._lock = Lock()
        self._waiting: list[tuple[float, asyncio.AbstractEventLoop, asyncio.Event]] = []

    def now(self) -> float:
        return self._now

    async def wait_until(self, deadline: float) -> None:
        come = asyncio.Event()
        with self._lock:
            if deadline <= self._now:
                return
            self._waiting.append((deadline, asyncio.get_running_loop(), come))
        await come.wait()

    def go(self, seconds: float) -> None:
        """Let time pass; whoever waited for it goes on."""
        with self._lock:
            self._now += seconds
            due = [waiting for waiting in self._waiting if waiting[0] <= self._now]
            self._waiting = [waiting for waiting in self._waiting if waiting[0] > self._now]
        for _, loop, come in due:
            if not loop.is_closed():
                loop.call_soon_threadsafe(come.set)
