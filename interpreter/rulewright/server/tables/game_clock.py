"""Clock of a table: time for each move, after which the computer takes over.

A table has one deadline, known to everybody. It is set when a turn begins; for a simultaneous decision once, so that
sealing an answer does not move it. When it passes, the computer plays for all who are not ready, including those who
may have no choice: otherwise it would reveal who that is.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from rulewright.game.game import Game
from rulewright.players.seating import PERSON
from rulewright.server.clock import Clock
from rulewright.server.storage.records import Deadline
from rulewright.server.storage.store import CLOCK, Store
from rulewright.server.tables.deadline_timer import DeadlineTimer

T = TypeVar("T")

MIN_AFTER_UNDO_SECONDS = 20.0
"""Seconds that somebody has at least after an undo."""


def seconds_per_move(settings: Mapping[str, str]) -> float:
    """Return the seconds for each move from a table's settings; 0 without a clock."""
    value = settings.get(CLOCK, "")
    return float(value) if value.isdecimal() else 0.0


def next_deadline(deadline: Deadline | None, moment: int, now: float, each: float) -> Deadline:
    """Return the deadline of a moment, given the deadline before.

    After an undo, only the time left then counts: otherwise nobody's time would ever run out. moment: public answers;
    now: seconds since 1970; each: seconds for a move.
    """
    if deadline is None:
        return Deadline(moment, now + each, each)
    if moment < deadline.moment:
        return Deadline(moment, now + max(deadline.spare, min(each, MIN_AFTER_UNDO_SECONDS)), deadline.spare)
    return Deadline(moment, now + each, min(max(deadline.at - now, 0.0), each))


def awaited_people(expected: Sequence[int], kinds: list[str]) -> list[int]:
    """List the persons among the awaited seats."""
    return [seat for seat in expected if kinds[seat] == PERSON]


class ClockHost(Protocol):
    """Parts of the server that a clock needs. alarm: the timer that handles deadlines."""

    clock: Clock
    alarm: DeadlineTimer

    def with_store(self, work: Callable[[Store], T]) -> Awaitable[T]:
        """Run some work with the store, as `CommitQueue.with_store` does. Raises StoreError."""


class GameClock:
    """Clock of one table. each: seconds for each move, 0 without a clock; deadline: the present one."""

    def __init__(self, host: ClockHost, game: int) -> None:
        self._tables, self._game = host, game
        self.each = 0.0
        self.deadline: Deadline | None = None

    def read(self, settings: Mapping[str, str], deadline: Deadline | None) -> None:
        """Load stored settings and deadline."""
        self.each, self.deadline = seconds_per_move(settings), deadline

    def visible_deadline(self, game: Game | None, kinds: list[str]) -> float:
        """Return the deadline of awaited persons in seconds since 1970; 0 if no clock runs."""
        deadline = self.deadline
        if game is None or deadline is None or deadline.moment != game.pending.opened:
            return 0
        return deadline.at if awaited_people(game.pending.awaited(), kinds) else 0

    def deadline_for(self, game: Game, kinds: list[str]) -> Deadline | None:
        """Return the deadline that a game needs: the present one, as long as it is for this moment or nobody is
        awaited; None once the game is over. At a table without a clock, the present one stays."""
        deadline = self.deadline
        if not self.each:
            return deadline
        if game.over:
            return None
        if awaited_people(game.pending.awaited(), kinds) and (
            deadline is None or deadline.moment != game.pending.opened
        ):
            return next_deadline(deadline, game.pending.opened, self._tables.clock.now(), self.each)
        return deadline

    async def follow(self, game: Game, kinds: list[str]) -> None:
        """Store and set the deadline that a game needs. Raises StoreError."""
        if (deadline := self.deadline_for(game, kinds)) != self.deadline:
            await self._tables.with_store(lambda store: store.put_deadline(self._game, deadline))
            self.set(deadline)

    def set(self, deadline: Deadline | None) -> None:
        """Set a deadline that is stored."""
        if deadline != self.deadline:
            self.deadline = deadline
            self._tables.alarm.wake()
