"""Search in native code for one decision, where nothing is hidden."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from time import monotonic

from rulewright.base.records import record
from rulewright.players.choice_grouping import AnswerKey, SeatCandidates
from rulewright.players.evaluation import RolloutEvaluator, executor_of
from rulewright.players.kinds import Budget
from rulewright.players.room import room_of_candidates
from rulewright.runtime.information_state import Determinizer
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.native import SearchTerms, is_searched_natively
from rulewright.runtime.native.tree import EVEN, LOST, NONE_MORE, WON, TriedChoice, by_tries
from rulewright.runtime.state import State

EXPLORATION, EXPLORATION_OF_MEANS = 0.5, 0.3
"""Weight of rarely tried answers, where each try has one rollout, and where it has the mean of several."""
MANY_ANSWERS = 48
"""Answers from which on later answers count where points are counted, too: among few, they mislead."""
AMAF_BIAS, AMAF_EXPLORATION, AMAF_EXPLORATION_OF_MANY = 0.02, 0.25, 0.05
"""Bias of what answers were worth that were given later; weight of rarely tried answers where that counts, and where
they are MANY_ANSWERS, of which each would need some tries."""
ROOM_WEIGHT = 0.3
"""Weight of a connected space's room in the value that is expected of it before it is tried."""
LEAD_WEIGHT = 0.4
"""Weight of the lead that best play seems to lead to, where points are counted."""
FIRST_VALUE = 1.1
"""Value of an answer that was never tried: more than nearly any other."""
MIN_TRIES = 40
"""Tries for which there must be time."""
EVEN_VALUE = 0.5
"""Value of an even result."""
FREEDOM_WEIGHT = 0.3
"""Weight of how freely a seat can move, where rollouts end before the game does and no points are counted."""
FIRST_SLICE, SLICE_SECONDS = 1, 0.004
"""Tries of the first slice of time, and seconds of a slice."""
SURE = 1.5
"""Factor of the tries that are expected, which must not be enough to change an answer."""


@record
class TriedAnswer:
    """Choice that a search has tried: its key, number of tries, their mean value, and what is certain."""

    key: AnswerKey
    visits: int
    mean: float
    known: int = 0


Pick = Callable[[Sequence[TriedAnswer]], int]
"""Pick of one choice: returns its place among them."""


def can_search(machine: Machine) -> bool:
    """Return whether a machine's decisions can be searched in native code."""
    return is_searched_natively(machine.program) and executor_of(machine).tree is not None


