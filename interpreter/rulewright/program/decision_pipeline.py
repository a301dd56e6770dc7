"""Pipeline of passes for play with decisions: blocks that stop wherever a seat is asked."""

from __future__ import annotations

from rulewright.program.blocks import Blocks, Nest, Node, blocks_of, entries
from rulewright.program.form import Program
from rulewright.program.instructions import REMEMBERING
from rulewright.program.passes.block_merging import going_straight_back, joined
from rulewright.program.passes.common_subexpressions import shared
from rulewright.program.passes.loop_invariants import hoisted
from rulewright.program.passes.simplification import pruned


def decision_blocks(program: Program, telling: bool = True) -> Blocks:
    """Return the optimized blocks at which a game can begin or continue, and those that they need.

    telling: whether to emit log texts and arguments of questions, and to track what players know. The blocks are
    otherwise the same.
    """
    blocks = stopping_blocks(program)
    if not telling:
        blocks = {number: _without_texts(body) for number, body in blocks.items()}
    return {number: pruned(shared(body), program.layout, program.tables) for number, body in blocks.items()}


def stopping_blocks(program: Program) -> Blocks:
    """Return the same blocks before each is simplified by itself."""
    return joined(going_straight_back(hoisted(blocks_of(program), program.layout)), entries(program))


def _without_texts(nodes: list[Node]) -> list[Node]:
    return [
        Nest(node.opening, _without_texts(node.body), _without_texts(node.other))
        if isinstance(node, Nest)
        else node[:6]
        if node[0] == "ask"
        else node
        for node in nodes
        if (node.opening[0] != "told" if isinstance(node, Nest) else node[0] not in REMEMBERING)
    ]
