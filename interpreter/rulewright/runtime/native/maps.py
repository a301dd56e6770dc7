"""Membership maps of vectors that a loop searches again and again without changing them: one byte for each number."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.program.blocks import Nest, Node, flatten
from rulewright.program.form import Program
from rulewright.program.instructions import CHANGING_VECTORS, MAKING_VECTORS, Instruction
from rulewright.runtime.native.bit_set_analysis import BitSets
from rulewright.runtime.native.vectors import Vectors

SHORT_LOOP = 8
"""Loops over at most so many items are too short for a map."""
MARGIN = 32
"""Bytes of a map besides those of its numbers: for what is no number of it, before and behind, and to write sixteen at
a time."""


class Maps:
    """Maps of one stretch of code. bound: numbers from 0 to less than it have a byte in each map."""

    def __init__(self, body: Sequence[Node], vectors: Vectors, bit_sets: BitSets, program: Program) -> None:
        self.bound = max([program.layout.seats, *map(len, program.words.values())])
        self._vectors, self._bit_sets, self._tables = vectors, bit_sets, program.tables
        self._mapped_before: dict[int, list[int]] = {}
        self._places: dict[int, int] = {}
        self._find_mapped(body, frozenset())

    @property
    def size(self) -> int:
        """Bytes of all maps."""
        return len(self._places) * self._width

    @property
    def _width(self) -> int:
        """Bytes of one map."""
        return -(-(self.bound + MARGIN) // 16) * 16

    def mapped_before(self, loop: Nest) -> Sequence[int]:
        """Return the vectors whose maps are built before a loop; a map serves until the loop ends."""
        return self._mapped_before.get(id(loop), ())

    def offset(self, vector: int) -> int:
        """Return the offset of a vector's map from the first map."""
        return self._places[vector] * self._width

    def _find_mapped(self, nodes: Sequence[Node], mapped: frozenset[int]) -> None:
        """Add the vectors that the body of a long loop searches again and again and does not change."""
        for node in nodes:
            if not isinstance(node, Nest):
                continue
            inside = mapped
            if node.opening[0] == "for" and self._vectors.capacity(int(node.opening[2])) > SHORT_LOOP:
                code = flatten(node.body)
                looked_at = {
                    vector for instruction in code if (vector := self.searched_vector(instruction)) is not None
                }
                changed = {int(i[1]) for i in code if i[0] in MAKING_VECTORS or i[0] in CHANGING_VECTORS}
                changed |= {int(i[2]) for i in code if i[0] == "rank"}
                self._mapped_before[id(node)] = sorted(looked_at - changed - mapped)
                inside |= looked_at - changed
                for vector in self._mapped_before[id(node)]:
                    self._places.setdefault(vector, len(self._places))
            self._find_mapped(node.body, inside)
            self._find_mapped(node.other, inside)

    def searched_vector(self, instruction: Instruction) -> int | None:
        """Return the vector that an instruction searches, if a map can answer; else None."""
        match instruction:
            case ("has", _, int(vector), _) if not self._bit_sets.is_bit_set(vector):
                return vector
            case ("within", int(target), _, int(table), int(vector)) if max(self._tables[table]) < self.bound:
                return vector if not self._bit_sets.is_bit_set(target) and min(self._tables[table]) >= -1 else None
        return None
