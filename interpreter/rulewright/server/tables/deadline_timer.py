"""Timer for the deadlines of all tables; it survives restarts, and serves whichever process set a deadline."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Protocol, TypeVar

from rulewright.base.diagnostics import RulewrightError
from rulewright.server.clock import Clock
from rulewright.server.storage.database import OTHER_CHANGE
from rulewright.server.storage.store import Store

T = TypeVar("T")

_MIN_SET_BACK = 1.0
"""Seconds by which a clock must have been set back to make a difference."""
_RETRY_SECONDS, _MAX_SLEEP_SECONDS = 1.0, 5.0
"""Seconds until the next deadline is looked up again: where another process handles it and may die, and where another
one may have set an earlier deadline and died."""


class DeadlineHost(Protocol):
    """Registry of tables with deadlines."""

    clock: Clock
    closing: bool

    def with_store(self, work: Callable[[Store], T]) -> Awaitable[T]:
        """Run some work with the store, as `CommitQueue.with_store` does. Raises StoreError."""

    async def ring(self, game: int) -> bool:
        """Handle a table's passed deadline; return False if another process has to, or the store cannot be reached."""

    def changed(self, game: int, number: int) -> None:
        """Handle a change of a table that was not made by it. number: of the row that was added, or OTHER_CHANGE."""


class DeadlineTimer:
    """Timer that waits for the earliest deadline of all tables."""

    def __init__(self, tables: DeadlineHost) -> None:
        self._tables, self._changed = tables, asyncio.Event()

    def wake(self) -> None:
        """Note that a deadline has changed, or that the server stops."""
        self._changed.set()

    async def run(self) -> None:
        """Wait for deadlines and handle them until the server stops. Also keep the server's clock on the database's,
        and shorten deadlines when that was set back."""
        tables, ahead = self._tables, math.inf
        while not tables.closing:
            self._changed.clear()
            first: tuple[int, float] | None = None
            with suppress(RulewrightError):
                first, common = await tables.with_store(_next_deadline)
                tables.clock.ahead += common - tables.clock.now()
                before, ahead = ahead, common - time.monotonic()
                if ahead < before - _MIN_SET_BACK:
                    for game in await tables.with_store(Store.shorten_deadlines):
                        tables.changed(game, OTHER_CHANGE)
                    continue
            now = tables.clock.now()
            is_late = first is not None and first[1] <= now
            if first is not None and is_late and await tables.ring(first[0]):
                continue
            until = now + (_RETRY_SECONDS if is_late else _MAX_SLEEP_SECONDS)
            if first is not None and not is_late:
                until = min(until, first[1])
            await tables.clock.wait_for(self._changed, until)


def _next_deadline(store: Store) -> tuple[tuple[int, float] | None, float]:
    """Return the next deadline, and the database's time: a server's own clock may be changed meanwhile."""
    return store.next_deadline(), store.now()
