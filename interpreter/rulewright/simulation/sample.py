"""Samples of many numbers: the different ones, and how often each occurs. Millions of games have few."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

_MAX_PENDING = 10_000
"""Entries that are put together before more are gathered; more where there are many different numbers."""


class Sample:
    """Numbers without an order. values: the different ones, ascending; counts: how often each occurs."""

    def __init__(self, values: Numbers, counts: NDArray[np.int64]) -> None:
        self.values, self.counts = values, counts

    def __len__(self) -> int:
        return int(self.counts.sum())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return all numbers, ascending."""
        return np.repeat(self.values, self.counts).astype(dtype or np.float64)

    def map(self, function: Callable[[Numbers], NDArray[Any]]) -> Sample:
        """Return the sample of what a function makes of each number. function: takes and returns an array."""
        return _merged(np.asarray(function(self.values), dtype=np.float64), self.counts)

    def __le__(self, most: float) -> Sample:
        """Return 1 for each number that is no greater, and 0 for the others."""
        return self.map(lambda values: values <= most)

    def __sub__(self, other: float) -> Sample:
        """Return each number less another one."""
        return Sample(self.values - other, self.counts)

    def mean(self) -> float:
        """Return the mean, each value as often as it occurs. Raises ZeroDivisionError for an empty sample."""
        return float(self.values @ self.counts) / len(self)

    def var(self, ddof: int = 0) -> float:
        """Return the variance. ddof: 1 for the estimate from a sample. Raises ZeroDivisionError for an empty sample,
        or with `ddof` numbers."""
        deviations = self.values - self.mean()
        return float((deviations * deviations) @ self.counts) / (len(self) - ddof)

    def std(self, ddof: int = 0) -> float:
        """Return the standard deviation; ddof and errors are those of `var`."""
        return math.sqrt(self.var(ddof))

    def min(self) -> float:
        """Return the least value. Raises IndexError for an empty sample."""
        return float(self.values[0])

    def max(self) -> float:
        """Return the greatest value. Raises IndexError for an empty sample."""
        return float(self.values[-1])

    def quantiles(self, portions: Sequence[float]) -> list[float]:
        """Return the values that these portions of all numbers do not exceed: always values that occurred. Raises
        IndexError for an empty sample."""
        reached = np.cumsum(self.counts)
        ranks = [max(1, math.ceil(len(self) * portion)) for portion in portions]
        return [float(value) for value in self.values[np.searchsorted(reached, ranks)]]


class Gathering:
    """Sample that grows."""

    def __init__(self) -> None:
        self._parts: list[Sample] = []
        self._pending = 0

    def add(self, numbers: Numbers) -> None:
        """Add numbers; nan is left out."""
        values, counts = np.unique(numbers, return_counts=True)
        known = ~np.isnan(values)
        self._add(Sample(values[known], counts[known]))

    def join(self, other: Gathering | Sums) -> None:
        """Add all numbers of another one; asserts that it is a Gathering, too."""
        assert isinstance(other, Gathering)
        self._add(other.sample)

    def _add(self, part: Sample) -> None:
        """Add a sample; many small ones are joined now and then, so that memory stays bounded."""
        self._parts.append(part)
        self._pending += len(part.values)
        if self._pending > max(_MAX_PENDING, 2 * len(self._parts[0].values)):
            self._pending = len(self.sample.values)

    @property
    def sample(self) -> Sample:
        """Sample of all that was added."""
        if len(self._parts) != 1:
            self._parts = [joined_sample(self._parts)]
        return self._parts[0]


class Sums:
    """Sums of several numbers per game, and of the products of each two of them, added some games at a time.

    totals: shape (numbers,); products: shape (numbers, numbers); count: of games.
    """

    def __init__(self, numbers: int) -> None:
        self.totals, self.products, self.count = np.zeros(numbers), np.zeros((numbers, numbers)), 0

    def add(self, rows: Numbers) -> None:
        """Add some games. rows: shape (games, numbers)."""
        self.totals = self.totals + rows.sum(axis=0)
        self.products = self.products + rows.T @ rows
        self.count += len(rows)

    def join(self, other: Gathering | Sums) -> None:
        """Add the sums of other games; asserts that they are Sums, too."""
        assert isinstance(other, Sums)
        self.totals, self.products = self.totals + other.totals, self.products + other.products
        self.count += other.count


def joined_sample(samples: Sequence[Sample]) -> Sample:
    """Return the numbers of several samples as one."""
    values, counts = [each.values for each in samples], [each.counts for each in samples]
    return _merged(np.concatenate([np.empty(0), *values]), np.concatenate([np.empty(0, np.int64), *counts]))


def _merged(values: Numbers, counts: NDArray[np.int64]) -> Sample:
    """Return a sample of values, equal ones put together."""
    distinct, places = np.unique(values, return_inverse=True)
    return Sample(distinct, np.bincount(places, counts, len(distinct)).astype(np.int64))


OfGames = Numbers | Sample
"""Array or sample with one number per game."""
