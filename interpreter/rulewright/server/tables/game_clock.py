"""Clocks: how long people may take for a move, and that the computer takes over where the time has run out.

A table has one deadline, which everybody may know. It is set when it is somebody's turn; of those who decide at once,
when they begin: what one of them seals in the meantime does not move it. All that are not ready then leave theirs to
the computer, those included who may have nothing to choose: else it would tell who that is.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from rulewright.game.game import Game
from rulewright.players.seating import PERSON
from rulewright.server.clock import Clock
from rulewright.server.storage.records import Deadline
from rulewright.server.storage.store import CLOCK, Store
from rulewright.server.tables.deadline_timer import Alarm

T = TypeVar("T")

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


def late(expected: Sequence[int], kinds: list[str]) -> list[int]:
    """Persons who are waited for."""
    return [seat for seat in expected if kinds[seat] == PERSON]


class ClockHolder(Protocol):
    """What a table's clock needs of the server. alarm: what rings when a time has run out."""

    clock: Clock
    alarm: Alarm

    def kept(self, work: Callable[[Store], T]) -> Awaitable[T]: ...


class GameClock:
    """Of one table. each: seconds for each move, 0 where there is no clock; deadline: the one that there is."""

    def __init__(self, hall: ClockHolder, game: int) -> None:
        self._hall, self._game = hall, game
        self.each = 0.0
        self.deadline: Deadline | None = None

    def read(self, settings: Mapping[str, str], deadline: Deadline | None) -> None:
        """Take over what is kept."""
        self.each, self.deadline = seconds(settings), deadline

    def running(self, game: Game | None, kinds: list[str]) -> float:
        """Until when whoever is awaited has time, in seconds since 1970; 0 where no clock runs."""
        deadline = self.deadline
        if game is None or deadline is None or deadline.moment != game.opened:
            return 0
        return deadline.at if late(game.expected(), kinds) else 0

    def wanted(self, game: Game, kinds: list[str]) -> Deadline | None:
        """The deadline that a game takes: the one that there is, as long as it is for this moment."""
        deadline = self.deadline
        if not self.each:
            return deadline
        if game.over:
            return None
        if late(game.expected(), kinds) and (deadline is None or deadline.moment != game.opened):
            return following(deadline, game.opened, self._hall.clock.now(), self.each)
        return deadline

    async def follow(self, game: Game, kinds: list[str]) -> None:
        """Set the deadline that a game takes. Raises StoreError."""
        if (deadline := self.wanted(game, kinds)) != self.deadline:
            await self._hall.kept(lambda store: store.put_deadline(self._game, deadline))
            self.set(deadline)

    def set(self, deadline: Deadline | None) -> None:
        """There is another one, and it is kept."""
        if deadline != self.deadline:
            self.deadline = deadline
            self._hall.alarm.wake()
