"""Enumeration of all chance outcomes between two decisions, with their odds.

The random code runs again and again, each time along a new path, until none is left: a depth-first search over the tree
of random choices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import factorial

from rulewright.base.diagnostics import RulewrightError
from rulewright.program.blocks import Blocks
from rulewright.program.form import Program
from rulewright.runtime.machine import Machine

MAX_OUTCOMES = 10_000
"""Maximum number of chance outcomes that are listed."""
MAX_SHUFFLED = 20
"""Limit of items shuffled; more have too many orders to list."""


class TooManyOutcomes(RulewrightError):
    """Error: too many chance outcomes to list."""


class ChanceEnumerator:
    """Chance source that follows one path after another. It stores the branch taken at each choice, and the odds of all
    branches."""

    def __init__(self) -> None:
        self._limit = MAX_OUTCOMES
        self._path: list[int] = []
        self._odds: list[Sequence[Fraction]] = []
        self._depth = 0

    def paths(self, limit: int = MAX_OUTCOMES) -> Iterator[None]:
        """Yield once for each path. limit: maximum number of paths. Raises TooManyOutcomes."""
        self._limit, number = limit, 0
        self._path.clear()
        self._odds.clear()
        while True:
            self._depth, number = 0, number + 1
            if number > self._limit:
                raise self._too_many()
            yield
            while self._path and self._path[-1] + 1 == len(self._odds[-1]):
                self._path.pop()
                self._odds.pop()
            if not self._path:
                return
            self._path[-1] += 1

    @property
    def odds(self) -> Fraction:
        """Odds of the current path."""
        product = Fraction(1)
        for branch, odds in zip(self._path, self._odds, strict=True):
            product *= odds[branch]
        return product

    def _choose_branch(self, odds: Sequence[Fraction]) -> int:
        """Return the outcome of a chance event on the present path; a new event adds its first outcome to the path.
        Raises TooManyOutcomes."""
        if self._depth == len(self._path):
            if self._depth >= self._limit:  # each choice adds another path
                raise self._too_many()
            self._path.append(0)
            self._odds.append(odds)
        self._depth += 1
        return self._path[self._depth - 1]

    def below(self, s: list[int], limit: int) -> int:
        """Return the branch that the present path takes for a number from 0 to limit - 1. Raises TooManyOutcomes."""
        if limit > self._limit:
            raise self._too_many()
        return self._choose_branch([Fraction(1, limit)] * limit) if limit > 1 else 0

    def shuffled(self, s: list[int], items: Sequence[int]) -> list[int]:
        """Return the items in the order of the present path. Raises TooManyOutcomes where there are too many orders."""
        if len(items) > MAX_SHUFFLED or factorial(len(items)) > self._limit:
            raise self._too_many()
        left = list(items)
        return [left.pop(self.below(s, len(left))) for _ in items]

    def draw(self, s: list[int], items: list[int], count: int) -> list[int]:
        """Draw some of the items, in order, by one event for each item whose odds are neither 0 nor 1. Raises
        TooManyOutcomes."""
        result: list[int] = []
        for index, item in enumerate(items):
            odds = Fraction(count - len(result), len(items) - index)
            if odds >= 1 or (odds > 0 and self._choose_branch((odds, 1 - odds)) == 0):
                result.append(item)
        return result

    def _too_many(self) -> TooManyOutcomes:
        """Return the error for too many outcomes."""
        return TooManyOutcomes(f"Chance can come to more than {self._limit:,} outcomes here.")


class EnumeratingMachine(Machine):
    """Machine that enumerates chance outcomes; its states fit every machine of the same program."""

    def __init__(self, program: Program, blocks: Blocks | None = None) -> None:
        self.chance = ChanceEnumerator()
        super().__init__(program, blocks, self.chance)
