"""Turns of the tests that are marked `rotating`: slow ones, of which each whole check runs another part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def are_due(marked: Sequence[int], rotation: int) -> list[bool]:
    """Return for each rotating test whether it runs in a rotation.

    They take turns by their order, those of one `n` by themselves, so that any `n` rotations in a row run each test
    marked `rotating(n)` once, and each runs about as many of every kind: neighbours take about as long as each other.
    marked: the `n` of each test.
    """
    counts: Counter[int] = Counter()
    result = []
    for rounds in marked:
        result.append((counts[rounds] + rotation) % rounds == 0)
        counts[rounds] += 1
    return result
