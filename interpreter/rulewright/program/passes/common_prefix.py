"""Common prefix of all games of a program, to be run once for many games.

Shuffles are deferred: code that does not read the shuffled zone may run before them.
"""

from __future__ import annotations

from rulewright.program.blocks import Blocks, Node, flatten
from rulewright.program.instructions import (
    MOVING,
    STEADY,
    Instruction,
    constant_value,
    is_constant,
    number_in,
    zones_of,
)
from rulewright.program.passes.simplification import names_set_by, names_used_by
from rulewright.program.state_layout import NOTHING


def split_common_prefix(blocks: Blocks, start: int) -> Blocks:
    """Return blocks with the first one split: if all games start by moving the same pieces, it does only that, and
    stops by a `wait` before a new block, the highest, with the rest. Else the blocks stay as they are."""
    before: list[Node] = []
    shuffles: list[Instruction] = []
    rest = list(blocks[start])
    while rest:
        match rest[0]:
            case ("shuffle", int(zone)) as shuffle if is_constant(zone):
                shuffles.append(shuffle)
            case node if _is_same_in_all_games(flatten([node]), {number_in(int(zone)) for _, zone in shuffles}):
                before.append(node)
            case _:
                break
        del rest[0]
    if any(i[0] in ("goto", "store_block") and i[-1] == start for body in blocks.values() for i in flatten(body)):
        return blocks  # the prefix would be repeated there
    code = flatten(before)
    if not any(instruction[0] in MOVING for instruction in code):
        return blocks
    needed = {name for instruction in flatten(rest) for name in names_used_by(instruction)}
    if any(name in needed for instruction in code for name in names_set_by(instruction)):
        return blocks
    further = 1 + max(blocks)
    return {**blocks, start: [*before, ("wait", further)], further: [*shuffles, *rest]}


def _is_same_in_all_games(code: list[Instruction], shuffled: set[int]) -> bool:
    """Return whether code does the same in every game, whatever the shuffles. shuffled: zones whose order it must not
    read."""
    if not all(instruction[0] in STEADY for instruction in code):
        return False
    zones = {zone for instruction in code for zone in _zones_touched(instruction)}
    return None not in zones and zones.isdisjoint(shuffled)


def _zones_touched(instruction: Instruction) -> list[int | None]:
    """List the zones that an instruction reads or changes; None for an unknown one."""
    match instruction:
        case ("read", _, int(cell), int(index)):
            return [cell + number_in(index) if is_constant(index) else None]
        case ("gather", *_):
            return [None]
        case ("deal", *_, int(refill)) if constant_value(refill) != NOTHING:
            return [None]  # a refill is shuffled
    return [constant_value(operand) for operand in zones_of(instruction)]
