"""Pool of processes in which bots think, while the tables go on.

Tables take turns. The longer the queue, the less time each bot takes to think, so a full queue makes bots quicker but
nobody's answer late. The processes run at low priority and share this machine's CPU slots with those of other servers.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection, Hashable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import lru_cache
from random import Random
from time import monotonic
from typing import Any, TypeVar

from rulewright import players
from rulewright.base.diagnostics import RulewrightError
from rulewright.base.processes import block_interrupts, end_by_parent_alone, lower_priority, spawn_context
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.players.analysis import JudgedDecision, explain_last, glance_at, judge
from rulewright.players.answer_outcomes import AnswerOutcome, OutcomeFinder
from rulewright.players.choice_grouping import AnswerKey
from rulewright.players.seating import RANDOM_BOT
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.state import State
from rulewright.server.bots.cpu_slots import slot, slot_count
from rulewright.server.bots.fair_queue import FairQueue
from rulewright.server.bots.trained_players import TrainedPlayers
from rulewright.server.edition_registry import restore_rules
from rulewright.server.storage.records import PinnedEdition

T = TypeVar("T")
Answer = Sequence[AnswerKey]


class BotPool:
    """Bounded pool of processes, started when a bot first thinks; players who choose at random need none.

    trained: trained players besides the built-in kinds; pause: sleeps for some seconds.
    """

    def __init__(
        self,
        processes: int | None = None,
        trained: TrainedPlayers | None = None,
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.trained = trained or TrainedPlayers()
        self._processes = processes or process_share(1)
        self._queue = FairQueue(self._processes)
        self._pool: Executor | None = None
        self._pause = pause

    @property
    def busy_with(self) -> int:
        """Number of decisions being thought about or queued."""
        return len(self._queue)

    async def choose(
        self,
        table: Hashable,
        kind: str,
        pinned: PinnedEdition,
        machine: Machine,
        sight: State,
        decision: OpenDecision,
        seed: str,
        in_row: int = 0,
    ) -> list[int]:
        """Choose for a bot, and return the indices of candidates when it is time to answer (see `players.answer_time`).

        table: key for the fair queue; sight: the seat's information state, all that the player is given; decision:
        its open one; seed: of the choice, which fixes it as long as time suffices; in_row: steps of the game since a
        person's last answer. Falls back on a random choice if the process dies.
        """
        if not players.max_tries(kind):
            return choose_randomly(machine, sight, decision, seed)
        seats = machine.program.layout.seats
        hurried = players.table_kind(kind, min(players.share_in_row(in_row), await self._queue.begin(table)))
        started, waited = monotonic(), 0.0
        try:
            items, waited = await self._run_in_pool(
                table, choose_in_worker, hurried, pinned, seats, sight, decision, seed
            )
        except (BrokenProcessPool, RulewrightError, OSError):
            items = choose_randomly(machine, sight, decision, seed)
        ready_at = started + waited + players.answer_time(players.kind_after_wait(hurried, waited), machine.program)
        await self._pause(max(0.0, ready_at - monotonic()))
        return items

    async def prepare(self, kinds: Collection[str], pinned: PinnedEdition, seats: int) -> None:
        """Make players of a game ready in one process of the pool before the first decision: its rules are loaded
        there, and its native code is made, which takes longer than an answer. Nothing happens where that fails. kinds:
        of players."""
        thinking = sorted({players.table_kind(kind) for kind in kinds if players.max_tries(kind)})
        if not thinking:
            return
        with suppress(BrokenProcessPool, RulewrightError, OSError):
            await self._queue.begin(pinned.digest)
            await self._run_in_pool(pinned.digest, _prepare_in_worker, thinking, pinned, seats)

    async def outcomes(
        self,
        table: Hashable,
        pinned: PinnedEdition,
        machine: Machine,
        sight: State,
        decision: OpenDecision,
        answers: Sequence[Answer],
    ) -> list[AnswerOutcome]:
        """Work out what answers lead to, as far as a seat can know; empty outcomes where that fails. table: key for the
        fair queue."""
        seats = machine.program.layout.seats
        if not answers:
            return []
        try:
            await self._queue.begin(table)
            return await self._run_in_pool(table, outcomes_in_worker, pinned, seats, sight, decision, answers)
        except (BrokenProcessPool, RulewrightError, OSError):
            return [AnswerOutcome() for _ in answers]

    async def glance_at(self, table: Hashable, pinned: PinnedEdition, save: bytes, number: int) -> float | None:
        """Return a rough estimate of what an answer of a finished game cost; None where that fails. save: the game as
        JSON; number: of the answer."""
        try:
            await self._queue.begin(table)
            return await self._run_in_pool(table, glance_in_worker, pinned, save, number)
        except (BrokenProcessPool, RulewrightError, OSError):
            return None

    async def explain_last(
        self, table: Hashable, pinned: PinnedEdition, save: bytes, seats: Collection[int]
    ) -> JudgedDecision | None:
        """Judge the last answer of some seats beside the next best one; None where that cannot be. save: the game as
        JSON."""
        try:
            await self._queue.begin(table)
            return await self._run_in_pool(table, explain_in_worker, pinned, save, tuple(seats))
        except (BrokenProcessPool, RulewrightError, OSError):
            return None

    async def judge(
        self, table: Hashable, pinned: PinnedEdition, save: bytes, number: int, tries: int
    ) -> JudgedDecision | None:
        """Judge an answer of a finished game; None where that fails. save: the game as JSON; number: of the answer."""
        try:
            await self._queue.begin(table)
            return await self._run_in_pool(table, judge_in_worker, pinned, save, number, tries)
        except (BrokenProcessPool, RulewrightError, OSError):
            return None

    async def _run_in_pool(self, table: Hashable, work: Callable[..., T], *arguments: Any) -> T:
        """Run a function (`work`) in the pool, in the queue place that the table holds, and free that place.

        A process may be killed, or die for lack of memory: then the pool is replaced and the caller goes on.
        """
        pool, loop = self._pool or self._new_pool(), asyncio.get_running_loop()
        self._pool = pool

        def end(_: object) -> None:  # when the process is free, whoever has stopped waiting for it
            with suppress(RuntimeError):  # the server is gone
                loop.call_soon_threadsafe(self._queue.end, table)

        try:
            with block_interrupts():  # it may begin a process
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
        """Make a pool, whose processes start when they get work."""
        return ProcessPoolExecutor(
            self._processes, spawn_context(), initializer=_start_process, initargs=(self.trained,)
        )

    def close(self) -> None:
        """Close the pool, if there is one, without waiting for its work."""
        if self._pool is not None:
            self._close(self._pool)

    def _close(self, pool: Executor) -> None:
        """Close a pool without waiting for its work; the next work gets a new one."""
        pool.shutdown(wait=False, cancel_futures=True)
        if self._pool is pool:
            self._pool = None


def process_share(servers: int) -> int:
    """Return how many bot processes one of several servers on this machine should have."""
    return max(1, slot_count() // servers)


def choose_randomly(machine: Machine, sight: State, decision: OpenDecision, seed: str) -> list[int]:
    """Choose among a decision's candidates at random."""
    return players.make_player(RANDOM_BOT, machine).choose(sight, decision, Random(seed))


