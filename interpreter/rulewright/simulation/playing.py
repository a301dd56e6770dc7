"""Plays a run's games: what every process that takes part holds, and does."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rulewright import native
from rulewright.counting import Counting
from rulewright.diagnostics import RulewrightError
from rulewright.generator import fractions, seeded
from rulewright.machine import Machine
from rulewright.operations import Asked, RuleError, pick
from rulewright.program import RANDOM, RANDOM_CELLS, Program
from rulewright.seating import AT_CHANCE
from rulewright.simulation.plan import Chunk, Plan
from rulewright.simulation.tally import Answer, Tally
from rulewright.state import State

MOST_KEPT = 16  # settings that a process has ready
ANSWERS_NATIVE, ANSWERS_BY_MACHINE = 500_000, 20_000  # in about half a second
MOST_AT_ONCE = 20_000


class PlayError(RulewrightError):
    """A game that cannot be played to its end."""


@dataclass(frozen=True)
class Table:
    """One setting, compiled. fresh: a new state, whatever its seed."""

    program: Program
    fresh: tuple[Any, ...]


@dataclass
class Work:
    """A run, ready to be played anywhere: it can be sent to other processes, and needs no file there."""

    plan: Plan
    tables: tuple[Table, ...]
    _here: threading.local = field(default_factory=threading.local, repr=False, compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return Work, (self.plan, self.tables)  # what is ready here is not sent

    def counting(self, setting: int) -> Counting:
        return self._ready(setting).counting

    def played(self, chunk: Chunk) -> array[int]:
        """The words of a chunk's games, one after the other. Raises PlayError."""
        ready, seeds = self._ready(chunk.setting), self.plan.seeds(chunk)
        try:
            return ready.played(seeds)
        except RuleError:
            for number, seed in enumerate(seeds, chunk.first):
                try:
                    ready.played(range(seed, seed + 1))
                except RuleError as error:
                    raise PlayError(self._told(chunk.setting, number, seed, error)) from None
            raise

    def games_per_chunk(self) -> int:
        """How many games take about half a second, told from how long the first one is."""
        return self._ready(0).games_per_chunk(self.plan.seeds(Chunk(0, 0, 1)))

    @property
    def notice(self) -> str:
        """What people should know about how games are played, or ''."""
        return self._ready(0).notice

    def _told(self, setting: int, number: int, seed: int, error: RuleError) -> str:
        described = self.plan.described[setting]
        of = f" with {described}" if described else ""
        return f"Game {number}{of} (seed {seed % 2**64}) cannot be played to its end. {error}"

    def _ready(self, setting: int) -> _Ready:
        """What plays a setting; made when first needed, in every thread for itself."""
        kept: dict[int, _Ready] = self._here.__dict__.setdefault("kept", {})
        if setting not in kept:
            if len(kept) >= MOST_KEPT:
                del kept[next(iter(kept))]
            kept[setting] = _Ready(self.tables[setting], [seat.player for seat in self.plan.seats])
        return kept[setting]


class _Ready:
    """One setting as this process plays it: in native code where all is left to chance and that can be."""

    def __init__(self, table: Table, players: Sequence[str]) -> None:
        self.counting = Counting(table.program)
        self._table = table
        self._native: native.Traced | None = None
        self.notice = ""
        if all(player == AT_CHANCE for player in players):
            try:
                self._native = native.Traced(self.counting)
            except (native.CannotRun, native.Unbounded) as error:
                self.notice = native.slower(error)
        self._tally = None if self._native is not None else Tally(self.counting, Machine(table.program))

    def played(self, seeds: range) -> array[int]:
        if self._native is not None:
            return self._native.counted(list(self._table.fresh), seeds)
        assert self._tally is not None
        words = array("i")
        for seed in seeds:
            s = list(self._table.fresh)
            s[RANDOM : RANDOM + RANDOM_CELLS] = seeded(seed)
            words.extend(self._tally.played(s, at_chance(seed)))
        return words

    def games_per_chunk(self, first: range) -> int:
        """first: the seed of one game."""
        answers = max(1, self.played(first)[1])
        wanted = ANSWERS_NATIVE if self._native is not None else ANSWERS_BY_MACHINE
        return max(1, min(MOST_AT_ONCE, wanted // answers))


def at_chance(seed: int) -> Answer:
    """All decisions of a game left to chance, as native code does."""
    chance = fractions(seed)

    def answer(s: State, asked: Asked) -> Sequence[int]:
        return pick(chance, asked.candidates, asked.least, asked.most)

    return answer
