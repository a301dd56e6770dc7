"""Values of answers to one decision, each by the same number of fresh tries, from what its seat knows.

An answer is given in worlds drawn for the seat, and a search plays on from there for all seats; after an answer of
several things, and a bid that a search would not make, play goes on at random. The value is the mean
of the tries after the search has settled: from 0 to 1, of two sides the chance to win, with a draw as half a win.

Tries come in batches, and each batch draws the same chance for every answer: the difference between two answers is
then surer than either value. The interval is Student's, over the batches.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random
from statistics import fmean, stdev
from time import monotonic

from rulewright.base.records import record
from rulewright.players.choice_grouping import AnswerKey, SeatCandidates, answer_of
from rulewright.players.evaluation import WIN_WEIGHT, RolloutEvaluator, draw_rng_cells, executor_of
from rulewright.players.learned_values import MAX_ANSWERS, LearnedEvaluator, learned_executor, value_of
from rulewright.players.tree_search import EVEN_VALUE, EXPLORATION, FIRST_VALUE, can_search
from rulewright.runtime.information_state import Determinizer
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.native import SearchTerms
from rulewright.runtime.native.tree import EVEN, LOST, NONE_MORE, WON
from rulewright.runtime.operations import OutOfTime, RuleError
from rulewright.runtime.state import State, clone

BATCHES, MIN_BATCHES = 6, 3
"""Batches of tries for each answer: usually, and where time ends."""
SETTLING_SHARE = 0.5
"""Share of a batch's tries that only settle the search."""
HANDICAP = 100.0
"""Handicap of all answers but the one that is judged."""
WORLDS = 16
"""Determinizations of each batch."""
MAX_ROUNDS = 6
"""Rounds of a search that also tries other answers, until the judged one has its tries."""
CERTAIN = {LOST: 0.0, EVEN: 0.5, WON: 1.0}
"""Values of results that a search has proved."""
STUDENT = (math.inf, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36)
"""Half of a 95 % interval in standard errors, by degrees of freedom; the last also for more of them."""


@record
class ValueEstimate:
    """Mean, with half of its 95 % interval."""

    mean: float
    margin: float

    @classmethod
    def of(cls, values: Sequence[float]) -> ValueEstimate:
        """Return the estimate from the values of batches, at least two."""
        freedom = min(len(values), len(STUDENT)) - 1
        return cls(fmean(values), STUDENT[freedom] * stdev(values) / math.sqrt(len(values)))


