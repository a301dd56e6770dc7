"""The random generator of a state: sfc32 over four of its cells, specified in `spec/RANDOM.md`.

Source: Chris Doty-Humphrey, PractRand (sfc32, public domain); bounded numbers by Lemire, "Fast Random Integer
Generation in an Interval", 2019.
"""

from __future__ import annotations

from rulewright.program import RANDOM, RANDOM_CELLS

_MASK = 0xFFFFFFFF


def seeded(seed: int) -> list[int]:
    """The four cells for a seed: the low 32 bits of the seed, the next 32, 0, 1, and twelve numbers thrown away."""
    cells = [0] * RANDOM + [seed & _MASK, (seed >> 32) & _MASK, 0, 1]
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


def below(s: list[int], limit: int) -> int:
    """A number from 0 to limit - 1, all equally likely; limit is at least 1."""
    product = bits(s) * limit
    if product & _MASK < limit:
        threshold = (_MASK + 1 - limit) % limit
        while product & _MASK < threshold:
            product = bits(s) * limit
    return product >> 32


def shuffle(s: list[int], items: list[int]) -> None:
    """Fisher and Yates, from the last item down."""
    a, b, c, counter = s[RANDOM : RANDOM + RANDOM_CELLS]
    for size in range(len(items), 1, -1):
        result = (a + b + counter) & 0xFFFFFFFF  # `below(s, size)`, written out: games shuffle a lot
        a, b = b ^ (b >> 9), (c * 9) & 0xFFFFFFFF
        c = ((c << 21 | c >> 11) + result) & 0xFFFFFFFF
        counter = (counter + 1) & 0xFFFFFFFF
        product = result * size
        if product & 0xFFFFFFFF < size:
            s[RANDOM : RANDOM + RANDOM_CELLS] = a, b, c, counter
            threshold = (0x100000000 - size) % size
            while product & 0xFFFFFFFF < threshold:
                product = bits(s) * size
            a, b, c, counter = s[RANDOM : RANDOM + RANDOM_CELLS]
        other = product >> 32
        items[size - 1], items[other] = items[other], items[size - 1]
    s[RANDOM : RANDOM + RANDOM_CELLS] = a, b, c, counter


def draw(s: list[int], items: list[int], wanted: int) -> list[int]:
    """`wanted` of the items, chosen evenly, in their order (Knuth, selection sampling)."""
    chosen: list[int] = []
    for index, item in enumerate(items):
        if len(chosen) < wanted and below(s, len(items) - index) < wanted - len(chosen):
            chosen.append(item)
    return chosen
