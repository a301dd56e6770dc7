"""Notes that one block writes and looks up by itself are registers of it, not cells of the state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import count

from rulewright.program.blocks import Blocks, Nest, Node, flattened, free_register, rewritten
from rulewright.program.instructions import LEAVING, MAKING_VECTORS, Instruction, operands_of

Cell = tuple[int, int]  # where several begin, and the operand that says which of them
_CELL = {"load": 2, "read": 2, "keep": 2, "store": 1, "count": 1, "store_block": 1}  # the operand that names it


def in_registers(blocks: Blocks, first: int, others: Collection[int] = ()) -> Blocks:
    """The same blocks; of the cells from the first on, those that only one block knows are its registers. others: cells
    that are known elsewhere, too.

    Of several cells that follow each other, such as one for each seat, that are those that it never looks for.
    """
    users: dict[Cell, set[int]] = {}
    fixed: set[Cell] = set()
    looked_for: set[int] = set()
    free = free_register(blocks)
    for number, body in blocks.items():
        _written_first(body, set(), fixed)
        for instruction in flattened(body):
            if (cell := _cell(instruction)) is not None:
                users.setdefault(cell, set()).add(number)
                if not cell[1] & 1:
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
    naming = _Naming(own, blocks, free)
    named = {number: rewritten(body, lambda i: [naming.named(i)]) for number, body in blocks.items()}
    codes = map(flattened, named.values())
    met = Counter(name for code in codes for i in code for name in _vectors_of(i))
    return {number: _made_there(body, met) for number, body in named.items()}


@lru_cache(maxsize=100_000)
def _vectors_of(instruction: Instruction) -> tuple[int, ...]:
    return tuple(number for kind, number in operands_of(instruction) if kind == "V")


def _made_there(nodes: list[Node], met: Counter[int]) -> list[Node]:
    """A vector that is made only to be another one from then on is made as that one. met: how often each stands."""
    written: list[Node] = []
    for node in nodes:
        if isinstance(node, Nest):
            written.append(Nest(node.opening, _made_there(node.body, met), _made_there(node.other, met)))
            continue
        before = written[-1] if node[0] == "as_tuple" and written else None
        if isinstance(before, tuple) and before[1:2] == node[2:3] and _only_passes_on(before, node, met):
            written[-1] = (before[0], node[1], *before[2:])
        else:
            written.append(node)
    return written


def _only_passes_on(making: Instruction, other: Instruction, met: Counter[int]) -> bool:
    """Whether what makes a vector can make another one, which takes over from it."""
    return making[0] in MAKING_VECTORS and met[int(making[1])] == 2 and other[1] not in making[2:]


class _Naming:
    """Registers for cells. If all that writes a cell stands on one level, one after the other, each begins a register
    of its own, so that it is set once."""

    def __init__(self, cells: Sequence[Cell], blocks: Blocks, first: int) -> None:
        self._free = count(first)
        self._registers = {cell: next(self._free) for cell in cells}
        levels: dict[Cell, set[int]] = {}
        for body in blocks.values():
            _note_levels(body, levels)
        self._anew = {cell for cell in cells if len(levels.get(cell, ())) == 1}

    def named(self, instruction: Instruction) -> Instruction:
        """The instruction over registers, as it comes in the order in which the code is written."""
        cell = _cell(instruction)
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
    """Of each cell, the lists of nodes in which it is written."""
    for node in nodes:
        if isinstance(node, Nest):
            _note_levels(node.body, levels)
            _note_levels(node.other, levels)
        elif node[0] in ("store", "keep") and (cell := _cell(node)) is not None:
            levels.setdefault(cell, set()).add(id(nodes))


def _cell(instruction: Instruction) -> Cell | None:
    """The cell that an instruction reads or writes."""
    place = _CELL.get(str(instruction[0]))
    return None if place is None else (int(instruction[place]), int(instruction[place + 1]))


def _written_first(nodes: list[Node], written: set[Cell], unsure: set[Cell]) -> bool:
    """Adds to the cells that have been written for sure, and to those that may be read before.

    Gives whether the nodes always leave.
    """
    for node in nodes:
        if isinstance(node, Nest):
            ways = []
            for inside in (node.body, node.other):
                there = set(written)
                if not _written_first(inside, there, unsure):
                    ways.append(there)
            if not node.loops:
                if not ways:
                    return True
                written |= set.intersection(*ways)
        elif node[0] in LEAVING:
            return True
        elif (cell := _cell(node)) is not None:
            if node[0] not in ("load", "read"):
                written.add(cell)
            elif cell not in written:
                unsure.add(cell)
    return False
