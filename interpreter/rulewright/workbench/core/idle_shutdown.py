"""Shutdown of an idle workbench, some time after its last window has been closed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rulewright.server.clock import Clock


class IdleShutdown:
    """Counter of open windows. patience: seconds without any, after which `ending` is called; 0 for never. Before the
    first one, the time since the start counts: a browser may be slow."""

    def __init__(self, patience: float, ending: Callable[[], object], clock: Clock | None = None) -> None:
        self.patience, self._ending, self._clock = patience, ending, clock or Clock()
        self._open, self._since, self._closed = 0, self._clock.now(), asyncio.Event()

    @contextmanager
    def open_window(self) -> Iterator[None]:
        """Count a window as open."""
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1
            self._since = self._clock.now()
            self._closed.set()

    async def watch(self) -> None:
        """Wait until no window has been open for that long, then call `ending`."""
        while self.patience:
            await self._clock.wait_until(self._since + self.patience)
            while self._open:
                self._closed.clear()
                await self._closed.wait()
            if self._clock.now() >= self._since + self.patience:
                self._ending()
                return
