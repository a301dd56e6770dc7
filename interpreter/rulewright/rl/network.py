"""A network that learns: two hidden layers with ReLUs, and Adam (Kingma and Ba, 2015), in numpy alone.

It does not know what it is for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

LONGEST_STEP = 0.5  # of all slopes together, before they are shortened
KEPT_MEAN, KEPT_SQUARE = 0.9, 0.999
TINY = 1e-8


class Network:
    """Of each row of numbers it gives others. weights: of each layer, inputs × outputs; added: to each output."""

    def __init__(self, taken: int, hidden: int, given: int, chance: np.random.Generator) -> None:
        """taken, hidden, given: how many numbers there are on each floor. What it gives at first is almost 0."""
        sizes = [taken, hidden, hidden, given]
        self.weights: list[Floats] = [
            (chance.standard_normal(two) * (2 / two[0]) ** 0.5).astype(np.float32) for two in pairwise(sizes)
        ]
        self.weights[-1] *= np.float32(0.01)
        self.added: list[Floats] = [np.zeros(size, np.float32) for size in sizes[1:]]
        self._moments = [(np.zeros_like(one), np.zeros_like(one)) for one in (*self.weights, *self.added)]
        self._steps = 0

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all that changes as it learns, by name: the arrays themselves, and how many steps there were."""
        numbers = [*self.weights, *self.added]
        found: dict[str, NDArray[Any]] = {f"numbers {at}": one for at, one in enumerate(numbers)}
        for at, (mean, square) in enumerate(self._moments):
            found |= {f"mean {at}": mean, f"square {at}": square}
        return found | {"steps": np.array(self._steps)}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take what `arrays` has given."""
        for name, array in self.arrays().items():
            array[...] = arrays[name]
        self._steps = int(arrays["steps"])

    def forward(self, rows: Floats) -> list[Floats]:
        """What each floor holds: the rows themselves, the hidden layers, and what it gives."""
        floors = [rows]
        for number, (weights, added) in enumerate(zip(self.weights, self.added, strict=True)):
            floors.append((np.maximum(floors[-1], 0) if number else rows) @ weights + added)
        return floors

    def learn(self, floors: Sequence[Floats], slope: Floats, rate: float) -> None:
        """One step down. floors: as `forward` gave them; slope: of the error, for each number that was given; rate: how
        far."""
        weights: list[Floats] = []
        added: list[Floats] = []
        for number in reversed(range(len(self.weights))):
            below = np.maximum(floors[number], 0) if number else floors[0]
            weights.insert(0, below.T @ slope)
            added.insert(0, slope.sum(0))
            if number:
                slope = slope @ self.weights[number].T * (below > 0)
        self._step([*weights, *added], rate)

    def _step(self, slopes: Sequence[Floats], rate: float) -> None:
        length = float(sum((one * one).sum() for one in slopes)) ** 0.5
        shorter = min(1.0, LONGEST_STEP / (length + TINY))
        self._steps += 1
        unbiased = rate / (1 - KEPT_MEAN**self._steps), 1 - KEPT_SQUARE**self._steps
        every: Any = zip((*self.weights, *self.added), slopes, self._moments, strict=True)
        for numbers, slope, (mean, square) in every:
            mean += (1 - KEPT_MEAN) * (slope * shorter - mean)  # noqa: PLW2901 - in place, as all three
            square += (1 - KEPT_SQUARE) * ((slope * shorter) ** 2 - square)  # noqa: PLW2901
            numbers -= unbiased[0] * mean / (np.sqrt(square / unbiased[1]) + TINY)  # noqa: PLW2901