def choose_in_worker(
    kind: str, pinned: PinnedEdition, seats: int, sight: State, decision: OpenDecision, seed: str
) -> tuple[list[int], float]:
    """Choose for a player, inside a pool process; also return the seconds waited for a CPU slot."""
    with slot() as waited:
        player = _cached_player(players.kind_after_wait(kind, waited), pinned, seats)
        return player.choose(sight, decision, Random(seed)), waited


def outcomes_in_worker(
    pinned: PinnedEdition, seats: int, sight: State, decision: OpenDecision, answers: Sequence[Answer]
) -> list[AnswerOutcome]:
    """Work out answers' outcomes, inside a pool process."""
    with slot():
        finder = OutcomeFinder(_cached_rules(pinned).edition, _cached_machine(pinned, seats), sight, decision.seat)
        return finder.outcomes(decision, answers)


def judge_in_worker(pinned: PinnedEdition, save: bytes, number: int, tries: int) -> JudgedDecision:
    """Judge an answer of a finished game, inside a pool process."""
    with slot():
        return judge(_cached_game(pinned, save), number, tries)


def glance_in_worker(pinned: PinnedEdition, save: bytes, number: int) -> float:
    """Estimate what an answer of a finished game cost, inside a pool process."""
    with slot():
        return glance_at(_cached_game(pinned, save), number)


def explain_in_worker(pinned: PinnedEdition, save: bytes, seats: Collection[int]) -> JudgedDecision:
    """Judge the last answer of some seats beside the next best one, inside a pool process."""
    with slot():
        return explain_last(Game.load(json.loads(save), _cached_rules(pinned)), seats)


@lru_cache(maxsize=4)
def _cached_game(pinned: PinnedEdition, save: bytes) -> Game:
    return Game.load(json.loads(save), _cached_rules(pinned))


def _prepare_in_worker(kinds: Sequence[str], pinned: PinnedEdition, seats: int) -> None:
    """Load and compile an edition and make its players, inside a pool process."""
    with slot():
        for kind in kinds:
            _cached_player(kind, pinned, seats)


@lru_cache(maxsize=32)
def _cached_player(kind: str, pinned: PinnedEdition, seats: int) -> players.Player:
    machine = _cached_machine(pinned, seats)
    if players.is_policy(kind):
        return _trained.policies[kind].player(machine)
    return players.make_player(kind, machine, evenly=True)


@lru_cache(maxsize=16)
def _cached_machine(pinned: PinnedEdition, seats: int) -> Machine:
    return _cached_rules(pinned).machine(seats)


@lru_cache(maxsize=16)
def _cached_rules(pinned: PinnedEdition) -> Rules:
    return restore_rules(pinned)


_trained = TrainedPlayers()
"""Policies of this process, which it gets when it starts."""


def _start_process(trained: TrainedPlayers) -> None:
    """Initialize a pool process; only its server ends it, not Ctrl-C."""
    global _trained  # noqa: PLW0603 - a process has nowhere else to keep what it begins with
    _trained = trained
    end_by_parent_alone()
    lower_priority()
