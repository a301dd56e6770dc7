"""Promotion of state cells to registers, where one block alone writes and reads them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import count

from rulewright.program.blocks import Blocks, Nest, Node, flatten, free_register, rewrite_nodes
from rulewright.program.instructions import LEAVING, MAKING_VECTORS, Instruction, cell_of, is_constant, operands_of

Cell = tuple[int, int]
"""First cell of a range, and the operand with the offset, as `cell_of` returns them."""


def promote_cells(blocks: Blocks, first: int, others: Collection[int] = ()) -> Blocks:
    """Return blocks with cells from `first` on promoted that a single block uses, and writes before it reads them.
    others: cells that are also used elsewhere.

    Of several cells in a row, such as one for each seat, those with constant offsets are promoted.
    """
    users: dict[Cell, set[int]] = {}
    fixed: set[Cell] = set()
    looked_for: set[int] = set()
    free = free_register(blocks)
    for number, body in blocks.items():
        _collect_writes(body, set(), fixed)
        for instruction in flatten(body):
            if (cell := cell_of(instruction)) is not None:
                users.setdefault(cell, set()).add(number)
                if not is_constant(cell[1]):
                    looked_for.add(cell[0])
                if instruction[0] in ("count", "store_block"):
                    fixed.add(cell)
    own = [
        cell
        for cell, numbers in users.items()
        if cell[0] >= first
        and len(numbers) == 1
        and cell[0] not in looked_for
        and cell[0] not in others
        and cell not in fixed
    ]
    registers = _Naming(own, blocks, free)
    promoted = {number: rewrite_nodes(body, lambda i: [registers.promote(i)]) for number, body in blocks.items()}
    codes = map(flatten, promoted.values())
    occurrences = Counter(name for code in codes for i in code for name in _vectors_of(i))
    return {number: _without_copies(body, occurrences) for number, body in promoted.items()}


@lru_cache(maxsize=100_000)
def _vectors_of(instruction: Instruction) -> tuple[int, ...]:
    """Return the vectors in an instruction, in its order."""
    return tuple(number for kind, number in operands_of(instruction) if kind == "V")


def _without_copies(nodes: list[Node], occurrences: Counter[int]) -> list[Node]:
    """Return nodes in which a vector that is only copied is made as the copy at once. occurrences: by vector."""
    result: list[Node] = []
    for node in nodes:
        if isinstance(node, Nest):
            result.append(
                Nest(node.opening, _without_copies(node.body, occurrences), _without_copies(node.other, occurrences))
            )
            continue
        before = result[-1] if node[0] == "as_tuple" and result else None
        if isinstance(before, tuple) and before[1:2] == node[2:3] and _is_only_copied(before, node, occurrences):
            result[-1] = (before[0], node[1], *before[2:])
        else:
            result.append(node)
    return result


def _is_only_copied(making: Instruction, other: Instruction, occurrences: Counter[int]) -> bool:
    """Return whether a vector is made only to become another one."""
    return making[0] in MAKING_VECTORS and occurrences[int(making[1])] == 2 and other[1] not in making[2:]


class _Naming:
    """Registers for cells. If all writes of a cell are in one list of nodes, each write starts a new register, so that
    every register is set once."""

    def __init__(self, cells: Sequence[Cell], blocks: Blocks, first: int) -> None:
        self._free = count(first)
        self._registers = {cell: next(self._free) for cell in cells}
        levels: dict[Cell, set[int]] = {}
        for body in blocks.values():
            _note_levels(body, levels)
        self._anew = {cell for cell in cells if len(levels.get(cell, ())) == 1}

    def promote(self, instruction: Instruction) -> Instruction:
        """Return the instruction with registers instead of cells. Call it for all instructions in the order of the
        code."""
        cell = cell_of(instruction)
        if cell is None or cell not in self._registers:
            return instruction
        if instruction[0] in ("store", "keep") and cell in self._anew:
            self._registers[cell] = next(self._free)
        register = self._registers[cell]
        match instruction:
            case ("load", target, *_):
                return ("copy", target, 2 * register)
            case ("store", _, _, value):
                return ("copy", register, value)
            case ("read", target, *_):
                return ("as_tuple", target, register)
            case (_, vector, *_):
                return ("as_tuple", register, vector)
        raise AssertionError(instruction)


def _note_levels(nodes: list[Node], levels: dict[Cell, set[int]]) -> None:
    """Note for each cell the lists of nodes in which it is written."""
    for node in nodes:
        if isinstance(node, Nest):
            _note_levels(node.body, levels)
            _note_levels(node.other, levels)
        elif node[0] in ("store", "keep") and (cell := cell_of(node)) is not None:
            levels.setdefault(cell, set()).add(id(nodes))


def _collect_writes(nodes: list[Node], certain: set[Cell], read_first: set[Cell]) -> bool:
    """Add to the cells that are certainly written, and to those that may be read before.

    Return whether the nodes always leave.
    """
    for node in nodes:
        if isinstance(node, Nest):
            branches = []
            for inside in (node.body, node.other):
                certain_inside = set(certain)
                if not _collect_writes(inside, certain_inside, read_first):
                    branches.append(certain_inside)
            if not node.loops:
                if not branches:
                    return True
                certain |= set.intersection(*branches)
        elif node[0] in LEAVING:
            return True
        elif (cell := cell_of(node)) is not None:
            if node[0] not in ("load", "read"):
                certain.add(cell)
            elif cell not in certain:
                read_first.add(cell)
    return False