class AnswerJudge:
    """Judge of answers to one decision. info_state: what its seat knows; seed: of all that is drawn; tries: for each
    answer, and then of a batch."""

    def __init__(self, machine: Machine, info_state: State, decision: OpenDecision, seed: str, tries: int) -> None:
        self._machine, self._info_state, self._decision = machine, info_state, decision
        self._seed, self.tries = seed, max(2, tries // BATCHES)
        self._choices = SeatCandidates(machine, decision.seat).choices(info_state, decision)
        self._by_item = {item: key for key, items in self._choices.items() for item in items}
        self._in_tree = can_search(machine)
        self._learned = value_of(machine.program)
        self._executor = executor_of(machine) if self._learned is None else learned_executor(machine)

    def values(self, answers: Sequence[Sequence[int]], until: float = math.inf) -> list[list[float]]:
        """Return the value of each answer in each batch: as many for one as for the other.

        answers: candidates of each; until: time after which no further batch begins, on the monotonic clock.
        """
        values: list[list[float]] = [[] for _ in answers]
        for batch in range(BATCHES):
            if batch >= MIN_BATCHES and monotonic() >= until:
                break
            row = [self._value(items, Random(f"{self._seed} {batch}")) for items in answers]
            for of_answer, value in zip(values, row, strict=True):
                of_answer.append(value)
        return values

    def _value(self, items: Sequence[int], rng: Random) -> float:
        """Return the value of an answer by one batch of tries."""
        keys = [self._by_item[item] for item in items]
        if self._decision.most == 1:
            by_search = self._value_in_tree if self._in_tree else self._value_among_worlds
            if (value := by_search(keys, rng)) is not None:
                return value
        return self._value_by_rollouts(keys, rng)

    def _value_in_tree(self, keys: Sequence[AnswerKey], rng: Random) -> float | None:
        """Return the value of an answer by a search in native code, or None where that cannot begin or never gives this
        answer."""
        machine, seat = self._machine, self._decision.seat
        executor = executor_of(machine)
        world = Determinizer(machine, self._info_state, seat).draw(rng)
        [decision] = machine.open_decisions(world)
        packed = executor.pack(world)
        sides = machine.program.seat_sides(world)
        evaluator = RolloutEvaluator(machine, executor, [(packed, sides)], rng)
        by_margin = bool(machine.program.scoring) and evaluator.most is not None
        terms = SearchTerms(1, evaluator.most, EXPLORATION, FIRST_VALUE, by_margin)
        ends = replace(evaluator.terms(sides), at_end=1.0)
        tree = executor.tree
        if tree is None or not tree.begin(packed, int(rng.random() * 2**53), terms, ends):
            return None
        items = answer_of(SeatCandidates(machine, seat).choices(world, decision), keys, decision)
        place = decision.candidates.index(items[0]) if items else NONE_MORE
        tree.prefer([0.0 if other == place else -HANDICAP for other in range(len(decision.candidates))])
        totals = [(0, 0.0)]
        for tries in (int(SETTLING_SHARE * self.tries), self.tries - int(SETTLING_SHARE * self.tries)):
            tree.grow(tries)
            choice = next((choice for choice in tree.choices() if choice.place == place), None)
            if choice is None:
                return None
            if choice.known and not by_margin:
                return CERTAIN[choice.known]
            totals.append((choice.visits, choice.visits * choice.mean))
        return _settled_mean(totals)

    def _value_among_worlds(self, keys: Sequence[AnswerKey], rng: Random) -> float | None:
        """Return the value of an answer by a search of information sets, or None where it cannot give that answer."""
        seat, candidates = self._decision.seat, self._decision.candidates
        trees = self._executor.information_trees
        worlds = self._worlds(rng)
        if trees is None or not worlds:
            return None
        evaluator = self._evaluator([(packed, sides) for _, packed, sides in worlds], rng)
        items = answer_of(self._choices, keys, self._decision)
        place = candidates.index(items[0]) if items else NONE_MORE
        priors = [HANDICAP if other == place else 0.0 if items else -HANDICAP for other in range(len(candidates))]
        ends = evaluator.terms(worlds[0][2])
        if isinstance(evaluator, LearnedEvaluator):
            terms, value = SearchTerms(1, MAX_ANSWERS, EXPLORATION, 0.0), evaluator.learned_terms()
        else:
            terms, value = SearchTerms(1, evaluator.most, EXPLORATION, 0.0), None
            ends = replace(ends, at_end=1.0)
        if not trees.begin(seat, int(rng.random() * 2**53), terms, ends, value, priors, WORLDS, WIN_WEIGHT):
            return None
        for _, packed, sides in worlds:
            trees.add_world(packed, sides)
        totals = [(0, 0.0)]
        for target in (int(SETTLING_SHARE * self.tries), self.tries):
            for _ in range(MAX_ROUNDS):
                choice = next((choice for choice in trees.choices() if choice.place == place), None)
                missing = target - (choice.visits if choice else 0)
                if missing <= 0:
                    break
                trees.grow(missing)
            if choice is None or missing > 0:
                return None
            totals.append((choice.visits, choice.visits * choice.mean))
        return _settled_mean(totals)

    def _value_by_rollouts(self, keys: Sequence[AnswerKey], rng: Random) -> float:
        """Return the value of an answer by random play, in worlds in which it has been given."""
        machine, seat, executor = self._machine, self._decision.seat, executor_of(self._machine)
        worlds = self._worlds(rng)
        sides = [of_seats for _, _, of_seats in worlds]
        packed = [(executor.pack(world), of_seats) for world, _, of_seats in worlds]
        evaluator = RolloutEvaluator(machine, executor, packed, rng)
        evaluator.end_weight = 1.0
        values: list[float] = []
        for number in range(self.tries if worlds else 0):
            with suppress(RuleError, OutOfTime):
                world = clone(worlds[number % len(worlds)][0])
                [decision] = machine.open_decisions(world, only=seat)
                machine.answer(world, decision, answer_of(self._choices_in(world, decision), keys, decision))
                executor.load_state(executor.pack(world), draw_rng_cells(rng))
                values.append(evaluator.worth(rng, sides[number % len(worlds)])[seat])
        return fmean(values) if values else EVEN_VALUE

    def _choices_in(self, world: State, decision: OpenDecision) -> dict[AnswerKey, list[int]]:
        """Return the answers that a decision has in a world, each with the candidates that it stands for."""
        return SeatCandidates(self._machine, decision.seat).choices(world, decision)

    def _worlds(self, rng: Random) -> list[tuple[State, bytes, tuple[int, ...]]]:
        """Draw worlds that agree with what the seat knows, each also packed, with the side of every seat."""
        program, worlds = self._machine.program, []
        determinizer = Determinizer(self._machine, self._info_state, self._decision.seat)
        for _ in range(WORLDS):
            with suppress(RuleError):
                world = determinizer.draw(rng)
                sides = program.seat_sides(world)
                worlds.append((world, self._executor.pack(world), sides))
        return worlds

    def _evaluator(
        self, worlds: Sequence[tuple[bytes, tuple[int, ...]]], rng: Random
    ) -> RolloutEvaluator | LearnedEvaluator:
        """Return the evaluator of the ends of tries."""
        if self._learned is None:
            return RolloutEvaluator(self._machine, self._executor, worlds, rng)
        return LearnedEvaluator(self._machine, self._learned, worlds, self._decision.seat, rng, math.inf)


def _settled_mean(totals: Sequence[tuple[int, float]]) -> float:
    """Return the mean of the tries that came after the search had settled. totals: tries and the sum of their values,
    before and after those."""
    (first, before), (last, after) = totals[-2:]
    return (after - before) / (last - first) if last > first else after / max(1, last)
