"""Unrolling of loops over constant sets, such as all seats, in short programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count

from rulewright.program.blocks import Blocks, Nest, Node, flatten, free_register, rename
from rulewright.program.instructions import (
    CHANGING_VECTORS,
    LEAVING,
    Instruction,
    constant,
    number_in,
    operands_of,
    reads_register,
)
from rulewright.program.passes.simplification import names_set_by, names_used_by

MAX_INSTRUCTIONS = 400
"""Limit of a program's instructions, with those that unrolling adds; in larger ones translation costs more than that
gains."""

Register = tuple[bool, int]
"""Register or vector: whether it is a vector, and its number."""


def unroll_loops(blocks: Blocks, tables: Sequence[Sequence[int]]) -> Blocks:
    """Return blocks with loops over constant tables unrolled, the innermost first, while there is room; the same blocks
    where there is none."""
    codes = [flatten(body) for body in blocks.values()]
    room = MAX_INSTRUCTIONS - sum(map(len, codes))
    if room <= 0:
        return blocks
    unrolling = _Unrolling(codes, tables, room, free_register(blocks))
    return {number: unrolling.unroll(body) for number, body in blocks.items()}


class _Unrolling:
    """Unrolling of a program's loops."""

    def __init__(
        self, codes: Sequence[Sequence[Instruction]], tables: Sequence[Sequence[int]], room: int, free: int
    ) -> None:
        self._room, self._free = room, count(free)
        self._occurrences = Counter(name for code in codes for i in code for name in _registers_of(i))
        self._tables: dict[int, Sequence[int]] = {}  # by the vectors that always hold that table
        times_set = Counter(name for code in codes for i in code for name in names_set_by(i))
        for instruction in (i for code in codes for i in code if i[0] == "fixed" and times_set[f"V{i[1]}"] == 1):
            self._tables[int(instruction[1])] = tables[int(instruction[2])]

    def unroll(self, nodes: Sequence[Node]) -> list[Node]:
        """Return nodes with loops over constant sets replaced by a copy for each item, as long as there is room."""
        result: list[Node] = []
        for node in nodes:
            if not isinstance(node, Nest):
                result.append(node)
                continue
            nest = Nest(node.opening, self.unroll(node.body), self.unroll(node.other))
            items = self._tables.get(int(node.opening[2])) if node.opening[0] == "for" else None
            size = len(flatten(nest.body))
            if items is None or size * len(items) > self._room or _ends_round(nest.body):
                result.append(nest)
            else:
                self._room -= size * len(items)
                result += self._copy_rounds(nest, items)
        return result

    def _copy_rounds(self, nest: Nest, items: Sequence[int]) -> Iterator[Node]:
        """Yield the body for each item, with new names for what is local to a round."""
        inside = Counter(name for i in (nest.opening, *flatten(nest.body)) for name in _registers_of(i))
        lasting = _kept_between_rounds(nest)
        own = [name for name, times in inside.items() if times == self._occurrences[name] and name not in lasting]
        self._occurrences.subtract(inside)
        for item in items:
            names = {name: next(self._free) for name in own}
            copy = rename([("copy", int(nest.opening[1]), constant(item)), *nest.body], names)
            self._occurrences.update(name for i in flatten(copy) for name in _registers_of(i))
            yield from copy


def _kept_between_rounds(nest: Nest) -> set[Register]:
    """Return the registers that a round may read before it sets them, such as results of the first round."""
    result: set[str] = set()
    _collect_first_reads(nest.body, set(names_set_by(nest.opening)), result)
    return {(name[0] == "V", int(name[1:])) for name in result}


def _collect_first_reads(nodes: Sequence[Node], known: set[str], read_first: set[str]) -> bool:
    """Add to `known` what is certainly set, and to `read_first` what may be read before; return whether the nodes
    always leave."""
    for node in nodes:
        if not isinstance(node, Nest):
            read_first.update(_inputs(node) - known)
            known.update(names_set_by(node))
            if node[0] in LEAVING:
                return True
            continue
        read_first.update(_inputs(node.opening) - known)
        branches = []
        for inside in (node.body, node.other):
            known_inside = known | set(names_set_by(node.opening))
            if not _collect_first_reads(inside, known_inside, read_first):
                branches.append(known_inside)
        if not node.loops:
            if not branches:
                return True
            known |= set.intersection(*branches)
    return False


def _inputs(instruction: Instruction) -> set[str]:
    """Return the names that must exist before an instruction, including a vector that it only extends."""
    changed = (f"V{instruction[1]}",) if instruction[0] in CHANGING_VECTORS else ()
    return {*names_used_by(instruction), *changed}


def _registers_of(instruction: Instruction) -> Iterator[Register]:
    """Yield the registers of an instruction, and whether each is a vector."""
    for kind, operand in operands_of(instruction):
        if kind in "dV":
            yield kind == "V", operand
        elif reads_register(kind, operand):
            yield False, number_in(operand)


def _ends_round(nodes: Sequence[Node]) -> bool:
    """Return whether something in a loop's body ends the loop or its round."""
    for node in nodes:
        if isinstance(node, Nest):
            if not node.loops and (_ends_round(node.body) or _ends_round(node.other)):
                return True
        elif node[0] in ("break", "again"):
            return True
    return False
