"""Loops over constants: iterations without effect are dropped."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.program.blocks import Nest, Node, flatten, nest_code
from rulewright.program.instructions import FOLDED, MAKING_VECTORS, PURE, Instruction, is_constant, number_in

KnownNumbers = dict[int, int]
"""Registers whose contents are constant here."""


def effective_members(
    code: Sequence[Instruction], members: Sequence[int], tables: Sequence[Sequence[int]]
) -> Sequence[int]:
    """Return the members for which a loop has an effect; all of them if it holds a block. code: its `for` up to its
    `end`."""
    if any(instruction[0] == "block" for instruction in code):
        return members
    [loop] = nest_code(code)
    assert isinstance(loop, Nest)
    inside = _LoopBody(int(loop.opening[1]), int(loop.opening[2]), tables)
    return [member for member in members if inside.acts(loop.body, {inside.item: member})]


class _LoopBody:
    """Body of a loop: registers and vectors numbered above its own live for one iteration."""

    def __init__(self, item: int, items: int, tables: Sequence[Sequence[int]]) -> None:
        self.item, self._items, self._tables = item, items, tables

    def acts(self, nodes: Sequence[Node], numbers: KnownNumbers) -> bool:
        """Whether code has an effect beyond values that end with the iteration. numbers: changed as the code changes
        them."""
        return any(
            self._nest_acts(node, numbers) if isinstance(node, Nest) else self._instruction_acts(node, numbers)
            for node in nodes
        )

    def _nest_acts(self, nest: Nest, numbers: KnownNumbers) -> bool:
        """Return whether a nest may have an effect; forget the numbers that it changes."""
        match nest.opening:
            case ("if", int(operand)) if (holds := _number(operand, numbers)) is not None:
                return self.acts(nest.body if holds else nest.other, numbers)
            case ("if", _) | ("for", *_):
                for instruction in flatten([nest]):
                    if instruction[0] in PURE or instruction[0] == "for":
                        numbers.pop(int(instruction[1]), None)
                return any(self.acts(inside, dict(numbers)) for inside in (nest.body, nest.other))
        return True

    def _instruction_acts(self, instruction: Instruction, numbers: KnownNumbers) -> bool:
        """Return whether an instruction may have an effect; note the number that it computes."""
        name, *operands = instruction
        if name == "spend":
            return False
        if name in MAKING_VECTORS or name not in PURE:
            return name not in PURE or int(operands[0]) <= self._items
        register, values = int(operands[0]), [_number(int(operand), numbers) for operand in operands[1:]]
        numbers.pop(register, None)
        if register <= self.item:
            return True
        match name, values:
            case "copy", [int(value)]:
                numbers[register] = value
            case "not", [int(value)]:
                numbers[register] = int(not value)
            case "table", [_, int(index)] if index < len(entries := self._tables[int(operands[1])]):
                numbers[register] = entries[index]
            case _, [int(one), int(other)] if name in FOLDED:
                numbers[register] = FOLDED[str(name)](one, other)
        return False


def _number(operand: int, numbers: KnownNumbers) -> int | None:
    """Return the number of an operand that is constant or known; else None."""
    return number_in(operand) if is_constant(operand) else numbers.get(number_in(operand))
