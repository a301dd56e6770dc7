"""Games of players that think, followed answer by answer: who leads when, what nobody ever chooses, and how much more
thinking wins.

Of three games two are played by the players that are asked for. In the third, one of them plays against others that
think less: the level below, or a search with a quarter of the tries.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random
from time import monotonic
from typing import Any

import numpy as np

from rulewright.base.records import record
from rulewright.players import LEVELS, make_player
from rulewright.players.seating import RANDOM_BOT
from rulewright.program.state_layout import NOTHING, RANDOM, RANDOM_CELLS
from rulewright.runtime.game_statistics import StatisticsLayout
from rulewright.runtime.information_state import information_state
from rulewright.runtime.machine import Machine
from rulewright.runtime.operations import RuleError
from rulewright.runtime.rng import seeded
from rulewright.runtime.state import State
from rulewright.runtime.view import ranks
from rulewright.simulation.chunk_player import CompiledSetting
from rulewright.simulation.statistics import Estimate, mean, share

NOBODY = -1
"""Side that leads where none leads alone."""
OFTEN = 50
"""Number of offers from which on an answer that nobody chose counts as dead."""
LESS = 4
"""Part of a search's tries that who thinks less has."""
DEPTH_EVERY = 3
"""Number of games of which one is played against players that think less."""


@record
class FollowedGame:
    """Course of a game. fronts: side that led alone after each answer, or NOBODY; wins: part of the win of each seat;
    winner: side that won alone, or NOBODY."""

    fronts: Sequence[int]
    wins: Sequence[float]
    winner: int


@record
class Insight:
    """Figures of the games, None where there are none. wins: of each seat; depth: share of others who think less that a
    seat is ahead of; changes: of the lead, in a game; settled: part of a game after which the winner led to the end;
    halfway: how often who led alone halfway won; dead: decisions and answers that nobody chose."""

    games: int
    wins: Sequence[Estimate]
    depth: Estimate | None
    changes: Estimate | None
    settled: Estimate | None
    halfway: Estimate | None
    dead: Sequence[tuple[str, str]]


def weaker_kind(kind: str) -> str | None:
    """Return a kind of player that thinks less than another in the same way, or None."""
    if kind in LEVELS[1:]:
        return LEVELS[LEVELS.index(kind) - 1]
    tries = re.fullmatch(r"search-([0-9]+)", kind)
    return f"search-{max(1, int(tries[1]) // LESS)}" if tries and int(tries[1]) > 1 else None


