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

MOST_OUTCOMES = 10_000
LONGEST_SHUFFLED = 20  # more items have too many orders to list


class TooManyOutcomes(RulewrightError):
    """Error: too many chance outcomes to list."""


class Foreseen:
    """Chance source that follows one path after another. It stores the branch taken at each choice, and the odds of all
    branches."""

    def __init__(self) -> None:
        self._most = MOST_OUTCOMES
        self._way: list[int] = []
        self._odds: list[Sequence[Fraction]] = []
        self._at = 0

    def ways(self, most: int = MOST_OUTCOMES) -> Iterator[None]:
        """Yield once for each path. most: maximum number of paths. Raises TooManyOutcomes."""
        self._most, number = most, 0
        self._way.clear()
        self._odds.clear()
        while True:
            self._at, number = 0, number + 1
            if number > self._most:
                raise self._too_many()
            yield
            while self._way and self._way[-1] + 1 == len(self._odds[-1]):
                self._way.pop()
                self._odds.pop()
            if not self._way:
                return
            self._way[-1] += 1

    @property
    def odds(self) -> Fraction:
        """Return the odds of the current path."""
        product = Fraction(1)
        for branch, odds in zip(self._way, self._odds, strict=True):
            product *= odds[branch]
        return product

    def _branch(self, odds: Sequence[Fraction]) -> int:
        if self._at == len(self._way):
            if self._at >= self._most:  # each choice adds another path
                raise self._too_many()
            self._way.append(0)
            self._odds.append(odds)
        self._at += 1
        return self._way[self._at - 1]

    def below(self, s: list[int], limit: int) -> int:
        if limit > self._most:
            raise self._too_many()
        return self._branch([Fraction(1, limit)] * limit) if limit > 1 else 0

    def shuffled(self, s: list[int], items: Sequence[int]) -> list[int]:
        if len(items) > LONGEST_SHUFFLED or factorial(len(items)) > self._most:
            raise self._too_many()
        left = list(items)
        return [left.pop(self.below(s, len(left))) for _ in items]

    def draw(self, s: list[int], items: list[int], wanted: int) -> list[int]:
        result: list[int] = []
        for index, item in enumerate(items):
            odds = Fraction(wanted - len(result), len(items) - index)
            if odds >= 1 or (odds > 0 and self._branch((odds, 1 - odds)) == 0):
                result.append(item)
        return result

    def _too_many(self) -> TooManyOutcomes:
        return TooManyOutcomes(f"Chance can come to more than {self._most:,} outcomes here.")


class ForeseeingMachine(Machine):
    """Machine that enumerates chance outcomes; its states fit every machine of the same program."""

    def __init__(self, program: Program, blocks: Blocks | None = None) -> None:
        self.chance = Foreseen()
        super().__init__(program, blocks, self.chance)
