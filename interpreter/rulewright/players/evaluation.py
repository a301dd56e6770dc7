"""Evaluation of rollouts: the value of their ends to each seat, from 0 to 1."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random
from time import monotonic
from typing import Any
from weakref import WeakKeyDictionary

from rulewright.program.bids import with_modest_bids
from rulewright.program.form import Program, ScoreLine, Text
from rulewright.program.state_layout import RANDOM_CELLS
from rulewright.program.wagers import without_wagers
from rulewright.runtime.machine import Machine
from rulewright.runtime.native import GAME_WORDS, EndTerms, Executor, GameResult, executor, parse_result
from rulewright.runtime.operations import OutOfTime, RuleError

MAX_AHEAD = 36
"""Limit of rollouts that show how much scores differ here, and how long a game is."""
ROLLOUTS, MIN_ROLLOUTS = 8, 2
"""Most and fewest rollouts from a position that is evaluated."""
DECISIONS = 1200
"""Decisions in all rollouts of a position, about: fewer rollouts where games are long."""
LENGTH_ROLLOUTS = 4
"""The first rollouts, which only measure the length."""
LONG = 300
"""Decisions of a long game: longer ones are not played to their end."""
HORIZON, MAX_HORIZON = 60, 480
"""Limit of decisions in rollouts of long games: at first, and at most; it is doubled until leads differ."""
LEAD_HORIZON, LEAD_ROLLOUTS, LEAD_SHARE = 4, 2, 0.05
"""Limit of decisions, rollouts from a position, and share of what a seat has that is a clear lead, where no points are
counted but a measure tells who is ahead."""
WIN_WEIGHT = 0.5
"""Weight of winning where more than two sides compete; the rest is the share of the others that a seat has beaten."""
NO_TITLE = Text("", "")
"""Title of a line that nobody reads."""
EPSILON = 1e-9
"""Rounding error of equal leads."""
MAX_CACHED = 10_000
"""Limit of evaluated ends that are cached: many are equal."""
END_PLACE_WEIGHT, EARLY_PLACE_WEIGHT = 0.8, 0.2
"""Weights of the place at a game's end and before it; the rest is the lead in points."""
SEARCHED_PLACE_WEIGHT = 0.5
"""Weight of the place at the end for a search in native code, in a game with points. With 2,000 tries each it won 29 of
40 games of counting and capturing against END_PLACE_WEIGHT."""

executors: WeakKeyDictionary[Machine, Executor] = WeakKeyDictionary()
"""Executor of each machine's rollouts."""


def executor_of(machine: Machine) -> Executor:
    """Return the executor of a machine's rollouts; making the first one of a game takes seconds."""
    if machine not in executors:
        executors[machine] = executor(scored_program(machine.program))
    return executors[machine]


def scored_program(program: Program) -> Program:
    """Return a program in which wagers stay what they are and bids are modest, with points that tell who is ahead: in a
    game without any, those of the measure that a table shows beside whoever leads, or else what the ranking goes by."""
    program = with_modest_bids(without_wagers(program))
    if program.scoring:
        return program
    if program.lead < 0:
        lines = [ScoreLine("", NO_TITLE, function, "all") for function in program.ranking[:1]]
        return replace(program, scoring=tuple(lines))
    lead = program.measures[program.lead]
    return replace(program, scoring=(ScoreLine(lead.name, lead.title, lead.function, lead.seen_by),))


def goes_by_measure(program: Program) -> bool:
    """Return whether rollouts end after LEAD_HORIZON decisions where games are long, for a measure tells who is ahead
    and no points are counted."""
    return program.lead >= 0 and not program.scoring


