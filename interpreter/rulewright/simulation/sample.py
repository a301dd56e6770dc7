"""Many numbers as the different ones among them and how often each occurs: of millions of games there are few."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

_MOST_APART = 10_000
"""Entries that are put together before more are gathered; more where there are many different numbers."""


class Sample:
    """Numbers without an order. values: the different ones, ascending; counts: how often each occurs."""

    def __init__(self, values: Numbers, counts: NDArray[np.int64]) -> None:
        self.values, self.counts = values, counts

    @classmethod
    def of(cls, parts: Iterable[Numbers]) -> Sample:
        """Of all parts together. What is nan is left out."""
        gathering = Gathering()
        for part in parts:
            gathering.add(part)
        return gathering.sample

    def __len__(self) -> int:
        return int(self.counts.sum())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """All of them, ascending."""
        return np.repeat(self.values, self.counts).astype(dtype or np.float64)

    def map(self, function: Callable[[Numbers], NDArray[Any]]) -> Sample:
        """What a function makes of each number."""
        return _merged(np.asarray(function(self.values), dtype=np.float64), self.counts)

    def __le__(self, most: float) -> Sample:
        """1 for each number that is no greater, and 0 for the others."""
        return self.map(lambda values: values <= most)

    def __sub__(self, other: float) -> Sample:
        return Sample(self.values - other, self.counts)

    def mean(self) -> float:
        return float(self.values @ self.counts) / len(self)

    def var(self, ddof: int = 0) -> float:
        """Its variance. ddof: 1 for that of what it is a sample of."""
        apart = self.values - self.mean()
        return float((apart * apart) @ self.counts) / (len(self) - ddof)

    def std(self, ddof: int = 0) -> float:
        return math.sqrt(self.var(ddof))

    def min(self) -> float:
        return float(self.values[0])

    def max(self) -> float:
        return float(self.values[-1])

    def quantiles(self, at: Sequence[float]) -> list[float]:
        """The values that these portions of all numbers do not exceed: always values that occurred."""
        reached = np.cumsum(self.counts)
        wanted = [max(1, math.ceil(len(self) * portion)) for portion in at]
        return [float(found) for found in self.values[np.searchsorted(reached, wanted)]]


class Gathering:
    """A sample that grows."""

    def __init__(self) -> None:
        self._parts: list[Sample] = []
        self._apart = 0

    def add(self, numbers: Numbers) -> None:
        """What is nan is left out."""
        values, counts = np.unique(numbers, return_counts=True)
        known = ~np.isnan(values)
        self._add(Sample(values[known], counts[known]))

    def join(self, other: Gathering | Sums) -> None:
        """All that another one has."""
        assert isinstance(other, Gathering)
        self._add(other.sample)

    def _add(self, part: Sample) -> None:
        self._parts.append(part)
        self._apart += len(part.values)
        if self._apart > max(_MOST_APART, 2 * len(self._parts[0].values)):
            self._apart = len(self.sample.values)

    @property
    def sample(self) -> Sample:
        """All that was added."""
        if len(self._parts) != 1:
            self._parts = [together(self._parts)]
        return self._parts[0]


class Sums:
    """Several numbers of each game, some games at a time: only their sums are kept, and those of the products of each
    two of them. totals: shape (numbers,); products: shape (numbers, numbers); count: of games."""

    def __init__(self, numbers: int) -> None:
        self.totals, self.products, self.count = np.zeros(numbers), np.zeros((numbers, numbers)), 0

    def add(self, rows: Numbers) -> None:
        """rows: shape (games, numbers)."""
        self.totals = self.totals + rows.sum(axis=0)
        self.products = self.products + rows.T @ rows
        self.count += len(rows)

    def join(self, other: Gathering | Sums) -> None:
        """All that others have."""
        assert isinstance(other, Sums)
        self.totals, self.products = self.totals + other.totals, self.products + other.products
        self.count += other.count


def together(samples: Sequence[Sample]) -> Sample:
    """The numbers of all of them."""
    values, counts = [each.values for each in samples], [each.counts for each in samples]
    return _merged(np.concatenate([np.empty(0), *values]), np.concatenate([np.empty(0, np.int64), *counts]))


def _merged(values: Numbers, counts: NDArray[np.int64]) -> Sample:
    found, places = np.unique(values, return_inverse=True)
    return Sample(found, np.bincount(places, counts, len(found)).astype(np.int64))


OfGames = Numbers | Sample
"""One number per game."""
