"""Search in native code for one decision, where something is hidden, several seats answer at once, or a value was
learned: information-set Monte Carlo tree search over determinizations.

Every seat has a tree of its own, of what it chose and what could then be seen: no seat's choice depends on what is
hidden from it, nor on others' answers in an open `at once`. Several pieces are chosen one after the other. With a
learned value a try goes no further than to the end of the turn.

Source: Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012 (availability counts; a tree for
each seat, as in their MO-ISMCTS); UCB1: Auer, Cesa-Bianchi and Fischer, 2002; progressive widening: Coulom, 2007.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from random import Random
from time import monotonic
from typing import Any

from rulewright.players.choice_grouping import AnswerKey, SeatCandidates
from rulewright.players.evaluation import WIN_WEIGHT, RolloutEvaluator, executor_of
from rulewright.players.freedom import freedom_of_answers
from rulewright.players.kinds import Budget
from rulewright.players.learned_values import MAX_ANSWERS, LearnedEvaluator, LearnedValue, learned_executor
from rulewright.players.tree_search import (
    MIN_TRIES,
    SLICE_SECONDS,
    SURE,
    Pick,
    TriedAnswer,
    picked_keys,
)
from rulewright.runtime.information_state import Determinizer
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.native import SearchTerms
from rulewright.runtime.native.tree import NONE_MORE, TriedChoice, by_tries
from rulewright.runtime.operations import RuleError
from rulewright.runtime.state import State

INITIAL_WORLDS, MAX_WORLDS = 12, 64
"""Determinizations before the first try, as far as time allows, and at most at once."""
TRIES_PER_WORLD = 8
"""Tries between two determinizations, at first; later, each takes the place of the oldest one."""
SETUP_SHARE = 0.25
"""Share of the time before the first try."""
WORLDS_SHARE = 0.25
"""Part of the time that goes into determinizations."""
EXPLORATION, EXPLORATION_AT_ONCE = 0.3, 0.15
"""Weight of rarely tried choices, and where several seats answer at once."""
FREEDOM_WEIGHT = 0.15
"""Weight of how freely a seat can move, where rollouts end before the game does and no points are counted."""


def can_search(machine: Machine, learned: LearnedValue | None) -> bool:
    """Return whether a machine's decisions can be searched in native code."""
    return (executor_of(machine) if learned is None else learned_executor(machine)).information_trees is not None


