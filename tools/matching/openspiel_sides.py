"""Sides that answer in OpenSpiel: its Monte Carlo tree search, plain and for hidden information.

They search by numbers of tries. The number is chosen anew at each answer, by how many a second the last one took, so
that a side's processor time is what was promised, in the mean of its answers.
"""

from __future__ import annotations

import time
from typing import Any, Protocol, runtime_checkable

import pyspiel

from matching.meter import Meter

UCT_C = 1.4
"""Exploration of both searches."""
MEMORY = 4000
"""MiB that a tree of `mcts` may have: never reached in the times that are compared."""
FIRST_TRIES, FEWEST_TRIES, MOST_TRIES = 64, 4, 10**8
"""Tries of the first measurement; the fewest and the most of an answer."""
SLACK = 0.3
"""Part by which an answer's time may differ from the promised time to make up for the others."""


@runtime_checkable
class TheirSide(Protocol):
    """Side that answers in OpenSpiel. meter: what it has used."""

    meter: Meter

    def begin(self, seed: int) -> None:
        """Begin a game."""

    def can_play(self, state: Any) -> bool:
        """Return whether the side can play a deal, at its first decision."""

    def action(self, state: Any, seat: int) -> int:
        """Return the action of a seat in a state."""


class SearchSide:
    """Side that searches. meter: what it has used; tries: of each answer; seconds: promised for an answer."""

    def __init__(self, game: Any, seconds: float) -> None:
        self.game, self.seconds, self.meter = game, seconds, Meter()
        self.tries: list[int] = []
        self._rate, self._ahead, self._seed = 0.0, 0.0, 0

    def begin(self, seed: int) -> None:
        """Begin a game: its first positions take longer to play to the end than the last ones of the game before."""
        self._seed, self._rate, self._ahead = seed, 0.0, 0.0

    def can_play(self, state: Any) -> bool:
        """Return True."""
        return True

    def action(self, state: Any, seat: int) -> int:
        """Return the action of a seat, the one to move."""
        if not self._rate:
            self._measure_rate(state)
        self._seed += 1
        seconds = self.seconds + max(-SLACK * self.seconds, min(SLACK * self.seconds, self._ahead))
        limit = max(FEWEST_TRIES, min(MOST_TRIES, round(self._rate * seconds)))
        with self.meter.measure():
            action, tries = self.search(state, limit)
        self.tries.append(tries)
        used = self.meter.processor[-1]
        if tries == limit:  # not fewer, as where the result is proven
            self._rate = tries / max(used, 1e-6)
            self._ahead = max(-self.seconds, min(self.seconds, self._ahead + self.seconds - used))
        return action

    def search(self, state: Any, tries: int) -> tuple[int, int]:
        """Search a state; return the action and the number of tries that were made."""
        raise NotImplementedError

    def _measure_rate(self, state: Any) -> None:
        """Measure tries a second, outside of any answer's time."""
        limit, count, used = FIRST_TRIES // 2, FIRST_TRIES, 0.0
        while used < self.seconds / 4 and count >= limit:  # fewer are made where the result is proven
            limit *= 2
            start = time.process_time()
            _, count = self.search(state, limit)
            used = time.process_time() - start
        self._rate = count / max(used, 1e-6)


class MctsSide(SearchSide):
    """OpenSpiel's MCTSBot: a random game for each leaf, proven results are backed up."""

    def search(self, state: Any, tries: int) -> tuple[int, int]:
        """Search by UCT."""
        evaluator = pyspiel.RandomRolloutEvaluator(1, self._seed)
        root = pyspiel.MCTSBot(self.game, evaluator, UCT_C, tries, MEMORY, True, self._seed, False).mcts_search(state)
        return root.best_child().action, root.explore_count
