"""Answers to a wager: to raise it, which lets others go on or give in, and their reply.

Whether a win counts twice as much says nothing about who wins. So the chance to be ahead when points are next counted
decides, as rollouts tell it in which the wager stays what it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from random import Random
from time import monotonic
from typing import Any

from rulewright.players.evaluation import draw_rng_cells, executor_of, scored_program, share_beaten
from rulewright.runtime.information_state import Determinizer
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.native import GameResult, parse_result
from rulewright.runtime.operations import OutOfTime, RuleError
from rulewright.runtime.state import State

MIN_CHANCE_TO_RAISE, MIN_CHANCE_TO_GO_ON = 0.68, 0.25
"""Chances from which a seat raises a wager, and from which it goes on when others do. With the wager doubled,
going on pays from a quarter; who raises gives the next raise away, and so waits for a clear lead."""
MIN_WORLDS, MAX_WORLDS, ROLLOUTS = 2, 6, 40
"""Sampled states, however little time there is and at most, and rollouts in each."""
FIRST_LOOK, LAST_LOOK = 128, 4096
"""Decisions of a rollout after which points are looked at for the first and for the last time; each look is twice as
late as the one before it."""


def answer_wager(
    machine: Machine, info_state: State, decision: OpenDecision, rng: Random, until: float = math.inf
) -> list[int]:
    """Return the answer to one of `Program.wagers`. until: time limit, on the monotonic clock."""
    program = machine.program
    steady = program.wagers[decision.site]
    others = [item for item in decision.candidates if item != steady]
    if not others:
        return [steady]
    chance = _chance(machine, info_state, decision, rng, until)
    raises = any(decision.site in program.sites[reply].enclosing for reply in program.wagers)
    if raises:
        return others[:1] if chance >= MIN_CHANCE_TO_RAISE else [steady]
    return [steady] if chance >= MIN_CHANCE_TO_GO_ON else others[:1]


def _chance(machine: Machine, info_state: State, decision: OpenDecision, rng: Random, until: float) -> float:
    """Return the seat's chance to be ahead when points are next counted, if the wager stays what it is."""
    worlds, seat = Determinizer(machine, info_state, decision.seat), decision.seat
    won: list[float] = []
    for number in range(MAX_WORLDS):
        if number >= MIN_WORLDS and monotonic() >= until:
            break
        with suppress(RuleError, OutOfTime):
            s = worlds.draw(rng)
            decision_there = next(one for one in machine.open_decisions(s) if one.seat == seat)
            machine.answer(s, decision_there, [machine.program.wagers[decision.site]])
            won += _ends(machine, s, seat, rng, until)
    return sum(won) / len(won) if won else 0.5


def _ends(machine: Machine, s: State, seat: int, rng: Random, until: float) -> Iterator[float]:
    """Yield for each rollout from a state whether the seat is ahead of the others once points have been counted: 1 or
    0, or a half for neither. Raises RuleError, OutOfTime."""
    executor, lines = executor_of(machine), len(scored_program(machine.program).scoring)
    packed, cells, seed = executor.pack(s), draw_rng_cells(rng), int(rng.random() * 2**53)
    sides = machine.program.seat_sides(s)

    def played(most: int, times: int) -> list[GameResult]:
        executor.load_state(packed, cells)
        return [parse_result(row, lines) for row in executor.play_on_often(seed, most, times, until)]

    before = _lead(machine, played(0, 1)[0], sides, seat)
    ends: dict[int, float] = {}
    most, times = FIRST_LOOK, ROLLOUTS
    while len(ends) < times and most <= LAST_LOOK:
        results = played(most, times)
        times = len(results)
        for number, end in enumerate(results):
            change = _lead(machine, end, sides, seat) - before
            if number not in ends and (change or end.decisions < most):
                ends[number] = 0.5 + math.copysign(0.5, change) if change else share_beaten(end.places, sides, seat)
        most *= 2
    yield from ends.values()


def _lead(machine: Machine, end: GameResult, sides: Sequence[int], seat: int) -> float:
    """Return how many points the seat is ahead of the average of other sides; where the fewest win, behind."""
    totals = [float(sum(points)) for points in end.points]
    others = [total for total, side in zip(totals, sides, strict=True) if side != sides[seat]]
    lead = totals[seat] - sum(others) / max(1, len(others))
    return -lead if machine.program.lowest_first else lead


class WagersPlayer:
    """Player that leaves all but a wager to another one. milliseconds: limit for that, or None."""

    def __init__(self, machine: Machine, player: Any, milliseconds: int | None) -> None:
        self._machine, self._player = machine, player
        self._seconds = math.inf if milliseconds is None else milliseconds / 1000

    def choose(self, info_state: State, decision: OpenDecision, rng: Random) -> list[int]:
        """Choose as `Player.choose` does."""
        if decision.site in self._machine.program.wagers:
            until = monotonic() + self._seconds
            return answer_wager(self._machine, info_state, decision, rng, until)
        answer: list[int] = self._player.choose(info_state, decision, rng)
        return answer
