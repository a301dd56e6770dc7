"""Where chance comes from: numbers below a bound, from a seed, from Hypothesis or from a list that is made shorter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")
Below = Callable[[int], int]


class Luck:
    """Draws by numbers below a bound. The smaller the numbers, the simpler is what is drawn. drawn: all so far."""

    def __init__(self, below: Below) -> None:
        self._below, self.drawn = below, list[int]()

    def below(self, bound: int) -> int:
        if bound < 2:
            return 0
        self.drawn.append(self._below(bound))
        return self.drawn[-1]

    def chance(self, percent: int) -> bool:
        return self.below(100) >= 100 - percent

    def number(self, least: int, most: int) -> int:
        return least + self.below(most - least + 1)

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def some(self, items: Sequence[T], least: int, most: int) -> list[T]:
        """So many different ones, in their order."""
        left = list(range(len(items)))
        taken = [left.pop(self.below(len(left))) for _ in range(min(len(items), self.number(least, most)))]
        return [items[place] for place in sorted(taken)]

    def weighted(self, *ways: tuple[int, T]) -> T:
        """One of some, each as likely as its weight says."""
        number = self.below(sum(weight for weight, _ in ways))
        for weight, way in ways:
            if number < weight:
                return way
            number -= weight
        raise AssertionError("the weights are their own sum")

    def said(self, *ways: tuple[int, Callable[[], str]]) -> str:
        """What one of some ways says, each as likely as its weight."""
        return self.weighted(*ways)()


def seeded(seed: int) -> Luck:
    return Luck(Random(seed).randrange)


def replayed(numbers: Sequence[int]) -> Luck:
    """The numbers again, made to fit; where there are none any more, the simplest."""
    left = iter(numbers)
    return Luck(lambda bound: min(next(left, 0), bound - 1))


def shortest(numbers: list[int], fails: Callable[[list[int]], bool], most: int = 1500) -> list[int]:
    """As few and small numbers as still fail, found by leaving out and halving, in at most so many tries."""
    tries = 0

    def still(shorter: list[int]) -> bool:
        nonlocal tries
        tries += 1
        return tries <= most and fails(shorter)

    size = len(numbers) // 2
    while size and tries < most:
        at = 0
        while at < len(numbers) and tries < most:
            without = numbers[:at] + numbers[at + size :]
            zeros = numbers[:at] + [0] * len(numbers[at : at + size]) + numbers[at + size :]
            if still(without):
                numbers = without
            elif any(numbers[at : at + size]) and still(zeros):
                numbers = zeros
            else:
                at += size
        size //= 2
    for at, number in enumerate(numbers):
        if number > 1 and still(smaller := [*numbers[:at], number // 2, *numbers[at + 1 :]]):
            numbers = smaller
    return numbers
