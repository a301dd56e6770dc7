"""Where the computer's players think: in a few processes of their own, while the tables go on."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from random import Random

from rulewright import players
from rulewright.base.diagnostics import RulewrightError
from rulewright.players.seating import AT_CHANCE
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.state import State
from rulewright.server.edition_registry import restored
from rulewright.server.store import Pinned

MOST_PROCESSES = 4


class Thinkers:
    """A bounded pool of processes, begun when somebody first thinks. Who leaves all to chance is answered here."""

    def __init__(self, processes: int | None = None) -> None:
        self._processes = processes or max(1, min(MOST_PROCESSES, (os.cpu_count() or 2) - 1))
        self._pool: ProcessPoolExecutor | None = None

    async def choose(
        self, kind: str, pinned: Pinned, machine: Machine, sight: State, asked: OpenDecision, luck: str
    ) -> list[int]:
        """Some of what is offered. sight: what the seat knows, which is all that a player is told; luck: fixes its
        answers."""
        if not players.tries(kind):
            return at_chance(machine, sight, asked, luck)
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._processes, multiprocessing.get_context("spawn"), initializer=_leave_interrupts
            )
        try:
            loop = asyncio.get_running_loop()
            seats = machine.program.layout.seats
            return await loop.run_in_executor(self._pool, think, kind, pinned, seats, sight, asked, luck)
        except (BrokenProcessPool, RulewrightError, OSError) as error:
            # Somebody ended a process, or the memory did: the table goes on, and the next thought has a new pool.
            if not isinstance(error, RulewrightError):
                self.close()
            return at_chance(machine, sight, asked, luck)

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def at_chance(machine: Machine, sight: State, asked: OpenDecision, luck: str) -> list[int]:
    return players.player(AT_CHANCE, machine).choose(sight, asked, Random(luck))


def think(kind: str, pinned: Pinned, seats: int, sight: State, asked: OpenDecision, luck: str) -> list[int]:
    """In one of the processes."""
    return _player(kind, pinned, seats).choose(sight, asked, Random(luck))


@lru_cache(maxsize=32)
def _player(kind: str, pinned: Pinned, seats: int) -> players.Player:
    return players.player(players.at_a_table(kind), _machine(pinned, seats))


@lru_cache(maxsize=16)
def _machine(pinned: Pinned, seats: int) -> Machine:
    return restored(pinned).machine(seats)


def _leave_interrupts() -> None:
    """Ctrl-C is for the server, which ends this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
