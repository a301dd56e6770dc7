"""Code that stops wherever somebody is asked: a program's blocks, simplified."""

from __future__ import annotations

from rulewright.program.blocks import Blocks, Nest, Node, blocks_of, entries
from rulewright.program.form import Program
from rulewright.program.instructions import REMEMBERING
from rulewright.program.passes.block_merging import going_straight_back, joined
from rulewright.program.passes.common_subexpressions import shared
from rulewright.program.passes.loop_invariants import hoisted
from rulewright.program.passes.simplification import pruned


def asking(program: Program, telling: bool = True) -> Blocks:
    """The blocks at which a game can begin or go on, and those that they still need.

    telling: whether texts are told where somebody listens, questions have their texts' arguments, and it is kept what
    players know. The blocks are the same without.
    """
    blocks = stopping(program)
    if not telling:
        blocks = {number: _untold(body) for number, body in blocks.items()}
    return {number: pruned(shared(body), program.layout, program.tables) for number, body in blocks.items()}


def stopping(program: Program) -> Blocks:
    """The same blocks before each of them is pruned."""
    return joined(going_straight_back(hoisted(blocks_of(program), program.layout)), entries(program))


def _untold(nodes: list[Node]) -> list[Node]:
    return [
        Nest(node.opening, _untold(node.body), _untold(node.other))
        if isinstance(node, Nest)
        else node[:6]
        if node[0] == "ask"
        else node
        for node in nodes
        if (node.opening[0] != "told" if isinstance(node, Nest) else node[0] not in REMEMBERING)
    ]
