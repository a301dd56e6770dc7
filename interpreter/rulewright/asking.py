"""Code that stops wherever somebody is asked: a program's blocks, simplified."""

from __future__ import annotations

from rulewright.blocks import Blocks, blocks_of, entries
from rulewright.joining import going_straight_back, joined
from rulewright.program import Program
from rulewright.pruning import pruned


def asking(program: Program) -> Blocks:
    """The blocks at which a game can begin or go on, and those that they still need."""
    blocks = joined(going_straight_back(blocks_of(program)), entries(program))
    return {number: pruned(body, program.layout) for number, body in blocks.items()}