class TreeSearch:
    """Search for one decision. ready: time at which the tries should begin, on the monotonic clock; until: time at
    which they have to end."""

    def __init__(
        self, machine: Machine, info_state: State, decision: OpenDecision, rng: Random, ready: float, until: float
    ) -> None:
        self._until = until
        executor, program = executor_of(machine), machine.program
        tree = executor.tree
        assert tree is not None
        self._tree = tree
        world = Determinizer(machine, info_state, decision.seat).draw(rng)  # the same, with pieces numbered in order
        [self._decision] = machine.open_decisions(world)
        grouping = SeatCandidates(machine, decision.seat)
        choices = grouping.choices(world, self._decision)
        self._keys = {item: key for key, items in choices.items() for item in items}
        packed, sides = executor.pack(world), program.seat_sides(world)
        evaluator = RolloutEvaluator(machine, executor, [(packed, sides)], rng, ready)
        rollouts = evaluator.times if until == math.inf else 1
        exploration = EXPLORATION if rollouts == 1 else EXPLORATION_OF_MEANS
        points, many = bool(program.scoring), len(self._decision.candidates) >= MANY_ANSWERS
        terms = SearchTerms(
            rollouts,
            evaluator.most,
            exploration,
            FIRST_VALUE,
            points,
            AMAF_BIAS if many or not points else None,
            AMAF_EXPLORATION_OF_MANY if many else AMAF_EXPLORATION,
            LEAD_WEIGHT if points else 0.0,
            0.0 if points or evaluator.most is None else FREEDOM_WEIGHT,
        )
        has_time = evaluator.limit_rollouts(until, MIN_TRIES)
        self.can_begin = has_time and tree.begin(packed, int(rng.random() * 2**53), terms, evaluator.terms(sides))
        if self.can_begin and terms.amaf_bias is not None:
            tree.expect(
                {place: ROOM_WEIGHT * room for place, room in room_of_candidates(program, self._decision).items()}
            )

    def run(self, budget: Budget, *, evenly: bool) -> None:
        """Make tries within the budget. evenly: whether to make all, even those that cannot change the answer."""
        left, size, start = budget.iterations, FIRST_SLICE, monotonic()
        done, now = 0, start
        while left > 0 and (now < self._until or not done):
            tries = self._tree.grow(min(size, left))
            left, done = left - tries, done + tries
            if tries < min(size, left + tries):
                return  # the result is certain
            before, now = now, monotonic()
            if now - before < SLICE_SECONDS:
                size *= 2
            elif now - before > 2 * SLICE_SECONDS:
                size = max(1, size // 2)
            to_come = min(left, SURE * done * (self._until - now) / (now - start + 1e-9))
            if not evenly and self._is_decided(to_come):
                return

    def _is_decided(self, left: float) -> bool:
        """Return whether so many tries cannot change which first choice has most of them."""
        most = sorted((choice.visits for choice in self._tree.choices()), reverse=True)[:2]
        return len(most) > 1 and most[0] - most[1] > left

    def best(self, pick: Pick | None = None) -> list[AnswerKey]:
        """Return the keys of the best answer, or that of a pick, choice by choice."""

        def choose(choices: Sequence[TriedChoice]) -> TriedChoice:
            return _best(choices) if pick is None else choices[pick([self._tried(choice) for choice in choices])]

        return picked_keys(self._decision, self._keys, self._tree.choices, choose)

    def _tried(self, choice: TriedChoice) -> TriedAnswer:
        """Return a choice of the tree as an answer with its key."""
        place = choice.place
        key = NONE_MORE if place == NONE_MORE else self._keys[self._decision.candidates[place]]
        return TriedAnswer(key, choice.visits, choice.mean, choice.known)


def picked_keys(
    decision: OpenDecision,
    keys: Mapping[int, AnswerKey],
    choices_after: Callable[[Sequence[int]], Sequence[TriedChoice]],
    choose: Callable[[Sequence[TriedChoice]], TriedChoice],
) -> list[AnswerKey]:
    """Return the keys of an answer, picked choice by choice in a tree, in which places ascend. keys: by candidate.

    Behind the last pick that is possible, the tree goes on with another question: what is chosen there is no pick.
    """
    candidates, picks, picked = decision.candidates, list[int](), list[AnswerKey]()
    left = Counter(keys[item] for item in candidates)
    while len(picks) < decision.most and (choices := choices_after(picks)):
        last = picks[-1] if picks else 0
        places = [choice.place for choice in choices if choice.place != NONE_MORE]
        if not all(last <= place < len(candidates) and left[keys[candidates[place]]] for place in places):
            break
        place = choose(choices).place
        if place == NONE_MORE:
            break
        key = keys[candidates[place]]
        left[key] -= 1
        picks.append(place)
        picked.append(key)
    for item in candidates:
        if len(picked) < decision.least and left[keys[item]]:
            left[keys[item]] -= 1
            picked.append(keys[item])
    return picked


def _best(choices: Sequence[TriedChoice]) -> TriedChoice:
    """Return the best choice: one that wins, or else of those that do not lose the one with most tries, unless one that
    is certain to be even is better."""
    by_known = {known: [choice for choice in choices if choice.known == known] for known in (WON, EVEN, LOST, 0)}
    open_ = max(by_known[0], key=by_tries, default=None)
    if not by_known[WON] and open_ is not None and not (by_known[EVEN] and open_.mean < EVEN_VALUE):
        return open_
    return max(by_known[WON] or by_known[EVEN] or by_known[LOST], key=by_tries)