class InsightGames:
    """Games of one setting. kinds: of players, of each seat; what a virtual player answers is random."""

    def __init__(self, setting: CompiledSetting, kinds: Sequence[str], seed: int) -> None:
        self._setting, self._kinds, self._seed = setting, tuple(kinds), seed
        self._machine = Machine(setting.program)
        self._counting = StatisticsLayout(setting.program)
        weaker = {kind: weaker_kind(kind) for kind in set(kinds)}
        every = {*kinds, *(kind for kind in weaker.values() if kind)}
        self._players = {kind: make_player(kind, self._machine) for kind in every}
        self._weaker = weaker
        self._own_seats = [seat for seat, kind in enumerate(kinds) if weaker[kind]]
        self._offered, self._answers_given = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
        self._followed: list[FollowedGame] = []
        self._depth: list[float] = []

    def play(self, until: float, most: int) -> None:
        """Play until a time on the monotonic clock, but one game at least, and no more than so many."""
        for number in range(most):
            if number and monotonic() >= until:
                return
            seed = self._seed + number
            if number % DEPTH_EVERY == DEPTH_EVERY - 1 and self._own_seats and self._is_contest():
                self._play_deep(seed, self._own_seats[number // DEPTH_EVERY % len(self._own_seats)])
            else:
                self._followed.append(self._follow(seed))

    def insight(self) -> Insight:
        """Return the figures of the games so far."""
        games, seats = self._followed, range(len(self._kinds))
        led = [game for game in games if any(front != NOBODY for front in game.fronts[:-1])]
        won = [game for game in led if game.winner != NOBODY]
        half = [game for game in led if game.fronts[len(game.fronts) // 2] != NOBODY]
        halfway = [game.fronts[len(game.fronts) // 2] == game.winner for game in half]
        dead = [answer for answer, often in self._offered.items() if often >= OFTEN and not self._answers_given[answer]]
        return Insight(
            len(games) + len(self._depth),
            [_share([game.wins[seat] for game in games]) for seat in seats] if self._is_contest() else (),
            _share(self._depth) if self._depth else None,
            mean(np.array([_changes(game.fronts) for game in led], float)) if led else None,
            mean(np.array([_settled(game) for game in won], float)) if won else None,
            _share(halfway) if half else None,
            dead,
        )

    def _is_contest(self) -> bool:
        """Return whether several sides play against each other."""
        return len(set(self._machine.program.seat_sides(list(self._setting.initial_state)))) > 1

    def _answers(self, s: State, kinds: Sequence[str], seed: int) -> Iterator[None]:
        """Play a new state to its end; yield after each answer. Raises RuleError."""
        machine, answers = self._machine, Counter[int]()
        machine.run(s)
        while open_ := machine.open_decisions(s):
            decision = open_[0]
            rng = Random(f"{seed} {decision.seat} {answers[decision.seat]}")
            answers[decision.seat] += 1
            kind = kinds[decision.seat]
            known = information_state(machine, s, decision.seat)
            answer = self._players[kind].choose(known, decision, rng)
            if kind != RANDOM_BOT and kinds == self._kinds:
                self._count_choices(s, decision.site, decision.seat, self._offered, decision.candidates)
                self._count_choices(s, decision.site, decision.seat, self._answers_given, answer)
            machine.answer(s, decision, answer)
            machine.run(s)
            yield

    def _count_choices(
        self, s: State, site: int, seat: int, counts: Counter[tuple[str, str]], items: Sequence[int]
    ) -> None:
        """Count the choices that some candidates belong to, each once, in `counts`."""
        question = self._counting.decision_of[site]
        for choice in {self._counting.choice(question, s, seat, item) for item in items}:
            counts[question.id, question.choices[choice]] += 1

    def _initial_state(self, seed: int) -> State:
        s: list[Any] = list(self._setting.initial_state)
        s[RANDOM : RANDOM + RANDOM_CELLS] = seeded(seed)
        return s

    def _follow(self, seed: int) -> FollowedGame:
        """Play a game of the players that are asked for."""
        s = self._initial_state(seed)
        fronts = [self._side_in_front(s) for _ in self._answers(s, self._kinds, seed)]
        places = ranks(self._machine, s)
        first = [seat for seat, place in places.items() if place == 1]
        sides = {self._machine.program.seat_sides(s)[seat] for seat in first}
        wins = [1 / len(first) if seat in first else 0.0 for seat in range(len(self._kinds))]
        return FollowedGame(fronts, wins, sides.pop() if len(sides) == 1 else NOBODY)

    def _play_deep(self, seed: int, own: int) -> None:
        """Play a game of one that thinks as is asked for, with its side, against others that think less, and note its
        depth. own: that seat."""
        s = self._initial_state(seed)
        sides = self._machine.program.seat_sides(s)
        kinds = [
            kind if side == sides[own] else self._weaker[kind] or kind
            for kind, side in zip(self._kinds, sides, strict=True)
        ]
        for _ in self._answers(s, kinds, seed):
            pass
        places = ranks(self._machine, s)
        others = [seat for seat in places if sides[seat] != sides[own] and self._weaker[self._kinds[seat]]]
        if own in places and others:
            ahead = [1.0 if places[own] < places[seat] else 0.5 * (places[own] == places[seat]) for seat in others]
            self._depth.append(sum(ahead) / len(ahead))

    def _side_in_front(self, s: State) -> int:
        """Return the side that leads alone: by points, by the measure that tells who is ahead, or else by the first
        value that the ranking goes by."""
        program = self._machine.program
        by_measure = not program.scoring and program.lead >= 0
        function = program.measures[program.lead].function if by_measure else self._counting.leading
        sides, values = self._machine.program.seat_sides(s), dict[int, int]()
        for seat in range(len(self._kinds)):
            role = s[program.layout.role + seat]
            if role == NOTHING or program.roles[role] not in program.unscored_roles:
                try:
                    values[seat] = int(self._machine.call(function, s, seat)[0][0])
                except RuleError:  # there is no such value yet
                    return NOBODY
        first = {sides[seat] for seat, value in values.items() if value == max(values.values())}
        return first.pop() if len(first) == 1 else NOBODY


def _changes(fronts: Sequence[int]) -> int:
    """Return how often another side came to lead alone."""
    alone = [front for front in fronts if front != NOBODY]
    return sum(one != other for one, other in pairwise(alone))


def _settled(game: FollowedGame) -> float:
    """Return the part of a game after which its winner led alone to the end."""
    last = max((number for number, front in enumerate(game.fronts, 1) if front != game.winner), default=0)
    return last / len(game.fronts)


def _share(values: Sequence[float]) -> Estimate:
    return share(np.array(values, float))
