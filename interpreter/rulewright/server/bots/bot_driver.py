"""Driver of a table's bots: answers for them, one after the other, until only persons are asked.

People can undo an answer until something hidden is revealed. To leave them time, a bot's answer that might end that is
held back until they confirm theirs, or the hold is over. Whether it waits depends on what people know; how long it
thinks depends on its kind (see `players.answer_time`). In a simultaneous decision nothing is held back: bots answer
while people think, and the last answer opens the seals, as among people.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Protocol, TypeVar

from rulewright import players
from rulewright.base.diagnostics import RulewrightError
from rulewright.game.game import Game
from rulewright.game.reveal_check import may_reveal
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.players.seating import PERSON
from rulewright.runtime.machine import OpenDecision
from rulewright.runtime.state import State
from rulewright.server.bots.bot_pool import BotPool
from rulewright.server.clock import Clock
from rulewright.server.limits import Limits
from rulewright.server.storage.database import StoreError
from rulewright.server.storage.records import LoggedAnswer, PinnedEdition, TableRecord

T = TypeVar("T")

_LEASE_RETRY_SECONDS = 1.0
"""Seconds after which a process asks again to drive a table that another one drives: that one may have died."""


class BotHost(Protocol):
    """Parts of the server that a table's bots need."""

    bot_pool: BotPool
    limits: Limits
    clock: Clock
    closing: bool

    def task(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start a background task, which the server keeps a reference to."""

    async def take_lease(self, game: int) -> bool:
        """Take the lease of a table until `release_lease`; False if another process holds it. Raises StoreError."""

    async def release_lease(self, game: int) -> None:
        """Release the lease of a table. Raises StoreError."""


class DrivenTable(Protocol):
    """Parts of their table that bots need. kinds: who answers for each seat, PERSON or a kind of player."""

    @property
    def tables(self) -> BotHost:
        """Host of the table, with what bots share."""

    @property
    def deserted(self) -> bool:
        """True if the computer plays for all people who have not conceded."""

    game: Game | None
    record: TableRecord
    kinds: list[str]
    rows: list[LoggedAnswer]
    pinned: PinnedEdition
    error: Phrase | str

    async def run_exclusively(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run a change while no other changes the table, to its end even if the caller is cancelled.

        What loses a race against another process is done again on the new state, or refused."""

    async def add(self, *rows: LoggedAnswer) -> None:
        """Store rows, take them into the game, and show them. Raises AnswerError, StoreError."""

    def notify(self) -> None:
        """Notify listeners of a change of anything but answers."""

    def report_error(self, error: RulewrightError) -> None:
        """Show why the game cannot go on."""


class BotDriver:
    """Bots of one table. undo_seats: whose undo a bot's answer waits for."""

    def __init__(self, table: DrivenTable) -> None:
        self.table = table
        self.undo_seats: frozenset[int] = frozenset()
        self._stood: set[int] = set()
        self._until = 0.0
        self._moved = asyncio.Event()
        self._driving: asyncio.Task[None] | None = None

    @property
    def driving(self) -> bool:
        """Whether the bots' task is running."""
        return self._driving is not None and not self._driving.done()

    def drive(self) -> None:
        """Start answering, unless it is under way, no bot is asked, or the table closes or has an error."""
        if not self.driving and self._next_seat() is not None:
            self._driving = self.table.tables.task(self._drive_and_release())

    def on_answer(self, row: LoggedAnswer) -> None:
        """Note a new row of the log: nobody's undo is waited for any more, and a person's row restarts the hold.

        An answer of a person withdraws that person's confirmation; a row that is no answer, everybody's."""
        self.undo_seats = frozenset()
        if row.take is None:
            self._stood.clear()
        if self.table.kinds[row.seat] == PERSON:
            self._stood.discard(row.seat)
            tables = self.table.tables
            self._until = tables.clock.now() + tables.limits.hold
        self.wake()

    def confirm_answer(self, seat: int) -> None:
        """Note that a seat keeps its answer: no bot need wait for its undo."""
        self._stood.add(seat)
        self.wake()

    def wake(self) -> None:
        """Let waiting bots check again whether there is still something to wait for."""
        self._moved.set()

    async def _drive_and_release(self) -> None:
        """Answer until no bot is asked, releasing the lease whenever driving stops, unless it is cancelled."""
        while self._next_seat() is not None:
            await self._drive_with_lease()
            with suppress(StoreError):
                await self.table.tables.release_lease(self.table.record.id)

    async def _drive_with_lease(self) -> None:
        """Answer while this process holds the lease. An error is shown at the table and stops the bots; one of the
        store, only for a while."""
        table = self.table
        try:
            while (seat := self._next_seat()) is not None:
                if not await table.tables.take_lease(table.record.id):
                    self._moved.clear()
                    await table.tables.clock.wait_for(self._moved, table.tables.clock.now() + _LEASE_RETRY_SECONDS)
                    continue
                number, game = len(table.rows), table.game
                assert game is not None
                answer_count = sum(other == seat for other, _ in game.history.answer_keys())
                information, decision = game.known(seat)
                seed = players.answer_seed(game, seat, answer_count)
                choice = await table.tables.bot_pool.choose(
                    table.record.id,
                    table.kinds[seat],
                    table.pinned,
                    game.machine,
                    information,
                    decision,
                    seed,
                    in_row=self._steps_in_row(game),
                )
                keys = game.offer(decision).keys(choice)
                await self._hold(game, seat, number)
                premise = number, information, decision
                await table.run_exclusively(lambda: self._add_if(premise, keys))  # noqa: B023 - awaited before they change
        except StoreError as error:
            # The disk may have room again soon.
            table.report_error(error)
            await asyncio.sleep(table.tables.limits.patience)
            table.error = ""
            table.notify()
        except RulewrightError as error:
            table.report_error(error)

    def _steps_in_row(self, game: Game) -> int:
        """Count the steps of a game since a person's last answer; 0 where no person has answered. All see its steps,
        and what is answered in secret makes none: so the time that a bot takes tells nothing of that."""
        answers = game.history.answers[: game.pending.opened]
        by_person = (number for number, one in enumerate(answers, 1) if self.table.kinds[one.seat] == PERSON)
        last = max(by_person, default=len(answers))
        return sum(step.answers > last for step in game.history.steps())

    async def _hold(self, game: Game, seat: int, number: int) -> None:
        """Wait while somebody could still undo before a seat's answer ends that.

        Only what people know decides whether it waits, so waiting reveals nothing of the answer. number: of rows in the
        log; when there are more, the answer must be thought over anyway.
        """
        tables, clock, free = self.table.tables, self.table.tables.clock, self._seats_that_can_undo(game)
        self._until = min(self._until, clock.now() + tables.limits.hold)  # that clock may have been set back
        machine, state = game.machine, game.state
        if not free or clock.now() >= self._until or machine.simultaneous_seats(state):
            return
        bound = await asyncio.to_thread(lambda: frozenset(one for one in free if may_reveal(machine, state, seat, one)))
        while (waiting_for := bound - self._stood) and len(self.table.rows) == number:
            if tables.closing or not self._until - tables.limits.hold <= clock.now() < self._until:
                break
            self._show_undo_seats(waiting_for)
            self._moved.clear()
            await clock.wait_for(self._moved, self._until)
        self._show_undo_seats(frozenset())

    def _show_undo_seats(self, seats: frozenset[int]) -> None:
        """Show which seats may still undo."""
        if seats != self.undo_seats:
            self.undo_seats = seats
            self.table.notify()

    def _seats_that_can_undo(self, game: Game) -> frozenset[int]:
        """Return the persons' seats that could undo an answer."""
        people = (seat for seat, kind in enumerate(self.table.kinds) if kind == PERSON)
        return frozenset(seat for seat in people if game.can_undo(seat))

    async def _add_if(self, premise: tuple[int, State, OpenDecision], keys: Sequence[str]) -> None:
        """Give an answer if the seat still knows what it knew and is asked the same; else drop it. The caller runs it
        exclusively.

        premise: number of rows in the log when it was thought out, the seat's information state, and its decision.
        """
        table, (number, information, decision) = self.table, premise
        seat, game = decision.seat, table.game
        if game is not None and (len(table.rows) == number or _is_known(game, information, decision)):
            await table.add(LoggedAnswer(seat, dict(game.pending.ids)[seat], tuple(keys)))
        await asyncio.sleep(0)  # between two answers that need no thought, others have their turn

    def _next_seat(self) -> int | None:
        """Find the seat of a bot to answer now, or None, also while the table closes or has an error. Where nobody at
        all is asked, set the table's error and show it.

        Where all people have left, bots stop, so that nobody returns to a finished game.
        """
        table = self.table
        if table.game is None or table.error or table.tables.closing or table.deserted:
            return None
        seats = [seat for seat, _ in table.game.pending.ids]
        if not seats and not table.game.over:
            table.error = phrase("errors", "The rules of this game wait for an answer, but ask nobody.")
            table.notify()
        return next((seat for seat in seats if table.kinds[seat] != PERSON), None)


def _is_known(game: Game, information: State, decision: OpenDecision) -> bool:
    """Return whether a decision is open and its seat knows just this: others may have answered under seal meanwhile."""
    open_ = {(one.seat, one.site) for one in game.pending.open}
    return (decision.seat, decision.site) in open_ and game.known(decision.seat)[0] == information
