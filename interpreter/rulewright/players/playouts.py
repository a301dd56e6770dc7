"""Playouts: random play from states that answers lead to, for players that do not search."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from time import monotonic

from rulewright.players.evaluation import RolloutEvaluator, draw_rng_cells, executor_of
from rulewright.runtime.machine import Machine
from rulewright.runtime.state import State

MIN_PLAYOUTS = 24
"""Playouts for which there must be time."""
SETUP_SHARE = 0.2
"""Share of the time that goes into finding out how much scores differ."""


class Playouts:
    """Random play from the states of one decision. worlds: determinizations in which it stands; until: time limit, on
    the monotonic clock; has_time: whether it allows for some playouts."""

    def __init__(self, machine: Machine, worlds: Sequence[State], rng: Random, until: float = math.inf) -> None:
        self._machine, self._rng = machine, rng
        self._executor = executor_of(machine)
        now = monotonic()
        ready = now + SETUP_SHARE * max(0.0, until - now)
        packed = [(self._executor.pack(world), self._machine.program.seat_sides(world)) for world in worlds]
        self._evaluator = RolloutEvaluator(machine, self._executor, packed, rng, ready)
        self.has_time = self._evaluator.limit_rollouts(until, MIN_PLAYOUTS)

    def value(self, s: State, seat: int) -> float:
        """Return what a state is worth to a seat, from 0 to 1. Raises RuleError, OutOfTime."""
        self._executor.load_state(self._executor.pack(s), draw_rng_cells(self._rng))
        return self._evaluator.worth(self._rng, self._machine.program.seat_sides(s))[seat]

    def points(self, s: State, seat: int) -> float:
        """Return the points that a seat gets from a state, whatever others get; negative where few are better. Raises
        RuleError, OutOfTime."""
        self._executor.load_state(self._executor.pack(s), draw_rng_cells(self._rng))
        return self._evaluator.points(self._rng)[seat]
