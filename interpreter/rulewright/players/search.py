"""Search player: Monte Carlo tree search in native code, among all states that agree with what its seat knows.

Where nothing is hidden and one seat is asked at a time it is `tree_search`, else `information_search`. Where seats
outbid each other, bids in trees and rollouts rise by the least amount. By a learned value it bids so itself, as long as
that is worth it; without one it names what the greedy player does, for rollouts tell little then. Without native code
the greedy player decides.
"""

from __future__ import annotations

import math
from random import Random
from time import monotonic

from rulewright.players import information_search, tree_search
from rulewright.players.choice_grouping import SeatCandidates, answer_of
from rulewright.players.evaluation import executor_of
from rulewright.players.greedy import GreedyPlayer
from rulewright.players.information_search import InformationSearch
from rulewright.players.kinds import Budget
from rulewright.players.learned_values import LearnedValue, learned_executor
from rulewright.players.tree_search import Pick, TreeSearch
from rulewright.program.bids import is_bid
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.state import State

SETUP_SHARE = 0.25
"""Share of the time before the first try."""


class SearchPlayer:
    """Player that searches at each decision anew and takes the choice with most visits, pick by pick. evenly: whether
    to use up a budget of tries even where the rest cannot change the first pick; value: learned before, or None; pick:
    picks another choice, after all tries."""

    def __init__(
        self,
        machine: Machine,
        budget: Budget,
        *,
        evenly: bool = False,
        value: LearnedValue | None = None,
        pick: Pick | None = None,
    ) -> None:
        self._machine, self._budget = machine, budget
        self._evenly = (evenly and budget.milliseconds is None) or pick is not None
        self._learned, self._pick = value, pick
        # Making an executor is no part of a decision's time.
        (executor_of if value is None else learned_executor)(machine)

    def choose(self, info_state: State, decision: OpenDecision, rng: Random) -> list[int]:
        """Choose some of the candidates, in their order, within the budget. Bids without a learned value, and searches
        without time, are left to the greedy player."""
        seconds = math.inf if self._budget.milliseconds is None else self._budget.milliseconds / 1000
        now = monotonic()
        until = now + seconds
        choices = SeatCandidates(self._machine, decision.seat).choices(info_state, decision)
        forced = len(decision.candidates) == decision.least or (len(choices) == 1 and decision.least == decision.most)
        has_one_tree = self._learned is None and tree_search.can_search(self._machine)
        if forced and (has_one_tree or not self._evenly):
            return list(decision.candidates[: decision.least])
        greedy = GreedyPlayer(self._machine)
        if self._learned is None and not decision.least and is_bid(self._machine.program, decision.site):
            return greedy.choose(info_state, decision, rng, until)
        if greedy.precedes_other_amounts(info_state, decision, rng):
            return greedy.choose(info_state, decision, rng, until)
        if has_one_tree and (answer := self._search_tree(info_state, decision, rng, until)) is not None:
            return answer
        if not information_search.can_search(self._machine, self._learned):
            return greedy.choose(info_state, decision, rng, until)
        search = InformationSearch(self._machine, info_state, decision, rng, self._budget, until, self._learned)
        if not search.can_begin:
            return greedy.choose(info_state, decision, rng, until)
        search.run(evenly=self._evenly)
        if forced:
            return list(decision.candidates[: decision.least])
        return answer_of(choices, search.best(choices, self._pick), decision)

    def _search_tree(self, info_state: State, decision: OpenDecision, rng: Random, until: float) -> list[int] | None:
        """Choose by a search in native code; return None where it cannot begin."""
        now = monotonic()
        search = TreeSearch(self._machine, info_state, decision, rng, now + SETUP_SHARE * (until - now), until)
        if not search.can_begin:
            return None
        search.run(self._budget, evenly=self._evenly)
        choices = SeatCandidates(self._machine, decision.seat).choices(info_state, decision)
        return answer_of(choices, search.best(self._pick), decision)
