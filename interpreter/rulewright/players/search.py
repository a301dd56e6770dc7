"""Search player: information-set Monte Carlo tree search over determinizations.

Each try takes a determinization, descends the trees to a new choice, plays several rollouts from there, and adds their
average value to all choices on the path. Every seat has a tree of its own, of what it chose and what could then be
seen: no seat's choice depends on what is hidden from it, nor on others' answers in an open `at once`. Several pieces
are chosen one after the other, 'enough' being one more choice.

Where seats outbid each other, bids in the trees and rollouts rise by the least amount. By a learned value it bids so
itself, as long as that is worth it; without one it names what the greedy player does, for rollouts tell little then.
With a value it looks no further than to the end of its turn.

Source: Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012 (availability counts; a tree for
each seat, as in their MO-ISMCTS); UCB1: Auer, Cesa-Bianchi and Fischer, 2002; progressive widening: Coulom, 2007.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from contextlib import suppress
from random import Random
from time import monotonic
from typing import Any

from rulewright.players.choice_grouping import AnswerKey, SeatCandidates, answer_of
from rulewright.players.evaluation import RolloutEvaluator, draw_rng_cells, executor_of
from rulewright.players.freedom import freedom_of_answers
from rulewright.players.greedy import GreedyPlayer
from rulewright.players.kinds import Budget
from rulewright.players.learned_values import LearnedEvaluator, LearnedValue, learned_executor
from rulewright.players.tree_search import FREEDOM_WEIGHT, Pick, TreeSearch, TriedAnswer, can_search
from rulewright.program.bids import is_bid
from rulewright.program.form import Program
from rulewright.runtime.information_state import Determinizer
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.operations import MAX_NUMBER, OutOfTime, RuleError
from rulewright.runtime.state import State

ENOUGH: AnswerKey = -MAX_NUMBER - 1
"""Choice of no further piece; never a number that can be chosen."""
INITIAL_WORLDS, MAX_WORLDS = 12, 64
"""Determinizations before the first try, as far as time allows, and at most."""
TRIES_PER_WORLD = 8
"""Tries for each world, until there are MAX_WORLDS."""
MAX_NODES = 200_000
"""Maximum number of nodes of a tree; then no more are added, but search goes on."""
MIN_TRIES = 40
"""Fewest tries, however little time there is, unless each takes long."""
SETUP_SHARE = 0.25
"""Share of the time before the first try."""
MAX_LATENESS = 0.05
"""Seconds that the fewest tries may be late before the rest is dropped."""
CHECK_EVERY = 8
"""Tries between checks whether the rest can still change the first pick."""
MAX_DEPTH = 20
"""Limit of decisions in the trees."""
SETTLED_VISITS = 1
"""Visits of a choice before the search goes beyond it."""
EXPLORATION = 0.3
"""Weight of rarely tried choices."""


class _Choice:
    """Choice at a node: number of visits, sum of values, number of times that it was available, and the nodes that
    follow. prior: added to its mean value when choices are compared."""

    __slots__ = ("available", "next", "prior", "total", "visits")

    def __init__(self) -> None:
        self.visits, self.available = 0, 1
        self.total = self.prior = 0.0
        self.next: dict[Hashable, _Node] = {}

    def mean(self) -> float:
        return self.total / self.visits if self.visits else 0.0


class _Node:
    """Node of a seat's tree: what the seat knows when it chooses. visits: their number; choices: what was chosen there,
    by key."""

    __slots__ = ("choices", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.choices: dict[AnswerKey, _Choice] = {}


class SearchPlayer:
    """Player that searches at each decision anew and takes the choice with most visits, pick by pick. evenly: whether
    to use up a budget of tries even where the rest cannot change the first pick; value: learned before, or None; pick:
    picks another choice."""

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
        self._evenly = evenly and budget.milliseconds is None
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
        in_native_code = self._learned is None and can_search(self._machine)
        if forced and (in_native_code or not self._evenly):
            return list(decision.candidates[: decision.least])
        greedy = GreedyPlayer(self._machine)
        if self._learned is None and not decision.least and is_bid(self._machine.program, decision.site):
            return greedy.choose(info_state, decision, rng, until)
        if greedy.precedes_other_amounts(info_state, decision, rng):
            return greedy.choose(info_state, decision, rng, until)
        if in_native_code and (answer := self._search_tree(info_state, decision, rng, until)) is not None:
            return answer
        search = _Search(self._machine, info_state, decision, rng, now + SETUP_SHARE * seconds, until, self._learned)
        if not search.has_time:
            return greedy.choose(info_state, decision, rng, until)
        limit = self._budget.iterations
        for number in range(limit):
            if not self._evenly and number % CHECK_EVERY == 0 and search.is_first_pick_decided(limit - number):
                break
            overdue = monotonic() - until
            if overdue >= MAX_LATENESS or (overdue >= 0 and number >= MIN_TRIES):
                break
            search.try_once()
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


class _Search:
    """Search for one decision.

    ready: time at which the tries should begin, on the monotonic clock; until: time at which they have to end;
    has_time: whether that allows for the fewest tries.
    """

    def __init__(
        self,
        machine: Machine,
        info_state: State,
        decision: OpenDecision,
        rng: Random,
        ready: float = math.inf,
        until: float = math.inf,
        learned: LearnedValue | None = None,
    ) -> None:
        self._machine, self._rng, self._seat = machine, rng, decision.seat
        self._decision, self._deadline = decision, until + MAX_LATENESS
        self._executor = executor_of(machine) if learned is None else learned_executor(machine)
        seats = range(machine.program.layout.seats)
        self._groupings = [SeatCandidates(machine, seat) for seat in seats]
        self._tries = 0
        self._numbers = [site.element.base == "number" for site in machine.program.sites]
        self._root = _Node()
        self._roots_of_others = [_Choice() for _ in seats]  # of the other seats, before their first choice
        self._nodes = 0
        self._determinizer = Determinizer(machine, info_state, decision.seat)
        self._worlds: list[tuple[Any, list[OpenDecision], tuple[int, ...]]] = []
        for _ in range(INITIAL_WORLDS):
            if self._worlds and monotonic() >= ready:
                break
            with suppress(RuleError):
                self._add_world()
        worlds = [(world, sides) for world, _, sides in self._worlds]
        self._evaluator: RolloutEvaluator | LearnedEvaluator
        if learned is None:
            self._evaluator = RolloutEvaluator(machine, self._executor, worlds, rng, ready)
        else:
            self._evaluator = LearnedEvaluator(machine, learned, worlds, decision.seat, rng, ready)
        self._turn_sites = machine.program.turn_sites if learned is not None else ()
        self.has_time = self._evaluator.limit_rollouts(until, MIN_TRIES)
        self._freedom: dict[AnswerKey, float] = {}
        if self.has_time and self._evaluator.most is not None and not machine.program.scoring:
            grouping, options = self._groupings[self._seat], [(world, open_) for world, open_, _ in self._worlds]
            freedom = freedom_of_answers(self._executor, grouping, options, rng, ready)
            self._freedom = {key: FREEDOM_WEIGHT * part for key, part in freedom.items()}

    # ── a try ──

    def try_once(self) -> None:
        """Make one try: descend in a determinization, play rollouts, and add their value to the choices on the path."""
        self._tries += 1
        path: list[tuple[int, _Node, _Choice]] = []
        try:
            if not self._worlds or (len(self._worlds) < MAX_WORLDS and self._tries % TRIES_PER_WORLD == 0):
                self._add_world()
            world, decision, sides = self._worlds[self._tries % len(self._worlds)]
            self._executor.load_state(world, draw_rng_cells(self._rng))
            self._descend_trees(decision, path)
            worth = self._evaluator.worth(self._rng, sides)
        except (RuleError, OutOfTime):  # a world that the rules never come to
            return
        for seat, node, choice in path:
            node.visits += 1
            choice.visits += 1
            choice.total += worth[seat]

    def _add_world(self) -> None:
        """Add a determinization, with the open decisions there, the searching seat's first, and the sides.

        Raises RuleError.
        """
        s = self._determinizer.draw(self._rng)
        program = self._machine.program
        decision = sorted(self._machine.open_decisions(s), key=lambda decision: decision.seat != self._seat)
        decision = [_modest(program, one) for one in decision]
        sides = tuple(program.side(s, seat) for seat in range(program.layout.seats))
        self._worlds.append((self._executor.pack(s), decision, sides))

    def _descend_trees(self, first: Sequence[OpenDecision], path: list[tuple[int, _Node, _Choice]]) -> None:
        """Descend the trees until a new choice is made, with a learned value no further than to the end of the turn.
        path: receives the choices. Raises OutOfTime, RuleError."""
        executor, groupings = self._executor, self._groupings
        last: list[_Choice | None] = list(self._roots_of_others)
        last[self._seat] = None
        open_ = list(first)
        for _ in range(MAX_DEPTH):
            if not open_:
                return
            if monotonic() >= self._deadline:
                raise OutOfTime
            decision = open_.pop(0)
            seat = decision.seat
            if seat != self._seat and decision.site in self._turn_sites:
                return
            if len(decision.candidates) == decision.least:
                executor.answer(decision, decision.candidates)
            else:
                choices = groupings[seat].choices(executor.cells, decision)
                if len(choices) == 1 and decision.least == decision.most:
                    executor.answer(decision, decision.candidates[: decision.least])
                else:
                    node, before = self._root, last[seat]
                    if before is not None:
                        node = self._get_or_add_child(
                            before, (decision.site, executor.view_hash(seat, seat != self._seat))
                        )
                    items, new = self._choose(node, choices, decision, path)
                    last[seat] = path[-1][2] if path and path[-1][0] == seat else before
                    executor.answer(decision, items)
                    if new:
                        return
            open_ += executor.resume()

    def _get_or_add_child(self, choice: _Choice, observation: Hashable) -> _Node:
        """Return the node after a choice and an observation; a new one is stored while there is room."""
        node = choice.next.get(observation)
        if node is None:
            node = _Node()
            if self._nodes < MAX_NODES:
                self._nodes += 1
                choice.next[observation] = node
        return node

    def _choose(
        self,
        node: _Node,
        choices: dict[AnswerKey, list[int]],
        decision: OpenDecision,
        path: list[tuple[int, _Node, _Choice]],
    ) -> tuple[list[int], bool]:
        """Choose an answer; return also whether it is too new to look at what follows."""
        if decision.most > 1:
            picks = len(path)
            keys = self._pick(node, choices, decision, path)
            new = len(path) > picks and path[-1][2].visits < SETTLED_VISITS
            return answer_of(choices, keys, decision), new
        offered = sorted(choices) if decision.least else [ENOUGH, *sorted(choices)]
        key, choice = self._select_choice(node, offered, self._numbers[decision.site])
        path.append((decision.seat, node, choice))
        return [] if key == ENOUGH else choices[key][:1], choice.visits < SETTLED_VISITS

    def _pick(
        self,
        node: _Node,
        choices: dict[AnswerKey, list[int]],
        decision: OpenDecision,
        path: list[tuple[int, _Node, _Choice]],
    ) -> list[AnswerKey]:
        """Choose an answer pick by pick; after the first new pick, the rest is random."""
        keys: list[AnswerKey] = []
        new = False
        counts = sorted((key, len(items)) for key, items in choices.items())
        while (further := _next_picks(counts, keys, decision)) and further != [ENOUGH]:
            if new:
                key = further[int(self._rng.random() * len(further))]
            elif len(further) == 1:
                key = further[0]
            else:
                key, choice = self._select_choice(node, further, self._numbers[decision.site])
                path.append((decision.seat, node, choice))
                new = not choice.visits
                if not new and key != ENOUGH:
                    node = self._get_or_add_child(choice, None)
            if key == ENOUGH:
                break
            keys.append(key)
        return keys

    def _select_choice(self, node: _Node, keys: Sequence[AnswerKey], numbers: bool) -> tuple[AnswerKey, _Choice]:
        """Select a choice by UCB1, or a new one while few are known for as many visits (progressive widening)."""
        choices, best, most, known = node.choices, None, -1.0, 0
        for key in keys:
            choice = choices.get(key)
            if choice is not None:
                known += 1
                choice.available = available = choice.available + 1
                visits = choice.visits or 0.5
                bound = choice.total / visits + choice.prior + EXPLORATION * math.sqrt(math.log(available) / visits)
                if bound > most:
                    best, most = (key, choice), bound
        if best is None or (known < len(keys) and known < 3 + 2 * math.sqrt(node.visits)):
            new_keys = [key for key in keys if key not in choices]
            key = new_keys[0] if numbers and not known else new_keys[int(self._rng.random() * len(new_keys))]
            choices[key] = choice = _Choice()
            choice.prior = self._freedom.get(key, 0.0) if node is self._root else 0.0
            best = key, choice
        return best

    # ── the end ──

    def is_first_pick_decided(self, left: int) -> bool:
        """Return whether no other first pick can overtake the one with most visits in the tries that remain.

        Further picks may still change: so few tries reach them that waiting would use up every budget.
        """
        most = sorted((choice.visits for choice in self._root.choices.values()), reverse=True)[:2]
        return len(most) > 1 and most[0] - most[1] > left

    def best(self, choices: dict[AnswerKey, list[int]], pick: Pick | None = None) -> list[AnswerKey]:
        """Return the keys with most visits, or those of a pick, pick by pick."""
        keys: list[AnswerKey] = []
        node: _Node | None = self._root
        counts = sorted((key, len(items)) for key, items in choices.items())
        while (further := _next_picks(counts, keys, self._decision)) and further != [ENOUGH]:
            # What must be picked is no choice, here as in `_pick`.
            open_ = further if len(further) > 1 else []
            candidates = [(node.choices[key], key) for key in open_ if node and key in node.choices]
            if candidates and pick is not None:
                choice, key = candidates[pick([TriedAnswer(key, one.visits, one.mean()) for one, key in candidates])]
                node = choice.next.get(None)
            elif candidates:
                choice, key = max(candidates, key=lambda entry: (entry[0].visits, entry[0].mean(), -entry[1]))
                node = choice.next.get(None)
            else:
                key = further[0]
            if key == ENOUGH:
                break
            keys.append(key)
        return keys


def _modest(program: Program, decision: OpenDecision) -> OpenDecision:
    """Return a decision that offers what the program for rollouts does."""
    if decision.least or not is_bid(program, decision.site):
        return decision
    return OpenDecision(decision.site, decision.seat, decision.candidates[:1], 0, 1, ())


def _next_picks(
    counts: Sequence[tuple[AnswerKey, int]], keys: Sequence[AnswerKey], decision: OpenDecision
) -> list[AnswerKey]:
    """Return the possible next picks. Picks ascend, so that each set of them is reached in one way only."""
    if len(keys) == decision.most:
        return []
    picks = [ENOUGH] if len(keys) >= decision.least else []
    if not keys and decision.least < 2:
        return picks + [key for key, _ in counts]
    missing = decision.least - len(keys)
    remaining = 0
    upward: list[AnswerKey] = []
    for key, count in reversed(counts):
        if keys and key < keys[-1]:
            break
        available = count - (keys.count(key) if keys and key == keys[-1] else 0)
        remaining += available
        if available and remaining >= missing:
            upward.append(key)
    return picks + upward[::-1]
