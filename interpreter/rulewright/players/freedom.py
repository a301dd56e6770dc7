"""Freedom of a seat to move after each of its answers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from random import Random
from time import monotonic
from typing import Any

from rulewright.players.choice_grouping import AnswerKey, SeatCandidates
from rulewright.players.evaluation import draw_rng_cells
from rulewright.runtime.machine import OpenDecision
from rulewright.runtime.native import Executor
from rulewright.runtime.operations import RuleError

WORLDS, ANSWERS = 12, 12
"""Samples of how free a seat is after each answer, and the most answers until its next turn."""


def freedom_of_answers(
    executor: Executor,
    grouping: SeatCandidates,
    worlds: Sequence[tuple[Any, Sequence[OpenDecision]]],
    rng: Random,
    ready: float,
) -> dict[AnswerKey, float]:
    """Return how many ways a seat has on its next turn after each first pick, less those of others before that, as a
    part of all; of all samples that there is time for, the average.

    worlds: packed states with their open decisions, the seat's first; ready: time by which it has to end, on the
    monotonic clock.
    """
    sums: list[dict[AnswerKey, float]] = []
    for world, open_ in worlds[:WORLDS]:
        decision, in_world = open_[0], dict[AnswerKey, float]()
        executor.load_state(world, draw_rng_cells(rng))
        choices = grouping.choices(executor.cells, decision)
        for key, items in choices.items() if decision.most == 1 else ():
            if monotonic() >= ready:
                break
            with suppress(RuleError):
                executor.load_state(world, draw_rng_cells(rng))
                executor.answer(decision, items[:1])
                in_world[key] = _freedom(executor, decision.seat, list(open_[1:]), rng)
        if len(in_world) < len(choices):
            break
        sums.append(in_world)
    return {key: sum(in_world.get(key, 0.0) for in_world in sums) / len(sums) for key in (sums[0] if sums else ())}


def _freedom(executor: Executor, seat: int, open_: list[OpenDecision], rng: Random) -> float:
    """Return how many ways the seat has on its next turn, less the ways of others before that, as a part of all, after
    random answers; 0 where that is too far away."""
    turn, is_next, counts = seat, False, dict[int, int]()
    for _ in range(ANSWERS):
        open_ += executor.resume()
        if not open_:
            break
        decision = open_.pop(0)
        if decision.seat != turn:
            if is_next:
                break
            turn, is_next = decision.seat, decision.seat == seat
            counts[turn] = 1
        if turn in counts:
            counts[turn] *= max(1, len(decision.candidates))
        picks = min(len(decision.candidates), max(1, decision.least))
        places = sorted(rng.sample(range(len(decision.candidates)), picks))
        executor.answer(decision, [decision.candidates[place] for place in places])
    if not is_next:
        return 0.0
    others = [number for other, number in counts.items() if other != seat]
    average = sum(others) / len(others)
    return (counts[seat] - average) / (counts[seat] + average)
