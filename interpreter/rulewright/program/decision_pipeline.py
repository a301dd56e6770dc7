"""Pipeline of passes for play with decisions: blocks that stop wherever a seat is asked."""

from __future__ import annotations

from rulewright.program.blocks import Blocks, Nest, Node, blocks_of, entry_blocks
from rulewright.program.form import Program
from rulewright.program.instructions import LEFT_OUT_IN_BULK
from rulewright.program.passes.block_merging import merge_blocks, replace_return_jumps
from rulewright.program.passes.common_subexpressions import share_computations
from rulewright.program.passes.loop_invariants import hoist_invariants
from rulewright.program.passes.simplification import simplify


def decision_blocks(program: Program, telling: bool = True) -> Blocks:
    """Return the optimized blocks at which a game can begin or continue, and those that they need.

    telling: whether to emit log texts and arguments of questions, and to track what players know. The blocks are
    otherwise the same.
    """
    blocks = stopping_blocks(program)
    if not telling:
        blocks = {number: _remove_texts(body) for number, body in blocks.items()}
    return {
        number: simplify(share_computations(body), program.layout, program.tables) for number, body in blocks.items()
    }


def stopping_blocks(program: Program) -> Blocks:
    """Return the blocks of `decision_blocks` with texts, before each is simplified by itself."""
    return merge_blocks(
        replace_return_jumps(hoist_invariants(blocks_of(program), program.layout)), entry_blocks(program)
    )


def _remove_texts(nodes: list[Node]) -> list[Node]:
    """Return nodes without log texts, arguments of questions, and tracking of what players know."""
    return [
        Nest(node.opening, _remove_texts(node.body), _remove_texts(node.other))
        if isinstance(node, Nest)
        else node[:6]
        if node[0] == "ask"
        else node
        for node in nodes
        if (node.opening[0] != "told" if isinstance(node, Nest) else node[0] not in LEFT_OUT_IN_BULK)
    ]
