"""Deferred work on the event loop, done in short slices between urgent work.

Where people answer faster than all screens can be updated, an answer is still stored and acknowledged soon; the screens
follow a little later, and show several changes at once.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

SLICE_SECONDS = 0.005
"""Seconds of deferred work before urgent work gets its turn."""


class DeferredWork:
    """Queue of deferred work on one event loop, done in order."""

    def __init__(self) -> None:
        self._works: deque[Callable[[], object]] = deque()
        self._comes = False  # the next slice

    def add(self, work: Callable[[], object]) -> None:
        """Queue some work."""
        self._works.append(work)
        self._plan_slice()

    def _plan_slice(self) -> None:
        if not self._comes:
            self._comes = True
            asyncio.get_running_loop().call_soon(self._run_slice)

    def _run_slice(self) -> None:
        """Work for a few milliseconds; plan another slice if some is left."""
        self._comes = False
        end = time.perf_counter() + SLICE_SECONDS
        try:
            while self._works and time.perf_counter() < end:
                self._works.popleft()()
        finally:
            if self._works:
                self._plan_slice()
