"""What the end of a rollout is worth to each seat, from 0 to 1."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

from rulewright.program.form import RANDOM_CELLS
from rulewright.runtime.machine import Machine
from rulewright.runtime.native import Executor, GameResult
from rulewright.runtime.operations import RuleError

LOOKED_AHEAD = 36  # rollouts that tell how much scores differ here, and how long a game is
ROLLOUTS = 8  # from a position that is judged
LONG_LOOKS = 4  # of them, that tell only the latter
LONG = 300  # decisions: what takes longer is not played to its end
HORIZON, FARTHEST = 60, 480  # but so far, or as far as it takes until leads differ
DUST = 1e-9  # what equal leads can be from their average where fractions are rounded
PLACE_AT_THE_END, PLACE_BEFORE = 0.8, 0.2  # how much the place counts; the rest is the lead in points


class Judge:
    """Judges rollouts from the position of one decision.

    A lead is a seat's points, all lines together, less the average of the others. It is measured against the spread of
    the leads that random play comes to from here, and counts the way in which it goes with better places. most: how
    many decisions rollouts should take, or None for whole games.
    """

    def __init__(self, machine: Machine, executor: Executor, worlds: Sequence[Any], rng: Random) -> None:
        layout = machine.program.layout
        self._seats = range(layout.seats)
        self._executor = executor
        self.most: int | None = LONG
        played = self._looked_ahead(worlds[:LONG_LOOKS], 1, rng)
        if sum(game.decisions for game in played) < 0.9 * LONG * len(played):
            self.most = None
        else:
            self.most = HORIZON
        each = max(1, LOOKED_AHEAD // max(1, len(worlds)))
        played = self._looked_ahead(worlds, each, rng)
        while self.most is not None and self.most < FARTHEST and self._alike(played):
            self.most *= 2
            played = self._looked_ahead(worlds, each, rng)
        self._middle, self._scale = [0.0] * layout.seats, 1.0
        spread = agreement = 0.0
        for game in played:
            for seat, lead in enumerate(self._leads(game)):
                self._middle[seat] += lead / len(played)
                agreement += lead * (_share(game, seat) - 0.5)
        for game in played:
            spread += sum((lead - self._middle[seat]) ** 2 for seat, lead in enumerate(self._leads(game)))
        spread /= max(1, len(played) * layout.seats)
        self._scale = math.sqrt(spread) if spread > DUST else 1.0
        self._scale *= -1 if agreement < 0 else 1

    def _looked_ahead(self, worlds: Sequence[Any], each: int, rng: Random) -> list[GameResult]:
        played: list[GameResult] = []
        for world in worlds:
            with suppress(RuleError):
                self._executor.take_up(world, luck(rng))
                played += self._executor.play_on_often(_seed(rng), self.most, each)
        return played

    def _alike(self, played: Sequence[GameResult]) -> bool:
        """Whether most rollouts come to the same leads, which then say little."""
        times = Counter(tuple(self._leads(game)) for game in played).values()
        return max(times, default=0) > len(played) / 2

    def _leads(self, played: GameResult) -> list[float]:
        scored = [seat for seat in self._seats if played.places[seat]]
        totals = [sum(points) for points in played.points]
        if len(scored) < 2:
            return [float(total) for total in totals]
        whole = sum(totals[seat] for seat in scored)
        return [
            totals[seat] - (whole - totals[seat]) / (len(scored) - 1) if played.places[seat] else 0.0
            for seat in self._seats
        ]

    def worth(self, rng: Random) -> list[float]:
        """What rollouts from the state that the executor has taken up are worth to each seat, on average. Raises
        RuleError."""
        worth = [0.0 for _ in self._seats]
        for played in self._executor.play_on_often(_seed(rng), self.most, ROLLOUTS):
            weight = PLACE_AT_THE_END if self.most is None or played.decisions < self.most else PLACE_BEFORE
            for seat, lead in enumerate(self._leads(played)):
                points = 0.5 + 0.5 * math.tanh((lead - self._middle[seat]) / (2 * self._scale))
                worth[seat] += (weight * _share(played, seat) + (1 - weight) * points) / ROLLOUTS
        return worth


def luck(rng: Random) -> list[int]:
    """The cells of a random generator."""
    return [*(int(rng.random() * 2**32) for _ in range(RANDOM_CELLS - 1)), 1]


def _seed(rng: Random) -> int:
    return int(rng.random() * 2**53)


def _share(played: GameResult, seat: int) -> float:
    """Which share of the others a seat has beaten, equals counting half."""
    place = played.places[seat]
    others = [other for n, other in enumerate(played.places) if other and n != seat]
    if not place or not others:
        return 0.5
    return sum(1.0 if place < other else 0.5 if place == other else 0.0 for other in others) / len(others)
