"""What the end of a rollout is worth to each seat, from 0 to 1."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from time import monotonic
from typing import Any

from rulewright.program.form import RANDOM_CELLS
from rulewright.runtime.machine import Machine
from rulewright.runtime.native import GAME_WORDS, Executor, GameResult, played
from rulewright.runtime.operations import OutOfTime, RuleError

LOOKED_AHEAD = 36  # rollouts that tell how much scores differ here, and how long a game is
ROLLOUTS, FEWEST_ROLLOUTS = 8, 2  # from a position that is judged
DECISIONS = 1200  # in them, about: where games are long, fewer are played
LONG_LOOKS = 4  # of them, that tell only the latter
LONG = 300  # decisions: what takes longer is not played to its end
HORIZON, FARTHEST = 60, 480  # but so far, or as far as it takes until leads differ
DUST = 1e-9  # what equal leads can be from their average where fractions are rounded
REMEMBERED = 10_000  # ends, of which many are alike
PLACE_AT_THE_END, PLACE_BEFORE = 0.8, 0.2  # how much the place counts; the rest is the lead in points


class Judge:
    """Judges rollouts from the position of one decision.

    A lead is the points of a seat's side, all lines together, less the average of the others. It is measured against
    the spread of the leads that random play comes to from here, and counts the way in which it goes with better places.
    Where nobody ever comes before anybody else, all play together, and their points count alone. most: how many
    decisions rollouts should take, or None for whole games.

    worlds: each with the side of every seat there; until: when it should have looked ahead, on the monotonic clock; the
    longer rollouts take, the fewer are played then, and at each try.
    """

    def __init__(
        self,
        machine: Machine,
        executor: Executor,
        worlds: Sequence[tuple[Any, tuple[int, ...]]],
        rng: Random,
        until: float = math.inf,
    ) -> None:
        seats = machine.program.layout.seats
        self._seats, self._lines = range(seats), len(machine.program.scoring)
        self._executor = executor
        self._worths: dict[tuple[object, ...], list[float]] = {}
        self._shares: dict[tuple[tuple[int, ...], tuple[int, ...]], list[float]] = {}
        self._together = False
        self.most: int | None = LONG
        self._until, self._each = until, 0.0
        ends = self._looked_ahead(worlds[:LONG_LOOKS], 1, rng)
        if sum(end.decisions for end, _ in ends) < 0.9 * LONG * len(ends):
            self.most = None
        else:
            self.most = HORIZON
        each = max(1, self._affordable(until) // max(1, len(worlds)))
        ends = self._looked_ahead(worlds, each, rng) or ends
        while self.most is not None and self.most < FARTHEST and self._alike(ends) and self._affordable(until):
            self.most *= 2
            ends = self._looked_ahead(worlds, each, rng) or ends
        self._together = bool(ends) and all(self._is_even(end, sides) for end, sides in ends)
        length = sum(end.decisions for end, _ in ends) / max(1, len(ends))
        self._times = max(FEWEST_ROLLOUTS, min(ROLLOUTS, int(DECISIONS / max(1.0, length))))
        self._middle, self._scale = [0.0] * seats, 1.0
        spread = agreement = 0.0
        for end, sides in ends:
            shares = self._beaten(end.places, sides)
            for seat, lead in enumerate(self._leads(end, sides)):
                self._middle[seat] += lead / len(ends)
                agreement += lead * (shares[seat] - 0.5)
        for end, sides in ends:
            spread += sum((lead - self._middle[seat]) ** 2 for seat, lead in enumerate(self._leads(end, sides)))
        spread /= max(1, len(ends) * seats)
        self._scale = math.sqrt(spread) if spread > DUST else 1.0
        self._scale *= -1 if (machine.program.lowest_first if self._together else agreement < 0) else 1

    def _looked_ahead(
        self, worlds: Sequence[tuple[Any, tuple[int, ...]]], each: int, rng: Random
    ) -> list[tuple[GameResult, tuple[int, ...]]]:
        """Return ends of random play, each with the sides of its world."""
        ends: list[tuple[GameResult, tuple[int, ...]]] = []
        begun = monotonic()
        for world, sides in worlds:
            if monotonic() >= self._until:
                break
            with suppress(RuleError, OutOfTime):
                self._executor.take_up(world, luck(rng))
                rows = self._executor.play_on_often(_seed(rng), self.most, each, self._until)
                ends += [(played(row, self._lines), sides) for row in rows]
        self._each = (monotonic() - begun) / max(1, len(ends))
        return ends

    def _affordable(self, until: float) -> int:
        """How many rollouts like the last ones there is time for."""
        left = max(0.0, until - monotonic())
        return LOOKED_AHEAD if left == math.inf else min(LOOKED_AHEAD, int(left / max(self._each, DUST)))

    def hurry(self, until: float, tries: int) -> bool:
        """Play so few rollouts at each try that there is time for so many tries. Whether that can be."""
        self._until = until
        if until < math.inf:
            times = int((until - monotonic()) / tries / max(self._each, DUST))
            self._times = max(1, min(self._times, times))
            return times > 0
        return True

    def _alike(self, ends: Sequence[tuple[GameResult, tuple[int, ...]]]) -> bool:
        """Whether most rollouts come to the same leads, which then say little."""
        times = Counter(tuple(self._leads(end, sides)) for end, sides in ends).values()
        return max(times, default=0) > len(ends) / 2

    def _is_even(self, end: GameResult, sides: tuple[int, ...]) -> bool:
        """Whether nobody comes before anybody of another side, in places and in points."""
        leads = self._leads(end, sides)
        scored = {sides[seat] for seat in self._seats if end.places[seat]}
        return len(scored) < 2 or (len({*end.places} - {0}) < 2 and all(abs(lead) < DUST for lead in leads))

    def _leads(self, end: GameResult, sides: tuple[int, ...]) -> list[float]:
        totals = [float(sum(points)) for points in end.points]
        of_sides: dict[int, list[float]] = {}
        for seat in self._seats:
            if end.places[seat]:
                of_sides.setdefault(sides[seat], []).append(totals[seat])
        if self._together or len(of_sides) < 2:
            return totals
        means = {side: sum(points) / len(points) for side, points in of_sides.items()}
        whole, others = sum(means.values()), len(means) - 1
        return [
            means[sides[seat]] - (whole - means[sides[seat]]) / others if end.places[seat] else 0.0
            for seat in self._seats
        ]

    def _beaten(self, places: tuple[int, ...], sides: tuple[int, ...]) -> list[float]:
        """Which share of those of other sides each seat has beaten, equals counting half."""
        if (found := self._shares.get((places, sides))) is None:
            found = self._shares[places, sides] = [_share(places, sides, seat) for seat in self._seats]
        return found

    def worth(self, rng: Random, sides: tuple[int, ...]) -> list[float]:
        """What rollouts from the state that the executor has taken up are worth to each seat, on average. sides: of the
        seats in that state. Raises RuleError, OutOfTime."""
        worth = [0.0 for _ in self._seats]
        for row in self._executor.play_on_often(_seed(rng), self.most, self._times, self._until):
            over = self.most is None or row[1] < self.most
            alike = (over, sides, *row[GAME_WORDS:])
            parts = self._worths.get(alike)
            if parts is None:
                if len(self._worths) == REMEMBERED:
                    self._worths.clear()
                parts = self._worths[alike] = self._worth_of(played(row, self._lines), over, sides)
            for seat, part in enumerate(parts):
                worth[seat] += part
        return worth

    def _worth_of(self, end: GameResult, over: bool, sides: tuple[int, ...]) -> list[float]:
        """What one of the rollouts adds."""
        weight = 0.0 if self._together else PLACE_AT_THE_END if over else PLACE_BEFORE
        shares = self._beaten(end.places, sides)
        parts: list[float] = []
        for seat, lead in enumerate(self._leads(end, sides)):
            points = 0.5 + 0.5 * math.tanh((lead - self._middle[seat]) / (2 * self._scale))
            parts.append((weight * shares[seat] + (1 - weight) * points) / self._times)
        return parts


def luck(rng: Random) -> list[int]:
    """The cells of a random generator."""
    return [*(int(rng.random() * 2**32) for _ in range(RANDOM_CELLS - 1)), 1]


def _seed(rng: Random) -> int:
    return int(rng.random() * 2**53)


def _share(places: Sequence[int], sides: Sequence[int], seat: int) -> float:
    place = places[seat]
    others = [other for n, other in enumerate(places) if other and sides[n] != sides[seat]]
    if not place or not others:
        return 0.5
    return sum(1.0 if place < other else 0.5 if place == other else 0.0 for other in others) / len(others)
