"""Turns of the tests that are marked `rotating`: slow ones, of which each whole check runs another part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from zlib import crc32


def are_due(marked: Sequence[tuple[str, int]], rotation: int) -> list[bool]:
    """Return for each rotating test whether it runs in a rotation.

    Those of a file take turns by their order, so that any `n` rotations in a row run each test marked `rotating(n)`
    once. marked: the id of each test, and its `n`.
    """
    counts: Counter[tuple[str, int]] = Counter()
    result = []
    for test, rounds in marked:
        file = test.partition("::")[0]
        turn = counts[file, rounds] + crc32(file.encode())  # files begin apart, for the first test of each is slower
        counts[file, rounds] += 1
        result.append((turn + rotation) % rounds == 0)
    return result
