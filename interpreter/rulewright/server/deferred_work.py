"""What can wait a little is done between what cannot.

Where people answer faster than all of it can be shown, an answer is still taken, kept and acknowledged soon. What it
changes is shown a little later then, and at once with what others have changed since.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

SLICE = 0.005
"""Seconds after which it is looked whether there is something that cannot wait."""


class SpareTime:
    """Of one loop; what comes first is done first."""

    def __init__(self) -> None:
        self._works: deque[Callable[[], object]] = deque()
        self._comes = False  # the next slice

    def do(self, work: Callable[[], object]) -> None:
        """As soon as there is time."""
        self._works.append(work)
        self._plan()

    def _plan(self) -> None:
        if not self._comes:
            self._comes = True
            asyncio.get_running_loop().call_soon(self._slice)

    def _slice(self) -> None:
        self._comes = False
        end = time.perf_counter() + SLICE
        try:
            while self._works and time.perf_counter() < end:
                self._works.popleft()()
        finally:
            if self._works:
                self._plan()
