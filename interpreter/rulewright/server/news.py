"""What other processes do at tables, brought to the thread in which this one's tables live."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress


class News:
    """Hears for whoever lives in a loop, and tells nothing once that has ended."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        changed: Callable[[int, int], object],
        missed: Callable[[], object],
    ) -> None:
        self._loop, self._changed, self._missed = loop, changed, missed

    def changed(self, game: int, number: int) -> None:
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._changed, game, number)

    def missed(self) -> None:
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._missed)
