"""What rings at tables where a time has run out, also after a restart, and whichever process set the deadline."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Protocol, TypeVar

from rulewright.base.diagnostics import RulewrightError
from rulewright.server.clock import Clock
from rulewright.server.storage.database import BESIDE
from rulewright.server.storage.store import Store

T = TypeVar("T")

_SET_BACK = 1.0
"""Seconds by which a clock must have been set back to make a difference."""
_AGAIN, _LONGEST = 1.0, 5.0
"""Seconds until the next deadline is looked for again: where another process rings, which may go, and where another one
may have set an earlier one, and gone."""


class Ringing(Protocol):
    """What has deadlines. ring: whether it was for this process to do so."""

    clock: Clock
    closing: bool

    def kept(self, work: Callable[[Store], T]) -> Awaitable[T]: ...

    async def ring(self, game: int) -> bool: ...

    def changed(self, game: int, number: int) -> None: ...


class Alarm:
    """Of all tables; the one whose time runs out first is waited for."""

    def __init__(self, tables: Ringing) -> None:
        self._tables, self._changed = tables, asyncio.Event()

    def wake(self) -> None:
        """There is another deadline, or an end."""
        self._changed.set()

    async def run(self) -> None:
        tables, ahead = self._tables, math.inf
        while not tables.closing:
            self._changed.clear()
            first: tuple[int, float] | None = None
            with suppress(RulewrightError):
                first, common = await tables.kept(_looked)
                tables.clock.ahead += common - tables.clock.now()
                before, ahead = ahead, common - time.monotonic()
                if ahead < before - _SET_BACK:
                    for game in await tables.kept(Store.shorten_deadlines):
                        tables.changed(game, BESIDE)
                    continue
            now = tables.clock.now()
            late_already = first is not None and first[1] <= now
            if first is not None and late_already and await tables.ring(first[0]):
                continue
            until = now + (_AGAIN if late_already else _LONGEST)
            if first is not None and not late_already:
                until = min(until, first[1])
            waits = [self._changed.wait(), tables.clock.until(until)]
            waiting = [asyncio.ensure_future(wait) for wait in waits]
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for wait in waiting:
                wait.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)


def _looked(store: Store) -> tuple[tuple[int, float] | None, float]:
    """The next deadline, and what time it is for all: a server's own clock may be set meanwhile."""
    return store.next_deadline(), store.now()
