"""Neural network: two hidden layers with ReLUs, trained by Adam (Kingma and Ba, 2015), in numpy alone.

It does not know what it is for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

MAX_GRADIENT = 0.5
"""Norm of all gradients together; longer ones are scaled down."""
MEAN_DECAY, SQUARE_DECAY = 0.9, 0.999
"""Decay of the running means of gradients and of their squares, as Adam has them."""
EPSILON = 1e-8
"""Least divisor."""


class Network:
    """Network from rows of numbers to rows of numbers.

    weights: of each layer, inputs × outputs; added: biases of each layer.
    """

    def __init__(self, inputs: int, hidden: int, outputs: int, rng: np.random.Generator) -> None:
        """Draw the weights. inputs, hidden, outputs: size of each layer. The first outputs are almost 0."""
        sizes = [inputs, hidden, hidden, outputs]
        self.weights: list[Floats] = [
            (rng.standard_normal(two) * (2 / two[0]) ** 0.5).astype(np.float32) for two in pairwise(sizes)
        ]
        self.weights[-1] *= np.float32(0.01)
        self.added: list[Floats] = [np.zeros(size, np.float32) for size in sizes[1:]]
        self._moments = [(np.zeros_like(one), np.zeros_like(one)) for one in (*self.weights, *self.added)]
        self._steps = 0

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all arrays that change during training, by name, and the number of steps."""
        numbers = [*self.weights, *self.added]
        arrays_: dict[str, NDArray[Any]] = {f"numbers {at}": one for at, one in enumerate(numbers)}
        for index, (mean, square) in enumerate(self._moments):
            arrays_ |= {f"mean {index}": mean, f"square {index}": square}
        return arrays_ | {"steps": np.array(self._steps)}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Restore the values of what `arrays` gave."""
        for name, array in self.arrays().items():
            array[...] = arrays[name]
        self._steps = int(arrays["steps"])

    def forward(self, rows: Floats) -> list[Floats]:
        """Return the values of each layer: the rows, the hidden layers before their ReLU, and the outputs."""
        layers = [rows]
        for number, (weights, added) in enumerate(zip(self.weights, self.added, strict=True)):
            layers.append((np.maximum(layers[-1], 0) if number else rows) @ weights + added)
        return layers

    def learn(self, layers: Sequence[Floats], slope: Floats, rate: float) -> None:
        """Take one step of gradient descent. layers: result of `forward`; slope: gradient of the error by each output;
        rate: learning rate."""
        weights: list[Floats] = []
        added: list[Floats] = []
        for number in reversed(range(len(self.weights))):
            below = np.maximum(layers[number], 0) if number else layers[0]
            weights.insert(0, below.T @ slope)
            added.insert(0, slope.sum(0))
            if number:
                slope = slope @ self.weights[number].T * (below > 0)
        self._apply_gradients([*weights, *added], rate)

    def _apply_gradients(self, gradients: Sequence[Floats], rate: float) -> None:
        """Change all weights by a step of Adam, with gradients shortened to MAX_GRADIENT."""
        norm = float(sum((one * one).sum() for one in gradients)) ** 0.5
        scale = min(1.0, MAX_GRADIENT / (norm + EPSILON))
        self._steps += 1
        unbiased = rate / (1 - MEAN_DECAY**self._steps), 1 - SQUARE_DECAY**self._steps
        every: Any = zip((*self.weights, *self.added), gradients, self._moments, strict=True)
        for numbers, slope, (mean, square) in every:
            mean += (1 - MEAN_DECAY) * (slope * scale - mean)  # noqa: PLW2901 - in place, as all three
            square += (1 - SQUARE_DECAY) * ((slope * scale) ** 2 - square)  # noqa: PLW2901
            numbers -= unbiased[0] * mean / (np.sqrt(square / unbiased[1]) + EPSILON)  # noqa: PLW2901
