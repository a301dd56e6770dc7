"""All that chance can come to between two decisions, with its odds.

Whatever is left to chance is run again and again, each time along a way that has not been gone, until there is none
left: a search in depth over the tree of all random choices.
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
LONGEST_SHUFFLED = 20  # of more things there are too many orders for anybody


class TooManyOutcomes(RulewrightError):
    """Chance can come to more than anybody wants listed."""


class Foreseen:
    """Chance, along one way after the other. Of each choice it knows which branch is gone, and the odds of all."""

    def __init__(self) -> None:
        self._most = MOST_OUTCOMES
        self._way: list[int] = []
        self._odds: list[Sequence[Fraction]] = []
        self._at = 0

    def ways(self, most: int = MOST_OUTCOMES) -> Iterator[None]:
        """Once for each way that there is. most: ways in all. Raises TooManyOutcomes."""
        self._most, gone = most, 0
        self._way.clear()
        self._odds.clear()
        while True:
            self._at, gone = 0, gone + 1
            if gone > self._most:
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
        """Of the way that has been gone."""
        product = Fraction(1)
        for branch, odds in zip(self._way, self._odds, strict=True):
            product *= odds[branch]
        return product

    def _branch(self, odds: Sequence[Fraction]) -> int:
        if self._at == len(self._way):
            if self._at >= self._most:  # each choice on the way begins another one
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
        chosen: list[int] = []
        for index, item in enumerate(items):
            taken = Fraction(wanted - len(chosen), len(items) - index)
            if taken >= 1 or (taken > 0 and self._branch((taken, 1 - taken)) == 0):
                chosen.append(item)
        return chosen

    def _too_many(self) -> TooManyOutcomes:
        return TooManyOutcomes(f"Chance can come to more than {self._most:,} outcomes here.")


class ForeseeingMachine(Machine):
    """Runs a program with whatever `chance` decides; its states are those of every machine of that program."""

    def __init__(self, program: Program, blocks: Blocks | None = None) -> None:
        self.chance = Foreseen()
        super().__init__(program, blocks, self.chance)
