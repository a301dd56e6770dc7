"""Random generator of a state: sfc32 over four of its cells, specified in `spec/RANDOM.md`.

Source: Chris Doty-Humphrey, PractRand (sfc32, public domain); bounded numbers by Lemire, "Fast Random Integer
Generation in an Interval", 2019; several from one by Brackett-Rozinsky and Lemire, "Batched Ranged Random Integer
Generation", 2024.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Protocol

from rulewright.program.state_layout import RANDOM

MAX_BATCH_LIMIT = 2**26
"""Greatest limit of a random number that decides several choices at once: the product of the choices' sizes."""
_MASK = 0xFFFFFFFF
"""Mask of the 32 bits of a number."""


GAME, ANSWERS, SAMPLES = 0, 1, 2
"""Streams of random numbers for one seed."""


class Chance(Protocol):
    """Source of chance in a game: this module, or `chance_enumeration.ChanceEnumerator`, which raises TooManyOutcomes.

    s: the state with the cells of the random generator, which each call changes."""

    def below(self, s: list[int], limit: int, /) -> int:
        """Return a number from 0 to limit - 1, all equally likely; limit is at least 1."""

    def shuffled(self, s: list[int], items: Sequence[int], /) -> list[int]:
        """Return the items in a random order."""

    def draw(self, s: list[int], items: list[int], count: int, /) -> list[int]:
        """Draw a number of items uniformly; they stay in order."""


def seeded(seed: int, stream: int = GAME) -> list[int]:
    """Return the four cells for a seed: its low 32 bits, the next 32, the stream, 1, after twelve discarded numbers."""
    cells = [0] * RANDOM + [seed & _MASK, (seed >> 32) & _MASK, stream, 1]
    for _ in range(12):
        next_bits(cells)
    return cells[RANDOM:]


def next_bits(s: list[int]) -> int:
    """Return the next 32 bits of the generator in a state, and change its cells."""
    a, b, c, counter = s[RANDOM], s[RANDOM + 1], s[RANDOM + 2], s[RANDOM + 3]
    result = (a + b + counter) & _MASK
    s[RANDOM] = b ^ (b >> 9)
    s[RANDOM + 1] = (c + (c << 3)) & _MASK
    s[RANDOM + 2] = (((c << 21) | (c >> 11)) + result) & _MASK
    s[RANDOM + 3] = (counter + 1) & _MASK
    return result


def fractions(seed: int) -> Callable[[], float]:
    """Return a source of numbers from 0 to less than 1 for random answers, independent of the game's own generator."""
    cells = [0] * RANDOM + seeded(seed, ANSWERS)
    return lambda: next_bits(cells) / 2**32


def below(s: list[int], limit: int) -> int:
    """Return a number from 0 to limit - 1, all equally likely; limit is at least 1."""
    return _fair(s, limit) * limit >> 32


def _fair(s: list[int], limit: int) -> int:
    """Return 32 bits whose product with the limit has a uniformly distributed upper half."""
    number = next_bits(s)
    if number * limit & _MASK < limit:
        threshold = (_MASK + 1 - limit) % limit
        while number * limit & _MASK < threshold:
            number = next_bits(s)
    return number


def shuffled(s: list[int], items: Sequence[int]) -> list[int]:
    """Return the items in a random order, as a new list: each chosen one changes places with the last one left (Fisher
    and Yates)."""
    order = list(items)
    for limit, sizes in _batches(len(order)):
        number = _fair(s, limit)
        for size in sizes:
            place, number = divmod(number * size, _MASK + 1)
            order[place], order[size - 1] = order[size - 1], order[place]
    return order


@lru_cache(maxsize=1000)
def _batches(length: int) -> list[tuple[int, range]]:
    """Return how many items are left before each choice, in batches decided by one random number, with its limit."""
    batches = []
    while length > 1:
        limit, left = batch(length)
        batches.append((limit, range(length, left, -1)))
        length = left
    return batches


def batch(length: int) -> tuple[int, int]:
    """Return the limit of the random number for the next batch of choices, and how many items are left after it."""
    limit, size = length, length - 1
    while size > 1 and limit * size <= MAX_BATCH_LIMIT:
        limit, size = limit * size, size - 1
    return limit, size


def draw(s: list[int], items: list[int], count: int) -> list[int]:
    """Draw `count` items uniformly; they stay in order (Knuth, selection sampling)."""
    result: list[int] = []
    for index, item in enumerate(items):
        if len(result) < count and below(s, len(items) - index) < count - len(result):
            result.append(item)
    return result
