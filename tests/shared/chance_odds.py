"""Comparison of chance with OpenSpiel's odds.

Where few outcomes are possible, all are enumerated and compared exactly. Where there are too many, as for a deal, they
are sampled.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import log
from typing import Any

from lockstep import NAMES, Difference, LockStep, all_of
from pairing import Answers, Pairing
from rulewright.game import chance_outcomes
from rulewright.game.chance_outcomes import PossibleGame
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.program.state_layout import RANDOM, RANDOM_CELLS
from rulewright.runtime import rng
from rulewright.runtime.machine import Machine
from rulewright.runtime.rng import Chance

Possible = list[tuple[Fraction, Game]]


class AllOfChance(LockStep):
    """Exact comparison: it goes on from each position in all ways, or in some. It keeps all positions that the players
    cannot exclude, each with its odds; the next outcomes in them must have the odds that OpenSpiel gives, to the
    fraction. compared: how many times chance was compared."""

    compared = 0

    def some(self, seed: int, enough: int) -> None:
        """One game by chance, or as much of it as is needed to compare chance so many times in all."""
        choice = random.Random(seed)
        worklist = [(self.beginnings(), self.game.new_initial_state())]
        while worklist and self.compared < enough:
            worklist = list(self.following(*worklist[0]))
            worklist = [choice.choice(worklist)] if worklist else []

    def everything(self) -> None:
        """The whole game: after this, what each seat knows has been compared with all that it could know."""
        worklist = [(self.beginnings(), self.game.new_initial_state())]
        while worklist:
            worklist += self.following(*worklist.pop())

    def beginnings(self) -> Possible:
        seats = NAMES[: self.game.num_players()]
        return [
            (found.odds, found.game) for found in chance_outcomes.beginnings(self.rules, seats, self.pairing.options)
        ]

    def following(self, possible: Possible, theirs: Any) -> Iterator[tuple[Possible, Any]]:
        """The positions that come next, by each outcome of chance or each action. Raises Difference."""
        if theirs.is_terminal():
            for _, game in possible:
                self.end(game, theirs)
        elif theirs.is_chance_node():
            for outcome, games in self.falls(possible, theirs).items():
                yield games, theirs.child(outcome)
        else:
            everybody = range(self.game.num_players())
            seats = everybody if theirs.is_simultaneous_node() else [theirs.current_player()]
            legal = {seat: theirs.legal_actions(seat) for seat in seats}
            for _, game in possible:
                self.compare(game, theirs, legal)
            for actions in product(*legal.values()):
                after, state = possible, theirs.clone()
                for seat, action in zip(legal, actions, strict=True):
                    after = [
                        (odds * found.odds, found.game)
                        for odds, game in after
                        for found in self.answered(game, seat, self.pairing.table(seat)[action])
                    ]
                    self.count_class(theirs, action)
                if theirs.is_simultaneous_node():
                    state.apply_actions(actions)
                else:
                    state.apply_action(actions[0])
                yield after, state

    def answered(self, game: Game, seat: int, answers: Answers) -> list[PossibleGame]:
        """All that can come of an action."""
        results = [PossibleGame(Fraction(1), game)]
        for keys in answers:
            results = [
                replace(after, odds=before.odds * after.odds)
                for before in results
                for after in outcomes(before.game, seat, all_of(keys))
            ]
        return results

    def falls(self, possible: Possible, theirs: Any) -> dict[int, Possible]:
        """Return the positions left after the next outcome there."""
        assert self.pairing.fell is not None
        results: dict[int, Possible] = {}
        for odds, game in possible:
            results.setdefault(self.pairing.fell(game, theirs), []).append((odds, game))
        first = {outcome: sum(odds for odds, _ in games) for outcome, games in results.items()}
        second = {outcome: Fraction(odds).limit_denominator(10**6) for outcome, odds in theirs.chance_outcomes()}
        if first != second:
            raise Difference(f"{self.pairing.theirs}: the odds are {second} there and {first} here, after\n{theirs}")
        self.compared += 1
        return {outcome: [(odds / first[outcome], game) for odds, game in games] for outcome, games in results.items()}


def outcomes(game: Game, seat: int, keys: Sequence[str]) -> list[PossibleGame]:
    """All that can come of an answer; quickly, where chance is not asked."""
    after = game.copy()
    after.answer(seat, keys)
    if after.state[RANDOM : RANDOM + RANDOM_CELLS] == game.state[RANDOM : RANDOM + RANDOM_CELLS]:
        return [PossibleGame(Fraction(1), after)]
    return chance_outcomes.outcomes(game, seat, keys)


# ── samples ──

BASE = 6
FALSE_ALARMS = 1e-6
"""Probability of a false alarm for a fair game, in all its cells together."""


class SampledChance(LockStep):
    """Plays many games by chance, without comparing what can be done, and counts how chance falls.

    First, where each fall lies among all that it could have been: a number from 0 to 1, which is the sum of the odds of
    all outcomes before it, and a random part of its own odds. If the odds are those that OpenSpiel gives, all these
    numbers are even and independent, whatever the game and whatever has happened in it, and their digits to base six
    are rolls of a fair die. Each digit is counted, at each moment of a game and at all of them; and the first digit
    after that of the fall before. Second, what fell at each moment, where all outcomes had the same odds, or do as long
    as nobody knows what came before, as in a deal.

    In a fair game, a cell with the odds p in n falls holds the share q or more, or less, with a probability of at most
    2 exp(-n D), where D is the divergence q ln(q/p) + (1-q) ln((1-q)/(1-p)) (Chernoff). No cell may hold what is so
    unlikely that one of all of them would hold it in one of a million samples such as this."""

    def __init__(self, pairing: Pairing, rules: Rules) -> None:
        super().__init__(pairing, rules)
        self.fallen: dict[tuple[object, ...], Counter[int]] = {}
        self._sizes: dict[tuple[object, ...], int] = {}  # of each name, how many cells there are
        self._part = random.Random(0)
        self._moment = 0
        self._digit = -1  # of the fall before
        self._left: set[int] = set()  # what can fall now, if it is dealt on from the same deck
        self._deck = 0

    def sample(self, games: int, answers: int, random_: Chance = rng) -> None:
        """Play so many games, by the seeds from 0 on, each up to so many answers. random_: makes the choices here."""
        machine = Machine(self.rules.machine(self.game.num_players()).program, chance=random_)
        for seed in range(games):
            chance = random.Random(seed)
            choose = self.chooser(chance)
            ours, theirs = self.begin(seed, machine)
            self._moment, self._digit, self._left = 0, -1, set()
            left = answers
            while not theirs.is_terminal() and (left or theirs.is_chance_node()):
                left -= not theirs.is_chance_node()
                self.advance(ours, theirs, choose, chance)

    def compare(self, *_: Any) -> None:
        """Do nothing: another part does it."""

    def fall(self, ours: Game, theirs: Any) -> None:
        outcomes, odds = zip(*theirs.chance_outcomes(), strict=True)
        super().fall(ours, theirs)
        fell = theirs.history()[-1]
        number = outcomes.index(fell)
        if len(odds) > 1:
            self.count_digits(sum(odds[:number]) + self._part.random() * odds[number], len(odds))
        if max(odds) - min(odds) < 1e-9:
            left = set(outcomes)
            self._deck = self._deck if left == self._left else len(odds)
            self.count(("what fell", self._moment, self._deck), self._deck, fell)
            self._left = left - {fell}
        self._moment += 1

    def count_digits(self, place: float, outcomes: int) -> None:
        """Count the digits of a place from 0 to 1: as many as so many outcomes fill, at least one."""
        for number in range(max(1, int(log(outcomes, BASE) + 1e-9))):
            digit = min(int(place * BASE), BASE - 1)
            self.count(("digit", number), BASE, digit)
            self.count(("digit", number, self._moment), BASE, digit)
            if number == 0:
                self.count(("after", self._digit), BASE, digit)
                self.count(("after", self._digit, self._moment), BASE, digit)
                self._digit = digit
            place = place * BASE - digit

    def count(self, name: tuple[object, ...], size: int, cell: int) -> None:
        self._sizes[name] = size
        self.fallen.setdefault(name, Counter())[cell] += 1

    def unlikely(self) -> list[str]:
        """The cells that hold what they would not hold in a fair game."""
        limit = log(2 * sum(self._sizes.values()) / FALSE_ALARMS)
        results = []
        for name, content in self.fallen.items():
            empty = {-1: 0} if len(content) < self._sizes[name] else {}
            results += [
                f"{name}: {cell} {times} times of {content.total()}"
                for cell, times in {**content, **empty}.items()
                if surprise(times, content.total(), 1 / self._sizes[name]) > limit
            ]
        return results


def surprise(content: int, falls: int, odds: float) -> float:
    """n times the divergence."""
    share = content / falls
    parts = ((share, odds), (1 - share, 1 - odds))
    return falls * sum(part * log(part / expected) for part, expected in parts if part)


class Loaded:
    """Chance that is off by so much: in that share of all cases the highest number comes, or the first piece of a deck
    lies on top."""

    def __init__(self, share: float) -> None:
        self._share, self._rng = share, random.Random(0)

    def below(self, s: list[int], limit: int) -> int:
        fair = rng.below(s, limit)
        return limit - 1 if self._rng.random() < self._share else fair

    def shuffled(self, s: list[int], items: Sequence[int]) -> list[int]:
        order = rng.shuffled(s, items)
        if self._rng.random() < self._share:
            order.remove(min(items))
            order.append(min(items))
        return order

    def draw(self, s: list[int], items: list[int], expected: int) -> list[int]:
        return rng.draw(s, items, expected)
