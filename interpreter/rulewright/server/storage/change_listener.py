"""Relay of other processes' changes to the event loop in which this one's tables live."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from rulewright.server.storage.database import ChangeListener


class ChangeRelay:
    """Listener, called from another thread, that calls a second listener in an event loop as long as that runs."""

    def __init__(self, loop: asyncio.AbstractEventLoop, listener: ChangeListener) -> None:
        self._loop, self._listener = loop, listener

    def changed(self, game: int, number: int) -> None:
        self._later(self._listener.changed, game, number)

    def missed(self) -> None:
        self._later(self._listener.missed)

    def on_connected(self) -> None:
        self._later(self._listener.on_connected)

    def on_message(self, process: int, message: str) -> None:
        self._later(self._listener.on_message, process, message)

    def on_process_end(self, process: int) -> None:
        self._later(self._listener.on_process_end, process)

    def _later(self, work: Callable[..., object], *arguments: Any) -> None:
        """Call a function in the event loop; do nothing once that is closed."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(work, *arguments)
