"""Random numbers below a bound: from a seed, from Hypothesis, or from a list that is shrunk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")
Below = Callable[[int], int]


class RandomSource:
    """Source of random choices. Smaller numbers choose simpler things. numbers: all that were drawn so far."""

    def __init__(self, below: Below) -> None:
        self._below, self.numbers = below, list[int]()

    def below(self, bound: int) -> int:
        if bound < 2:
            return 0
        self.numbers.append(self._below(bound))
        return self.numbers[-1]

    def chance(self, percent: int) -> bool:
        return self.below(100) >= 100 - percent

    def number(self, minimum: int, maximum: int) -> int:
        return minimum + self.below(maximum - minimum + 1)

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def some(self, items: Sequence[T], minimum: int, maximum: int) -> list[T]:
        """Choose a number of different items, in their order."""
        left = list(range(len(items)))
        chosen_places = [left.pop(self.below(len(left))) for _ in range(min(len(items), self.number(minimum, maximum)))]
        return [items[place] for place in sorted(chosen_places)]

    def weighted(self, *alternatives: tuple[int, T]) -> T:
        """Choose a value, with a chance in proportion to its weight."""
        number = self.below(sum(weight for weight, _ in alternatives))
        for weight, value in alternatives:
            if number < weight:
                return value
            number -= weight
        raise AssertionError("the weights are their own sum")

    def call_weighted(self, *alternatives: tuple[int, Callable[[], str]]) -> str:
        """Call one of some functions, chosen with a chance in proportion to its weight."""
        return self.weighted(*alternatives)()


def from_seed(seed: int) -> RandomSource:
    return RandomSource(Random(seed).randrange)


def from_numbers(numbers: Sequence[int]) -> RandomSource:
    """Return a source that draws the given numbers, cut to each bound; then zeros."""
    left = iter(numbers)
    return RandomSource(lambda bound: min(next(left, 0), bound - 1))


def shrink(numbers: list[int], fails: Callable[[list[int]], bool], maximum: int = 1500) -> list[int]:
    """Shrink a list that fails: leave out parts and halve numbers, in at most `maximum` tries."""
    tries = 0

    def still(shorter: list[int]) -> bool:
        nonlocal tries
        tries += 1
        return tries <= maximum and fails(shorter)

    size = len(numbers) // 2
    while size and tries < maximum:
        start = 0
        while start < len(numbers) and tries < maximum:
            without = numbers[:start] + numbers[start + size :]
            zeros = numbers[:start] + [0] * len(numbers[start : start + size]) + numbers[start + size :]
            if still(without):
                numbers = without
            elif any(numbers[start : start + size]) and still(zeros):
                numbers = zeros
            else:
                start += size
        size //= 2
    for start, number in enumerate(numbers):
        if number > 1 and still(smaller := [*numbers[:start], number // 2, *numbers[start + 1 :]]):
            numbers = smaller
    return numbers
