"""Zones that need no list of pieces in whole games.

If no code asks for the order of a zone's pieces, or goes over them, the number of pieces and their mask (`masks`)
suffice, and a piece can leave without a search. The analysis looks at all reads of zones and at moves that keep an
order. Where it cannot tell which zone is meant, all zones keep their lists. Games at a table always have lists, since
texts, saves and views show them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.program.blocks import Node, flatten
from rulewright.program.form import Program
from rulewright.program.instructions import OPERANDS, Instruction, is_constant, number_in
from rulewright.runtime.native.masks import Masks
from rulewright.runtime.native.memory import mask_words

_IN_ORDER: Mapping[str, tuple[int, ...]] = {
    "spill": (1,),
    "sift": (1,),
    "deal": (1, 5),
    "pour": (1, 2),
    "shuffle": (1,),
}
"""Instructions that move the pieces of a zone one by one or shuffle them, and which operands are such zones."""


def count_only_zones(bodies: Sequence[tuple[Sequence[Node], Masks]], program: Program) -> tuple[int, ...]:
    """Return the cells of the zones that need no list, ascending. bodies: all code that runs, with its masks."""
    if not mask_words(program.layout):
        return ()
    cells: dict[str, list[int]] = {}
    for space in program.layout.zones:
        cells.setdefault(space.name, []).append(space.address)
    names = {cell: name for name, addresses in cells.items() for cell in addresses}
    listed: set[str] = set()
    for body, masks in bodies:
        code = flatten(body)
        sums = _constant_addends(code)
        for instruction in code:
            for cell, operand in _zones_with_lists(instruction, masks):
                listed |= _possible_names(cell, operand, sums, names)
    return tuple(sorted(cell for cell, name in names.items() if name not in listed))


def _zones_with_lists(instruction: Instruction, masks: Masks) -> list[tuple[int, int]]:
    """Return the zones whose lists an instruction needs, each as a constant cell and the operand to add to it,
    encoded as in instructions; 0, a register, where what is added is unknown."""
    match instruction:
        case ("read", int(vector), int(cell), int(index)):
            return [(cell, index)] if masks.needs_items(vector) else []
        case ("gather", _, _, int(cell)):
            return [(cell, 0)]
    operands = _IN_ORDER.get(str(instruction[0]), ())
    return [(0, int(instruction[place])) for place in operands]


def _constant_addends(code: Sequence[Instruction]) -> dict[int, int]:
    """Return the registers that are set once, to the sum of a constant and something else, with the constant."""
    setting: dict[int, list[Instruction]] = {}
    for instruction in code:
        if OPERANDS[str(instruction[0])].startswith("d"):
            setting.setdefault(int(instruction[1]), []).append(instruction)
    sums: dict[int, int] = {}
    for register, makers in setting.items():
        match makers:
            case [("add", _, int(one), int(other))] if is_constant(one) != is_constant(other):
                sums[register] = number_in(one if is_constant(one) else other)
    return sums


def _possible_names(cell: int, operand: int, sums: Mapping[int, int], names: Mapping[int, str]) -> set[str]:
    """Return the names of the zones that a cell plus an operand may be; all names where that is unknown."""
    if is_constant(operand):
        number = cell + number_in(operand)
        return {names[number]} if number in names else set()
    if cell > max(names, default=0):
        return set()  # a set that is no zone
    first = cell or sums.get(number_in(operand), -1)
    begins = first in names and names.get(first - 1) != names[first]
    return {names[first]} if begins else set(names.values())
