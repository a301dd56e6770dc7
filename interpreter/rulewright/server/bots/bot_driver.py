"""The computer's players at a table: whoever is no person answers, one after the other, until only persons are asked.

People can take back what they answered until something comes to light. So that there is time for it, an answer of the
computer that might end that waits for a moment: of those who decide at once the last one is the computer, and after the
last person it holds back until they say that they stand by it, or the moment is over. Whether it waits is decided by
what people know, and how long it thinks by its kind: see `players.answer_time`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Protocol, TypeVar

from rulewright import players
from rulewright.base.diagnostics import RulewrightError
from rulewright.game.game import Game
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.players.seating import PERSON
from rulewright.server.bots.bot_pool import Thinkers
from rulewright.server.clock import Clock
from rulewright.server.limits import Limits
from rulewright.server.storage.database import StoreError
from rulewright.server.storage.records import LoggedAnswer, Pinned, Record

T = TypeVar("T")

_AGAIN = 1.0
"""Seconds after which a process asks again to drive a table that another one drives: that may have gone."""


class House(Protocol):
    """What they need of the server."""

    thinkers: Thinkers
    limits: Limits
    clock: Clock
    closing: bool

    def task(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]: ...

    async def lead(self, game: int) -> bool: ...

    async def release(self, game: int) -> None: ...


class DrivenTable(Protocol):
    """What they need of their table. kinds: who answers for each seat, PERSON or a kind of player."""

    @property
    def hall(self) -> House: ...

    @property
    def deserted(self) -> bool: ...

    game: Game | None
    record: Record
    kinds: list[str]
    rows: list[LoggedAnswer]
    pinned: Pinned
    trouble: Phrase | str

    async def alone(self, work: Callable[[], Awaitable[T]]) -> T: ...

    async def add(self, row: LoggedAnswer) -> None: ...

    def tell(self) -> None: ...

    def tell_trouble(self, error: RulewrightError) -> None: ...


class Bots:
    """Of one table. held: the seats for which an answer of the computer waits, since they could still go back."""

    def __init__(self, table: DrivenTable) -> None:
        self.table = table
        self.held: frozenset[int] = frozenset()
        self._stood: set[int] = set()
        self._until = 0.0
        self._moved = asyncio.Event()
        self._driving: asyncio.Task[None] | None = None

    @property
    def driving(self) -> bool:
        """Whether somebody sees to it that they answer."""
        return self._driving is not None and not self._driving.done()

    def drive(self) -> None:
        """Let them answer, until only persons are asked."""
        if not self.driving and self._next() is not None:
            self._driving = self.table.hall.task(self._driven())

    def heard(self, row: LoggedAnswer) -> None:
        """Something was added to the log."""
        self.held = frozenset()
        if row.take is None:
            self._stood.clear()
        if self.table.kinds[row.seat] == PERSON:
            self._stood.discard(row.seat)
            hall = self.table.hall
            self._until = hall.clock.now() + hall.limits.hold
        self.wake()

    def stand(self, seat: int) -> None:
        """A seat will not take its answer back."""
        self._stood.add(seat)
        self.wake()

    def wake(self) -> None:
        """Whoever waits looks again whether there is still something to wait for."""
        self._moved.set()

    async def _driven(self) -> None:
        while self._next() is not None:
            await self._driven_on()
            with suppress(StoreError):
                await self.table.hall.release(self.table.record.id)

    async def _driven_on(self) -> None:
        """As `_driven`, while this process is the one that drives them."""
        table = self.table
        try:
            while (seat := self._next()) is not None:
                if not await table.hall.lead(table.record.id):
                    self._moved.clear()
                    await self._moved_until(table.hall.clock.now() + _AGAIN)
                    continue
                number, game = len(table.rows), table.game
                assert game is not None
                given = sum(other == seat for other, _ in game.answers())
                sight, asked = game.known(seat)
                luck = players.answer_seed(game, seat, given)
                chosen = await table.hall.thinkers.choose(
                    table.record.id, table.kinds[seat], table.pinned, game.machine, sight, asked, luck
                )
                keys = game.keys(asked, chosen)
                await self._hold(game, seat, number)
                await table.alone(lambda: self._add_if(number, seat, keys))  # noqa: B023 - awaited before they change
        except StoreError as error:
            # The disk may have room again soon.
            table.tell_trouble(error)
            await asyncio.sleep(table.hall.limits.patience)
            table.trouble = ""
            table.tell()
        except RulewrightError as error:
            table.tell_trouble(error)

    async def _hold(self, game: Game, seat: int, number: int) -> None:
        """Wait for whoever might not go back any more after an answer of a seat. What they know decides that: whether
        it waits tells nothing of the answer. number: of rows in the log; when there are others, the answer has to be
        thought over anyway."""
        hall, clock, free = self.table.hall, self.table.hall.clock, self._free(game)
        self._until = min(self._until, clock.now() + hall.limits.hold)  # that clock may have been set back
        if not free or clock.now() >= self._until:
            return
        bound = await asyncio.to_thread(lambda: frozenset(one for one in free if game.may_end_undo(seat, one)))
        while (held := bound - self._stood) and len(self.table.rows) == number:
            if hall.closing or not self._until - hall.limits.hold <= clock.now() < self._until:
                break
            self._show(held)
            self._moved.clear()
            await self._moved_until(self._until)
        self._show(frozenset())

    async def _moved_until(self, at: float) -> None:
        """Wait until something moves, or for so long."""
        waiting = [asyncio.ensure_future(wait) for wait in (self.table.hall.clock.until(at), self._moved.wait())]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for wait in waiting:
            wait.cancel()
            with suppress(asyncio.CancelledError):
                await wait

    def _show(self, held: frozenset[int]) -> None:
        if held != self.held:
            self.held = held
            self.table.tell()

    def _free(self, game: Game) -> frozenset[int]:
        """Persons who could take an answer back."""
        people = (seat for seat, kind in enumerate(self.table.kinds) if kind == PERSON)
        return frozenset(seat for seat in people if game.can_undo(seat))

    async def _add_if(self, number: int, seat: int, keys: Sequence[str]) -> None:
        """An answer that was thought out when the log had so many rows; if it has others now, it is thought over."""
        table = self.table
        if table.game is not None and len(table.rows) == number:
            await table.add(LoggedAnswer(seat, dict(table.game.asked())[seat], tuple(keys)))
        await asyncio.sleep(0)  # between two answers that need no thought, others have their turn

    def _next(self) -> int | None:
        """The seat of a player that is no person, and asked. Of those who decide at once, the last one waits for all
        persons: else theirs would break the seals, and they could not take it back. Where all people have left, the
        table waits: whoever comes back finds no game that is over."""
        table = self.table
        if table.game is None or table.trouble or table.hall.closing or table.deserted:
            return None
        asked = [seat for seat, _ in table.game.asked()]
        if not asked and not table.game.over:
            table.trouble = phrase("errors", "The rules of this game wait for an answer, but ask nobody.")
            table.tell()
        waiting = [seat for seat in asked if table.kinds[seat] != PERSON]
        if len(waiting) == 1 < len(asked) and table.hall.limits.hold:
            return None
        return next(iter(waiting), None)
