"""Notes that one block writes and looks up by itself are registers of it, not cells of the state."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.blocks import Blocks, Nest, Node, flattened, free_register, rewritten
from rulewright.program import LEAVING, ZERO, Instruction

_CELL = {"load": 2, "read": 2, "keep": 2, "store": 1, "count": 1, "store_block": 1}  # the operand that names it


def in_registers(blocks: Blocks, first: int) -> Blocks:
    """The same blocks; of the cells from the first on, those that only one block knows are its registers."""
    users: dict[int, set[int]] = {}
    fixed: set[int] = set()
    free = free_register(blocks)
    for number, body in blocks.items():
        _written_first(body, set(), fixed)
        for instruction in flattened(body):
            if (cell := _cell(instruction)) is not None:
                users.setdefault(cell, set()).add(number)
                alone = instruction[_CELL[str(instruction[0])] + 1] == ZERO
                if not alone or instruction[0] in ("count", "store_block"):
                    fixed.add(cell)
    own = [cell for cell, numbers in users.items() if cell >= first and len(numbers) == 1 and cell not in fixed]
    registers = {cell: free + n for n, cell in enumerate(own)}
    return {number: rewritten(body, lambda i: [_in_register(i, registers)]) for number, body in blocks.items()}


def _cell(instruction: Instruction) -> int | None:
    """The cell that an instruction reads or writes."""
    place = _CELL.get(str(instruction[0]))
    return None if place is None else int(instruction[place])


def _written_first(nodes: list[Node], written: set[int], unsure: set[int]) -> bool:
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


def _in_register(instruction: Instruction, registers: Mapping[int, int]) -> Instruction:
    cell = _cell(instruction)
    if cell is None or (register := registers.get(cell)) is None:
        return instruction
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