class RolloutEvaluator:
    """Evaluates rollouts from the position of one decision.

    A lead is the points of a seat's side, all score lines together, less the average of the other sides. It is divided
    by the spread of the leads that random play reaches from here, and its sign is chosen so that greater leads go with
    better places. Where no seat ever ends ahead of another, all play together, and their points alone count. most:
    limit of decisions in a rollout, or None for whole games; times: rollouts of each try; end_weight: weight of the
    place at the end of a game.

    worlds: determinized states, each with the side of every seat; until: time by which this look ahead has to end, on
    the monotonic clock: the longer rollouts take, the fewer are played now and at each try.
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
        program = scored_program(machine.program)
        self._seats, self._lines = range(seats), len(program.scoring)
        by_measure = goes_by_measure(machine.program)
        self._executor, self._has_points = executor, bool(machine.program.scoring)
        self._worths: dict[tuple[object, ...], list[float]] = {}
        self._shares: dict[tuple[tuple[int, ...], tuple[int, ...]], list[float]] = {}
        self._together, self.end_weight = False, END_PLACE_WEIGHT
        self.most: int | None = LONG
        self._until, self._each = until, 0.0
        ends = self._play_ahead(worlds[:LENGTH_ROLLOUTS], 1, rng)
        if sum(end.decisions for end, _ in ends) < 0.9 * LONG * len(ends):
            self.most = None
        else:
            self.most = LEAD_HORIZON if by_measure else HORIZON
        each = max(1, self._affordable_rollouts(until) // max(1, len(worlds)))
        ends = self._play_ahead(worlds, each, rng) or ends
        while (
            self.most is not None
            and not by_measure
            and self.most < MAX_HORIZON
            and self._is_uninformative(ends)
            and self._affordable_rollouts(until)
        ):
            self.most *= 2
            ends = self._play_ahead(worlds, each, rng) or ends
        self._together = bool(ends) and not by_measure and all(self._is_even(end, sides) for end, sides in ends)
        length = sum(end.decisions for end, _ in ends) / max(1, len(ends))
        self.times = max(MIN_ROLLOUTS, min(ROLLOUTS, int(DECISIONS / max(1.0, length))))
        self.times = LEAD_ROLLOUTS if by_measure else self.times
        self._middle, self._scale = [0.0] * seats, 1.0
        spread = agreement = 0.0
        for end, sides in ends:
            shares = self._place_worths(end.places, sides)
            for seat, lead in enumerate(self._leads(end, sides)):
                self._middle[seat] += lead / len(ends)
                agreement += lead * (shares[seat] - 0.5)
        for end, sides in ends:
            spread += sum((lead - self._middle[seat]) ** 2 for seat, lead in enumerate(self._leads(end, sides)))
        spread /= max(1, len(ends) * seats)
        self._scale = math.sqrt(spread) if spread > EPSILON else 1.0
        if by_measure and ends:
            whole = sum(abs(sum(points)) for end, _ in ends for points in end.points)
            self._scale = max(self._scale, LEAD_SHARE * whole / (len(ends) * seats))
        fewest_win = machine.program.lowest_first and bool(machine.program.scoring)
        self._scale *= -1 if (fewest_win if self._together else agreement < 0) else 1

    def _play_ahead(
        self, worlds: Sequence[tuple[Any, tuple[int, ...]]], each: int, rng: Random
    ) -> list[tuple[GameResult, tuple[int, ...]]]:
        """Return ends of random play, each with the sides of its world."""
        ends: list[tuple[GameResult, tuple[int, ...]]] = []
        start_time = monotonic()
        for world, sides in worlds:
            if monotonic() >= self._until:
                break
            with suppress(RuleError, OutOfTime):
                self._executor.load_state(world, draw_rng_cells(rng))
                rows = self._executor.play_on_often(_seed(rng), self.most, each, self._until)
                ends += [(parse_result(row, self._lines), sides) for row in rows]
        self._each = (monotonic() - start_time) / max(1, len(ends))
        return ends

    def _affordable_rollouts(self, until: float) -> int:
        """Estimate the number of rollouts, as long as the last ones, for which there is time."""
        left = max(0.0, until - monotonic())
        return MAX_AHEAD if left == math.inf else min(MAX_AHEAD, int(left / max(self._each, EPSILON)))

    def limit_rollouts(self, until: float, tries: int) -> bool:
        """Limit the rollouts of each try so that this many tries fit into the time; return False if they do not even
        with one each."""
        self._until = until
        if until < math.inf:
            times = int((until - monotonic()) / tries / max(self._each, EPSILON))
            self.times = max(1, min(self.times, times))
            return times > 0
        return True

    def _is_uninformative(self, ends: Sequence[tuple[GameResult, tuple[int, ...]]]) -> bool:
        """Return whether most rollouts reach the same leads, which then say little."""
        times = Counter(tuple(self._leads(end, sides)) for end, sides in ends).values()
        return max(times, default=0) > len(ends) / 2

    def _is_even(self, end: GameResult, sides: tuple[int, ...]) -> bool:
        """Return whether all seats of different sides are even, in places and in points."""
        leads = self._leads(end, sides)
        scored = {sides[seat] for seat in self._seats if end.places[seat]}
        return len(scored) < 2 or (len({*end.places} - {0}) < 2 and all(abs(lead) < EPSILON for lead in leads))

    def _leads(self, end: GameResult, sides: tuple[int, ...]) -> list[float]:
        """Return the lead of each seat: its points, or how far they are above the average of the other sides."""
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

    def _place_worths(self, places: tuple[int, ...], sides: tuple[int, ...]) -> list[float]:
        """Return for each seat what its place is worth."""
        if (shares := self._shares.get((places, sides))) is None:
            shares = self._shares[places, sides] = [place_worth(places, sides, seat) for seat in self._seats]
        return shares

    def worth(self, rng: Random, sides: tuple[int, ...]) -> list[float]:
        """Return the average value, to each seat, of rollouts from the state that the executor has loaded.

        sides: of the seats in that state. Raises RuleError, OutOfTime.
        """
        worth = [0.0 for _ in self._seats]
        for row in self._executor.play_on_often(_seed(rng), self.most, self.times, self._until):
            over = self.most is None or row[1] < self.most
            cache_key = (over, sides, *row[GAME_WORDS:])
            parts = self._worths.get(cache_key)
            if parts is None:
                if len(self._worths) == MAX_CACHED:
                    self._worths.clear()
                parts = self._worths[cache_key] = self._worth_of(parse_result(row, self._lines), over, sides)
            for seat, part in enumerate(parts):
                worth[seat] += part
        return worth

    def terms(self, sides: Sequence[int]) -> EndTerms:
        """Return what `worth` makes of an end, for a search in native code."""
        at_end = SEARCHED_PLACE_WEIGHT if self._has_points else 1.0
        return EndTerms(at_end, EARLY_PLACE_WEIGHT, self._together, sides, self._middle, self._scale)

    def points(self, rng: Random) -> list[float]:
        """Return the average points of each seat in rollouts from the state that the executor has loaded, negative
        where few are better. Raises RuleError, OutOfTime."""
        rows = self._executor.play_on_often(_seed(rng), self.most, self.times, self._until)
        ends = [parse_result(row, self._lines).points for row in rows]
        sign = math.copysign(1.0, self._scale) / max(1, len(ends))
        return [sign * sum(sum(points[seat]) for points in ends) for seat in self._seats]

    def _worth_of(self, end: GameResult, over: bool, sides: tuple[int, ...]) -> list[float]:
        """Return the contribution of one rollout to each seat's average value."""
        weight = 0.0 if self._together else self.end_weight if over else EARLY_PLACE_WEIGHT
        shares = self._place_worths(end.places, sides)
        parts: list[float] = []
        for seat, lead in enumerate(self._leads(end, sides)):
            points = 0.5 + 0.5 * math.tanh((lead - self._middle[seat]) / (2 * self._scale))
            parts.append((weight * shares[seat] + (1 - weight) * points) / self.times)
        return parts