class InformationSearch:
    """Search for one decision. until: time at which the tries have to end, on the monotonic clock; can_begin: whether
    there is time for the fewest tries, and room. Where tries are few, there are several rollouts in each."""

    def __init__(
        self,
        machine: Machine,
        info_state: State,
        decision: OpenDecision,
        rng: Random,
        budget: Budget,
        until: float,
        learned: LearnedValue | None = None,
    ) -> None:
        self._machine, self._rng, self._decision = machine, rng, decision
        self._budget, self._until = budget, until
        self._are_tries_counted = budget.iterations < Budget().iterations
        now = monotonic()
        ready = now + SETUP_SHARE * (until - now)
        self._executor = executor_of(machine) if learned is None else learned_executor(machine)
        trees = self._executor.information_trees
        assert trees is not None
        self._trees = trees
        self._determinizer = Determinizer(machine, info_state, decision.seat)
        worlds: list[tuple[Any, tuple[int, ...]]] = []
        states: list[State] = []
        for _ in range(INITIAL_WORLDS):
            if worlds and monotonic() >= ready:
                break
            with suppress(RuleError):
                states.append(self._determinizer.draw(rng))
                worlds.append((self._executor.pack(states[-1]), self._machine.program.seat_sides(states[-1])))
        self.can_begin = bool(worlds)
        if not worlds:
            return
        evaluator: RolloutEvaluator | LearnedEvaluator
        if learned is None:
            evaluator = RolloutEvaluator(machine, self._executor, worlds, rng, ready)
        else:
            evaluator = LearnedEvaluator(machine, learned, worlds, decision.seat, rng, ready)
        self.can_begin = evaluator.limit_rollouts(until, MIN_TRIES)
        rollouts, most, of_learned = 1, evaluator.most, None
        priors: list[float] = []
        if isinstance(evaluator, LearnedEvaluator):
            of_learned, most = evaluator.learned_terms(), MAX_ANSWERS
        else:
            rollouts = evaluator.times if self._are_tries_counted else 1
            if most is not None and not machine.program.scoring:
                priors = self._priors(states, [packed for packed, _ in worlds], ready)
        at_once = machine.program.sites[decision.site].sealed >= 0
        terms = SearchTerms(rollouts, most, EXPLORATION_AT_ONCE if at_once else EXPLORATION, 0.0)
        seed, ends = int(rng.random() * 2**53), evaluator.terms(worlds[0][1])
        room = trees.begin(decision.seat, seed, terms, ends, of_learned, priors, MAX_WORLDS, WIN_WEIGHT)
        self.can_begin = self.can_begin and room
        for packed, sides in worlds if room else ():
            trees.add_world(packed, sides)

    def _priors(self, states: list[State], worlds: list[Any], ready: float) -> list[float]:
        """Return what is added to the value of each candidate for the freedom that it leaves."""
        seat, grouping = self._decision.seat, SeatCandidates(self._machine, self._decision.seat)
        decisions = [
            sorted(self._machine.open_decisions(s), key=lambda decision: decision.seat != seat) for s in states
        ]
        freedom = freedom_of_answers(
            self._executor, grouping, list(zip(worlds, decisions, strict=True)), self._rng, ready
        )
        keys = _keys_by_item(grouping.choices(states[0], decisions[0][0]))
        return [FREEDOM_WEIGHT * freedom.get(keys[item], 0.0) for item in decisions[0][0].candidates]

    def run(self, *, evenly: bool) -> None:
        """Make tries within the budget, and draw more determinizations between them. evenly: whether to make all tries,
        even those that cannot change the first choice.
        Where they are counted, the same worlds follow the same tries however fast they are."""
        left, size, per_world, start = self._budget.iterations, TRIES_PER_WORLD, TRIES_PER_WORLD, monotonic()
        done, now, drawing = 0, start, 0.0
        while left > 0 and (now < self._until or not done):
            tries = min(size, left)
            self._trees.grow(tries)
            left, done = left - tries, done + tries
            before, now = now, monotonic()
            if done >= MAX_WORLDS * per_world:
                per_world *= 2
            if self._are_tries_counted:
                size = per_world
            elif now - before < SLICE_SECONDS:
                size = max(per_world, 2 * size)
            elif now - before > 2 * SLICE_SECONDS:
                size = max(1, size // 2)
            if self._are_tries_counted or drawing < WORLDS_SHARE * (now - start):
                with suppress(RuleError):
                    world = self._determinizer.draw(self._rng)
                    self._trees.add_world(self._executor.pack(world), self._machine.program.seat_sides(world))
                drawing += monotonic() - now
                now = monotonic()
            to_come = min(left, SURE * done * (self._until - now) / (now - start + 1e-9))
            if not evenly and self._is_decided(to_come):
                return

    def _is_decided(self, left: float) -> bool:
        """Return whether so many tries cannot change which first choice has most of them."""
        most = sorted((choice.visits for choice in self._trees.choices()), reverse=True)[:2]
        return len(most) > 1 and most[0] - most[1] > left

    def best(self, choices: dict[AnswerKey, list[int]], pick: Pick | None = None) -> list[AnswerKey]:
        """Return the keys of the best answer, or that of a pick, choice by choice. choices: candidates by their
        keys; the trees' places are theirs, for in all worlds a seat is offered the same in the same order."""
        keys, candidates = _keys_by_item(choices), self._decision.candidates

        def choose(options: Sequence[TriedChoice]) -> TriedChoice:
            tried = [
                TriedAnswer(NONE_MORE if place == NONE_MORE else keys[candidates[place]], choice.visits, choice.mean)
                for choice in options
                for place in [choice.place]
            ]
            return max(options, key=by_tries) if pick is None else options[pick(tried)]

        def choices_after(picks: Sequence[int]) -> list[TriedChoice]:
            return [choice for choice in self._trees.choices(picks) if choice.place < len(candidates)]

        return picked_keys(self._decision, keys, choices_after, choose)


def _keys_by_item(choices: dict[AnswerKey, list[int]]) -> dict[int, AnswerKey]:
    return {item: key for key, items in choices.items() for item in items}
