"""A player that searches: information-set Monte Carlo tree search over the worlds that its seat may be in.

Each try takes a world, goes down the trees to a choice that is new, plays on from there several times at random, and
counts what that comes to on average for all choices on the way. Every seat has a tree of its own, of what it
chose and what could then be seen: nobody's choice depends on what is hidden from it, in an open `at once` neither.
Several pieces are chosen one after the other, 'enough' being one more option.

Where seats outbid each other, it names what the greedy player does: others who answer at random nearly always go
higher, so that no amount would ever seem to be too much.

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
from weakref import WeakKeyDictionary

from rulewright.players.choice_grouping import AnswerKey, Eyes, answer_of
from rulewright.players.evaluation import Judge, luck
from rulewright.players.greedy import GreedyPlayer
from rulewright.players.kinds import Budget
from rulewright.runtime.information_state import Worlds
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.native import Executor, executor
from rulewright.runtime.operations import LARGEST_NUMBER, OutOfTime, RuleError
from rulewright.runtime.state import State

ENOUGH: AnswerKey = -LARGEST_NUMBER - 1  # instead of another piece; no number that can be chosen
FIRST_WORLDS, MOST_WORLDS = 12, 64
TRIES_FOR_A_WORLD = 8  # until there are so many
MOST_NODES = 200_000
FEWEST_TRIES = 40  # however little time there is, unless each takes long
SETTING_UP = 0.25  # of the time, before the first try
LATE = 0.05  # seconds by which the fewest tries may be late, before the rest of them is left
DECIDED_EVERY = 8  # tries it is asked whether the rest can change the answer
DEEPEST = 20  # decisions in the trees
UNSETTLED = 1  # visits, before what follows a choice is looked at
EXPLORING = 0.3

_executors: WeakKeyDictionary[Machine, Executor] = WeakKeyDictionary()


class _Choice:
    """One option at a node: how often it was taken, what came of it, how often it could be taken, and what follows."""

    __slots__ = ("available", "next", "total", "visits")

    def __init__(self) -> None:
        self.visits, self.available = 0, 1
        self.total = 0.0
        self.next: dict[Hashable, _Node] = {}

    def mean(self) -> float:
        return self.total / self.visits if self.visits else 0.0


class _Node:
    """What a seat knows when it chooses."""

    __slots__ = ("choices", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.choices: dict[AnswerKey, _Choice] = {}


class SearchPlayer:
    """Searches at each decision anew. The answer that was tried most often is taken.

    evenly: whether a budget of tries is used up whatever is offered, as long as the rest could not be used at all.
    """

    def __init__(self, machine: Machine, budget: Budget, *, evenly: bool = False) -> None:
        self._machine, self._budget = machine, budget
        self._evenly = evenly and budget.milliseconds is None
        if machine not in _executors:
            _executors[machine] = executor(machine.program)

    def choose(self, sight: State, asked: OpenDecision, rng: Random) -> list[int]:
        seconds = math.inf if self._budget.milliseconds is None else self._budget.milliseconds / 1000
        now = monotonic()
        until = now + seconds
        options = Eyes(self._machine, asked.seat).options(sight, asked)
        forced = len(asked.candidates) == asked.least or (len(options) == 1 and asked.least == asked.most)
        if forced and not self._evenly:
            return list(asked.candidates[: asked.least])
        if self._outbids(asked):
            return GreedyPlayer(self._machine).choose(sight, asked, rng, until)
        search = _Search(self._machine, sight, asked, rng, now + SETTING_UP * seconds, until)
        if not search.has_time:
            return GreedyPlayer(self._machine).choose(sight, asked, rng, until)
        most = self._budget.iterations
        for tried in range(most):
            if not self._evenly and tried % DECIDED_EVERY == 0 and search.decided(most - tried):
                break
            late = monotonic() - until
            if late >= LATE or (late >= 0 and tried >= FEWEST_TRIES):
                break
            search.try_once()
        if forced:
            return list(asked.candidates[: asked.least])
        return answer_of(options, search.best(options), asked)

    def _outbids(self, asked: OpenDecision) -> bool:
        """Whether an amount is asked for, which may be declined, while others who go round may name theirs."""
        site = self._machine.program.sites[asked.site]
        return site.element.base == "number" and asked.least == 0 and site.among >= 0


class _Search:
    """ready: when the tries should begin, on the monotonic clock; until: when they have to be over; has_time: whether
    that allows for the fewest tries."""

    def __init__(
        self,
        machine: Machine,
        sight: State,
        asked: OpenDecision,
        rng: Random,
        ready: float = math.inf,
        until: float = math.inf,
    ) -> None:
        self._machine, self._rng, self._seat = machine, rng, asked.seat
        self._asked, self._late = asked, until + LATE
        self._executor = _executors[machine]
        seats = range(machine.program.layout.seats)
        self._eyes = [Eyes(machine, seat) for seat in seats]
        self._tries = 0
        self._numbers = [site.element.base == "number" for site in machine.program.sites]
        self._root = _Node()
        self._beginnings = [_Choice() for _ in seats]  # what the others come to first follows these
        self._nodes = 0
        self._dealt = Worlds(machine, sight, asked.seat)
        self._worlds: list[tuple[Any, list[OpenDecision], tuple[int, ...]]] = []
        for _ in range(FIRST_WORLDS):
            if self._worlds and monotonic() >= ready:
                break
            with suppress(RuleError):
                self._draw()
        worlds = [(world, sides) for world, _, sides in self._worlds]
        self._judge = Judge(machine, self._executor, worlds, rng, ready)
        self.has_time = self._judge.hurry(until, FEWEST_TRIES)

    # ── a try ──

    def try_once(self) -> None:
        self._tries += 1
        path: list[tuple[int, _Node, _Choice]] = []
        try:
            if not self._worlds or (len(self._worlds) < MOST_WORLDS and self._tries % TRIES_FOR_A_WORLD == 0):
                self._draw()
            world, asked, sides = self._worlds[self._tries % len(self._worlds)]
            self._executor.take_up(world, luck(self._rng))
            self._descend(asked, path)
            worth = self._judge.worth(self._rng, sides)
        except (RuleError, OutOfTime):  # a world that the rules never come to
            return
        for seat, node, choice in path:
            node.visits += 1
            choice.visits += 1
            choice.total += worth[seat]

    def _draw(self) -> None:
        """One more world, what is asked there, the seat that searches first, and who plays with whom. Raises
        RuleError."""
        s = self._dealt.draw(self._rng)
        asked = sorted(self._machine.asked(s), key=lambda asked: asked.seat != self._seat)
        program = self._machine.program
        sides = tuple(program.side(s, seat) for seat in range(program.layout.seats))
        self._worlds.append((self._executor.pack(s), asked, sides))

    def _descend(self, first: Sequence[OpenDecision], path: list[tuple[int, _Node, _Choice]]) -> None:
        """Down the trees to something new, which is chosen."""
        executor, eyes = self._executor, self._eyes
        last: list[_Choice | None] = list(self._beginnings)
        last[self._seat] = None
        open_ = list(first)
        for _ in range(DEEPEST):
            if not open_:
                return
            if monotonic() >= self._late:
                raise OutOfTime
            asked = open_.pop(0)
            seat = asked.seat
            if len(asked.candidates) == asked.least:
                executor.answer(asked, asked.candidates)
            else:
                options = eyes[seat].options(executor.cells, asked)
                if len(options) == 1 and asked.least == asked.most:
                    executor.answer(asked, asked.candidates[: asked.least])
                else:
                    node, before = self._root, last[seat]
                    if before is not None:
                        node = self._following(before, (asked.site, executor.glance(seat, seat != self._seat)))
                    chosen, new = self._chosen(node, options, asked, path)
                    last[seat] = path[-1][2] if path and path[-1][0] == seat else before
                    executor.answer(asked, chosen)
                    if new:
                        return
            open_ += executor.go_on()

    def _following(self, choice: _Choice, seen: Hashable) -> _Node:
        node = choice.next.get(seen)
        if node is None:
            node = _Node()
            if self._nodes < MOST_NODES:
                self._nodes += 1
                choice.next[seen] = node
        return node

    def _chosen(
        self,
        node: _Node,
        options: dict[AnswerKey, list[int]],
        asked: OpenDecision,
        path: list[tuple[int, _Node, _Choice]],
    ) -> tuple[list[int], bool]:
        """What is chosen, and whether that is too new to look at what follows."""
        if asked.most > 1:
            picks = len(path)
            keys = self._picked(node, options, asked, path)
            new = len(path) > picks and path[-1][2].visits < UNSETTLED
            return answer_of(options, keys, asked), new
        offered = sorted(options) if asked.least else [ENOUGH, *sorted(options)]
        key, choice = self._selected(node, offered, self._numbers[asked.site])
        path.append((asked.seat, node, choice))
        return [] if key == ENOUGH else options[key][:1], choice.visits < UNSETTLED

    def _picked(
        self,
        node: _Node,
        options: dict[AnswerKey, list[int]],
        asked: OpenDecision,
        path: list[tuple[int, _Node, _Choice]],
    ) -> list[AnswerKey]:
        """What is chosen, pick by pick; once something of it is new, the rest is left to chance."""
        keys: list[AnswerKey] = []
        new = False
        counts = sorted((key, len(items)) for key, items in options.items())
        while (further := _further(counts, keys, asked)) and further != [ENOUGH]:
            if new:
                key = further[int(self._rng.random() * len(further))]
            elif len(further) == 1:
                key = further[0]
            else:
                key, choice = self._selected(node, further, self._numbers[asked.site])
                path.append((asked.seat, node, choice))
                new = not choice.visits
                if not new and key != ENOUGH:
                    node = self._following(choice, None)
            if key == ENOUGH:
                break
            keys.append(key)
        return keys

    def _selected(self, node: _Node, keys: Sequence[AnswerKey], numbers: bool) -> tuple[AnswerKey, _Choice]:
        """By UCB1 of what can be chosen here; something new while what is known is little for as many visits."""
        choices, best, most, known = node.choices, None, -1.0, 0
        for key in keys:
            choice = choices.get(key)
            if choice is not None:
                known += 1
                choice.available = available = choice.available + 1
                visits = choice.visits or 0.5
                bound = choice.total / visits + EXPLORING * math.sqrt(math.log(available) / visits)
                if bound > most:
                    best, most = (key, choice), bound
        if best is None or (known < len(keys) and known < 3 + 2 * math.sqrt(node.visits)):
            fresh = [key for key in keys if key not in choices]
            key = fresh[0] if numbers and not known else fresh[int(self._rng.random() * len(fresh))]
            choices[key] = choice = _Choice()
            best = key, choice
        return best

    # ── the end ──

    def decided(self, left: int) -> bool:
        """Whether no other first pick can be tried more often any more."""
        most = sorted((choice.visits for choice in self._root.choices.values()), reverse=True)[:2]
        return len(most) > 1 and most[0] - most[1] > left

    def best(self, options: dict[AnswerKey, list[int]]) -> list[AnswerKey]:
        """What was tried most often, pick by pick."""
        keys: list[AnswerKey] = []
        node: _Node | None = self._root
        counts = sorted((key, len(items)) for key, items in options.items())
        while (further := _further(counts, keys, self._asked)) and further != [ENOUGH]:
            # What must be picked is no choice, here as in `_picked`.
            open_ = further if len(further) > 1 else []
            tried = [(node.choices[key], key) for key in open_ if node and key in node.choices]
            if tried:
                choice, key = max(tried, key=lambda entry: (entry[0].visits, entry[0].mean(), -entry[1]))
                node = choice.next.get(None)
            else:
                key = further[0]
            if key == ENOUGH:
                break
            keys.append(key)
        return keys


def _further(
    counts: Sequence[tuple[AnswerKey, int]], keys: Sequence[AnswerKey], asked: OpenDecision
) -> list[AnswerKey]:
    """What may be picked next. Picks go up, so that each set of them is reached in one way only."""
    if len(keys) == asked.most:
        return []
    found = [ENOUGH] if len(keys) >= asked.least else []
    if not keys and asked.least < 2:
        return found + [key for key, _ in counts]
    missing = asked.least - len(keys)
    left = 0
    upward: list[AnswerKey] = []
    for key, count in reversed(counts):
        if keys and key < keys[-1]:
            break
        here = count - (keys.count(key) if keys and key == keys[-1] else 0)
        left += here
        if here and left >= missing:
            upward.append(key)
    return found + upward[::-1]
