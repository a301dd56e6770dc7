"""Clocks: how long people may take for a move, and that the computer takes over where the time has run out.

A table has one deadline, which everybody may know. It is set when it is somebody's turn; of those who decide at once,
when they begin: what one of them seals in the meantime does not move it. All that are not ready then leave theirs to
the computer, those included who may have nothing to choose: else it would tell who that is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Protocol, TypeVar

from rulewright.base.diagnostics import RulewrightError
from rulewright.players.seating import PERSON
from rulewright.server.clock import Clock
from rulewright.server.records import Deadline
from rulewright.server.store import Store

T = TypeVar("T")

CLOCK = "clock"
"""The setting: seconds for each move."""
CLOCKS = (60, 180, 300, 900, 3600, 86_400, 3 * 86_400, 7 * 86_400)
_AGAIN, _LONGEST = 1.0, 5.0
"""Seconds until the next deadline is looked for again: where another process rings, which may go, and where another one
may have set an earlier one, and gone."""
LEAST_AGAIN = 20.0
"""Seconds that somebody has at least who has taken a move back."""


def seconds(settings: Mapping[str, str]) -> float:
    """For each move; 0 where there is no clock."""
    told = settings.get(CLOCK, "")
    return float(told) if told.isdecimal() else 0.0


def following(deadline: Deadline | None, moment: int, now: float, each: float) -> Deadline:
    """The deadline of a moment, after that of another one. Who goes back gets only what was left then: else nobody's
    time would ever run out."""
    if deadline is None:
        return Deadline(moment, now + each, each)
    if moment < deadline.moment:
        return Deadline(moment, now + max(deadline.spare, min(each, LEAST_AGAIN)), deadline.spare)
    return Deadline(moment, now + each, min(max(deadline.at - now, 0.0), each))


class Ringing(Protocol):
    """What has deadlines. ring: whether it was for this process to do so."""

    clock: Clock
    closing: bool

    def kept(self, work: Callable[[Store], T]) -> Awaitable[T]: ...

    async def ring(self, game: int) -> bool: ...


class Alarm:
    """Rings at each table whose time has run out, also after a restart."""

    def __init__(self, tables: Ringing) -> None:
        self._tables, self._changed = tables, asyncio.Event()

    def wake(self) -> None:
        """There is another deadline, or an end."""
        self._changed.set()

    async def run(self) -> None:
        tables = self._tables
        while not tables.closing:
            self._changed.clear()
            first: tuple[int, float] | None = None
            with suppress(RulewrightError):
                first, common = await tables.kept(_looked)
                tables.clock.ahead += common - tables.clock.now()
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


def _looked(store: Store) -> tuple[tuple[int, float] | None, float]:
    """The next deadline, and what time it is for all: a server's own clock may be set meanwhile."""
    return store.next_deadline(), store.now()


def late(expected: Sequence[int], kinds: list[str]) -> list[int]:
    """Persons who are waited for."""
    return [seat for seat in expected if kinds[seat] == PERSON]
