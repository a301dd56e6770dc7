"""The random generator of a state: sfc32 over four of its cells, specified in `spec/RANDOM.md`.

Source: Chris Doty-Humphrey, PractRand (sfc32, public domain); bounded numbers by Lemire, "Fast Random Integer
Generation in an Interval", 2019; several from one by Brackett-Rozinsky and Lemire, "Batched Ranged Random Integer
Generation", 2024.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Protocol

from rulewright.program.form import RANDOM

MOST_FOR_ONE_NUMBER = 2**26
_MASK = 0xFFFFFFFF


GAME, ANSWERS, SAMPLES = 0, 1, 2  # streams


class Chance(Protocol):
    """What chance decides in a game. This module is one; another is `chances.Foreseen`."""

    def below(self, s: list[int], limit: int, /) -> int:
        """A number from 0 to limit - 1, all equally likely; limit is at least 1."""

    def shuffled(self, s: list[int], items: Sequence[int], /) -> list[int]:
        """The items in a random order."""

    def draw(self, s: list[int], items: list[int], wanted: int, /) -> list[int]:
        """So many of the items, chosen evenly, in their order."""


def seeded(seed: int, stream: int = GAME) -> list[int]:
    """The four cells for a seed: its low 32 bits, the next 32, the stream, 1, and twelve numbers thrown away."""
    cells = [0] * RANDOM + [seed & _MASK, (seed >> 32) & _MASK, stream, 1]
    for _ in range(12):
        bits(cells)
    return cells[RANDOM:]


def bits(s: list[int]) -> int:
    """The next 32 bits."""
    a, b, c, counter = s[RANDOM], s[RANDOM + 1], s[RANDOM + 2], s[RANDOM + 3]
    result = (a + b + counter) & _MASK
    s[RANDOM] = b ^ (b >> 9)
    s[RANDOM + 1] = (c + (c << 3)) & _MASK
    s[RANDOM + 2] = (((c << 21) | (c >> 11)) + result) & _MASK
    s[RANDOM + 3] = (counter + 1) & _MASK
    return result


def fractions(seed: int) -> Callable[[], float]:
    """Numbers from 0 to less than 1 for random answers to a game of that seed, which they do not disturb."""
    cells = [0] * RANDOM + seeded(seed, ANSWERS)
    return lambda: bits(cells) / 2**32


def below(s: list[int], limit: int) -> int:
    """A number from 0 to limit - 1, all equally likely; limit is at least 1."""
    return _fair(s, limit) * limit >> 32


def _fair(s: list[int], limit: int) -> int:
    """32 bits whose product with the limit has an upper half that is equally likely to be any below the limit."""
    number = bits(s)
    if number * limit & _MASK < limit:
        threshold = (_MASK + 1 - limit) % limit
        while number * limit & _MASK < threshold:
            number = bits(s)
    return number


def shuffled(s: list[int], items: Sequence[int]) -> list[int]:
    """The items in a random order: what is chosen changes places with the last one that is left (Fisher and Yates)."""
    order = list(items)
    for limit, sizes in _batches(len(order)):
        number = _fair(s, limit)
        for size in sizes:
            place, number = divmod(number * size, _MASK + 1)
            order[place], order[size - 1] = order[size - 1], order[place]
    return order


@lru_cache(maxsize=1000)
def _batches(length: int) -> list[tuple[int, range]]:
    """How many items are left each time one is chosen, in batches that one number decides; and its limit."""
    batches = []
    while length > 1:
        limit, left = batch(length)
        batches.append((limit, range(length, left, -1)))
        length = left
    return batches


def batch(length: int) -> tuple[int, int]:
    """The limit of the number by which the next items are chosen of so many, and how many are left then."""
    limit, size = length, length - 1
    while size > 1 and limit * size <= MOST_FOR_ONE_NUMBER:
        limit, size = limit * size, size - 1
    return limit, size


def draw(s: list[int], items: list[int], wanted: int) -> list[int]:
    """`wanted` of the items, chosen evenly, in their order (Knuth, selection sampling)."""
    chosen: list[int] = []
    for index, item in enumerate(items):
        if len(chosen) < wanted and below(s, len(items) - index) < wanted - len(chosen):
            chosen.append(item)
    return chosen