def draw_rng_cells(rng: Random) -> list[int]:
    """Draw the cells of a state's random generator."""
    return [*(int(rng.random() * 2**32) for _ in range(RANDOM_CELLS - 1)), 1]


def _seed(rng: Random) -> int:
    return int(rng.random() * 2**53)


def place_worth(places: Sequence[int], sides: Sequence[int], seat: int) -> float:
    """Return what a seat's place is worth, from 0 to 1: of two sides the winner has all. Of more, winning counts beside
    the others that it has beaten."""
    share = share_beaten(places, sides, seat)
    parties = {side: place for side, place in zip(sides, places, strict=True) if place}
    if len(parties) < 3 or not places[seat]:
        return share
    best = min(parties.values())
    won = (places[seat] == best) / list(parties.values()).count(best)
    return WIN_WEIGHT * won + (1 - WIN_WEIGHT) * share


def share_beaten(places: Sequence[int], sides: Sequence[int], seat: int) -> float:
    """Return the share of the others, without the seat's own side, that it is placed before; a tie counts half."""
    place = places[seat]
    others = [other for n, other in enumerate(places) if other and sides[n] != sides[seat]]
    if not place or not others:
        return 0.5
    return sum(1.0 if place < other else 0.5 if place == other else 0.0 for other in others) / len(others)
