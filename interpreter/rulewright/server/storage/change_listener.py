"""What other processes do at tables, brought to the thread in which this one's tables live."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from rulewright.server.storage.database import NewsReader


class News:
    """Hears for whoever lives in a loop, and tells nothing once that has ended. what: as a NewsReader has it, called in
    the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, what: NewsReader) -> None:
        self._loop, self._what = loop, what

    def changed(self, game: int, number: int) -> None:
        self._later(self._what.changed, game, number)

    def missed(self) -> None:
        self._later(self._what.missed)

    def begun(self) -> None:
        self._later(self._what.begun)

    def said(self, process: int, told: str) -> None:
        self._later(self._what.said, process, told)

    def gone(self, process: int) -> None:
        self._later(self._what.gone, process)

    def _later(self, work: Callable[..., object], *told: Any) -> None:
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(work, *told)
