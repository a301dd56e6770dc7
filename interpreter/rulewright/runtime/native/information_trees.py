"""Search in native code among worlds that agree with what a seat knows: `library/information.c` grows a tree for each
seat in the executor's memory."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Any

from rulewright.base.records import record
from rulewright.runtime.native import memory
from rulewright.runtime.native.engine import Instance
from rulewright.runtime.native.tree import EndTerms, SearchTerms, TriedChoice, pack_sides, pack_terms

_OPTION = struct.Struct("<qdIIIiiifi")
"""Choice of a seat in memory, as library/information.c has it."""
_SET = struct.Struct("<qIIIii")
"""Set of a seat's choices in memory; the third number is the address of the first."""
_TRIES = struct.Struct("<i")
"""Number of tries, or of worlds, in memory."""


@record
class LearnedTerms:
    """Terms of a learned value, which is taken at the end of a turn.

    - weights: of each word of a seat's results, its place first
    - over: number of the word that says whether the game is over
    - rollouts, best: to the end of the turn, and those of them that count
    - place_weight: how far a place counts when the game is over
    """

    weights: Sequence[float]
    over: int
    rollouts: int
    best: int
    place_weight: float


class InformationTrees:
    """Trees in an executor's memory; a search ends where another one begins."""

    def __init__(self, instance: Instance, layout: memory.Memory) -> None:
        self._instance, self._layout = instance, layout
        self._worlds = 0

    def begin(
        self,
        seat: int,
        seed: int,
        terms: SearchTerms,
        ends: EndTerms,
        learned: LearnedTerms | None,
        priors: Sequence[float],
        worlds: int,
        win_weight: float,
    ) -> bool:
        """Begin a search for a seat's answer; return whether there is room for it. priors: values that are added to
        those of the first choices, by their places; worlds: how many there may be at once; win_weight: of winning where
        more than two sides compete, beside the share of the others that a seat has beaten."""
        layout = self._layout
        value = learned or LearnedTerms((), 0, terms.rollouts, 1, 0.0)
        self._instance.write(layout.search, pack_terms(seed, terms, ends))
        head = (seat, 0, worlds, 0, 0, value.over, value.rollouts, value.best)
        self._instance.write(
            layout.information,
            memory.INFORMATION.pack(*head, value.place_weight, win_weight, 0, 0, 0, 0, len(priors), 0),
        )
        self._worlds = 0
        if not self._instance.call("information_begin"):
            return False
        _, _, prior_address, weight_address = self._head()[10:14]
        self._instance.write(prior_address, struct.pack(f"<{len(priors)}f", *priors))
        self._instance.write(weight_address, struct.pack(f"<{len(value.weights)}d", *value.weights))
        return True

    def add_world(self, packed: bytes, sides: Sequence[int]) -> None:
        """Add a world, in place of the oldest one where there is no more room. sides: of each seat in it."""
        head = self._head()
        room, size, first = head[2], head[4], head[11]
        self._instance.write(first + (self._worlds % room) * size, pack_sides(sides) + packed)
        self._worlds += 1
        self._instance.write(self._layout.information + 3 * memory.WORD, _TRIES.pack(min(self._worlds, room)))

    def grow(self, tries: int) -> None:
        """Make so many tries, each in one of the worlds."""
        self._instance.write(self._layout.search + memory.LONG, _TRIES.pack(tries))
        self._instance.call("information_on")

    def choices(self, picks: Sequence[int] = ()) -> list[TriedChoice]:
        """Return the choices of the seat, or those after some places were picked; none where nothing was tried."""
        node = self._head()[10]
        for pick in picks:
            address = next((address for address, option in self._options(node) if option[5] == pick), 0)
            node = int(self._instance.call("information_after", address)) if address else 0
        return [
            TriedChoice(place, visits, total / visits if visits else 0.0, 0)
            for _, (_, total, _, _, _, place, visits, *_) in self._options(node)
        ]

    @property
    def failed(self) -> int:
        """Number of tries that failed."""
        return int(memory.SEARCH.unpack(self._instance.read(self._layout.search, memory.SEARCH.size))[7])

    @property
    def bytes_used(self) -> int:
        """Bytes that the trees take."""
        head = memory.SEARCH.unpack(self._instance.read(self._layout.search, memory.SEARCH.size))
        return int(head[6]) - self._layout.tree

    def _head(self) -> tuple[int, ...]:
        """Return how the search stands, as it lies in memory."""
        return memory.INFORMATION.unpack(self._instance.read(self._layout.information, memory.INFORMATION.size))

    def _options(self, node: int) -> Iterator[tuple[int, tuple[Any, ...]]]:
        """Yield the options of a set with their addresses, as they lie in memory."""
        address = _SET.unpack(self._instance.read(node, _SET.size))[2] if node else 0
        while address:
            option = _OPTION.unpack(self._instance.read(address, _OPTION.size))
            yield address, option
            address = option[4]
