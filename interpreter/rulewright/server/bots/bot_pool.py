"""Where the computer's players think: in a few processes of their own, while the tables go on.

Tables take turns there. The more of them wait, the less time each takes to think: a queue that grows makes the players
quicker, and nobody's answer late. The processes give way to whatever serves the pages, and share the places that there
are on this machine with those of other servers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import lru_cache
from random import Random
from time import monotonic
from typing import Any, TypeVar

from rulewright import players
from rulewright.base.diagnostics import RulewrightError
from rulewright.base.processes import end_by_parent_alone, give_way, spawn_context, unheard
from rulewright.game.library import Rules
from rulewright.players.answer_outcomes import AnswerOutcome, OutcomeFinder
from rulewright.players.choice_grouping import AnswerKey
from rulewright.players.seating import RANDOM_BOT
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.state import State
from rulewright.server.bots.cpu_slots import place, places
from rulewright.server.bots.fair_queue import FairQueue
from rulewright.server.bots.trained_players import TrainedPlayers
from rulewright.server.edition_registry import restored
from rulewright.server.storage.records import Pinned

T = TypeVar("T")
Answer = Sequence[AnswerKey]


class Thinkers:
    """A bounded pool of processes, begun when somebody first thinks. Who leaves all to chance is answered here.
    trained: the trained players there are, besides the kinds that there are anywhere; pause: waits for so many
    seconds."""

    def __init__(
        self,
        processes: int | None = None,
        trained: TrainedPlayers | None = None,
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.trained = trained or TrainedPlayers()
        self._processes = processes or share(1)
        self._queue = FairQueue(self._processes)
        self._pool: Executor | None = None
        self._pause = pause

    @property
    def busy_with(self) -> int:
        """How many questions are thought about, or wait for that."""
        return len(self._queue)

    async def choose(
        self,
        table: Hashable,
        kind: str,
        pinned: Pinned,
        machine: Machine,
        sight: State,
        asked: OpenDecision,
        luck: str,
    ) -> list[int]:
        """Some of what is offered, when it is time for that: see `players.answer_time`. table: which one it is for;
        sight: what the seat knows, which is all that a player is told; luck: fixes its answers, where there is time."""
        if not players.max_tries(kind):
            return at_chance(machine, sight, asked, luck)
        seats = machine.program.layout.seats
        hurried = players.table_kind(kind, await self._queue.begin(table))
        begun, waited = monotonic(), 0.0
        try:
            chosen, waited = await self._done(table, think, hurried, pinned, seats, sight, asked, luck)
        except (BrokenProcessPool, RulewrightError, OSError):
            chosen = at_chance(machine, sight, asked, luck)
        ready_at = begun + waited + players.answer_time(players.kind_after_wait(hurried, waited))
        await self._pause(ready_at - monotonic())
        return chosen

    async def prepare(self, pinned: Pinned, seats: int) -> None:
        """Have a game's rules read where it will be thought, before anybody is asked."""
        with suppress(BrokenProcessPool, RulewrightError, OSError):
            await self._queue.begin(pinned.digest)
            await self._done(pinned.digest, _read, pinned, seats)

    async def outcomes(
        self,
        table: Hashable,
        pinned: Pinned,
        machine: Machine,
        sight: State,
        asked: OpenDecision,
        answers: Sequence[Answer],
    ) -> list[AnswerOutcome]:
        """What answers lead to, as far as a seat can know; nothing where it cannot be worked out. table: which one it
        is for."""
        seats = machine.program.layout.seats
        if not answers:
            return []
        try:
            await self._queue.begin(table)
            return await self._done(table, try_out, pinned, seats, sight, asked, answers)
        except (BrokenProcessPool, RulewrightError, OSError):
            return [AnswerOutcome() for _ in answers]

    async def _done(self, table: Hashable, work: Callable[..., T], *arguments: Any) -> T:
        """In one of the processes, in a place that the table has. Somebody may end them, or the memory may: then the
        table goes on, and what comes next has new ones."""
        pool, loop = self._pool or self._new_pool(), asyncio.get_running_loop()
        self._pool = pool

        def end(_: object) -> None:  # when the process is free, whoever has stopped waiting for it
            with suppress(RuntimeError):  # the server is gone
                loop.call_soon_threadsafe(self._queue.end, table)

        try:
            with unheard():  # it may begin a process
                done = pool.submit(work, *arguments)
        except BaseException:
            self._queue.end(table)
            self._close(pool)
            raise
        done.add_done_callback(end)
        try:
            return await asyncio.wrap_future(done)
        except (BrokenProcessPool, OSError):
            self._close(pool)
            raise

    def _new_pool(self) -> Executor:
        return ProcessPoolExecutor(self._processes, spawn_context(), initializer=_begin, initargs=(self.trained,))

    def close(self) -> None:
        if self._pool is not None:
            self._close(self._pool)

    def _close(self, pool: Executor) -> None:
        pool.shutdown(wait=False, cancel_futures=True)
        if self._pool is pool:
            self._pool = None


def share(servers: int) -> int:
    """In how many processes one of so many servers on this machine thinks."""
    return max(1, places() // servers)


def at_chance(machine: Machine, sight: State, asked: OpenDecision, luck: str) -> list[int]:
    return players.make_player(RANDOM_BOT, machine).choose(sight, asked, Random(luck))


def think(
    kind: str, pinned: Pinned, seats: int, sight: State, asked: OpenDecision, luck: str
) -> tuple[list[int], float]:
    """What is chosen, and the seconds for which it had to wait. In one of the processes."""
    with place() as waited:
        player = _player(players.kind_after_wait(kind, waited), pinned, seats)
        return player.choose(sight, asked, Random(luck)), waited


def try_out(
    pinned: Pinned, seats: int, sight: State, asked: OpenDecision, answers: Sequence[Answer]
) -> list[AnswerOutcome]:
    """In one of the processes."""
    with place():
        finder = OutcomeFinder(_rules(pinned).edition, _machine(pinned, seats), sight, asked.seat)
        return finder.outcomes(asked, answers)


def _read(pinned: Pinned, seats: int) -> None:
    """In one of the processes."""
    with place():
        _machine(pinned, seats)


@lru_cache(maxsize=32)
def _player(kind: str, pinned: Pinned, seats: int) -> players.Player:
    machine = _machine(pinned, seats)
    if players.is_policy(kind):
        return _trained.policies[kind].player(machine)
    return players.make_player(kind, machine, evenly=True)


@lru_cache(maxsize=16)
def _machine(pinned: Pinned, seats: int) -> Machine:
    return _rules(pinned).machine(seats)


@lru_cache(maxsize=16)
def _rules(pinned: Pinned) -> Rules:
    return restored(pinned)


_trained = TrainedPlayers()


def _begin(trained: TrainedPlayers) -> None:
    """One of the processes. Ctrl-C is for the server, which ends it."""
    global _trained  # noqa: PLW0603 - a process has nowhere else to keep what it begins with
    _trained = trained
    end_by_parent_alone()
    give_way()
