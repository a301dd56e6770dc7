"""Code that plays on by itself: every decision is answered at random, nothing is told."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.blocks import Blocks, Nest, Node, blocks_of
from rulewright.joining import going_straight_back, joined
from rulewright.program import ONE, PARKED, ZERO, Instruction, Program
from rulewright.pruning import pruned


def playing(program: Program) -> Blocks:
    """Every block of a program, answering instead of asking. A game can begin at any of them."""
    silent = {number: _silent(body, program) for number, body in blocks_of(program).items()}
    blocks = {number: pruned(body, program.layout) for number, body in going_straight_back(silent).items()}
    return {**blocks, **joined(blocks, [program.start])}


def _silent(nodes: list[Node], program: Program) -> list[Node]:
    written: list[Node] = []
    for node in nodes:
        if not isinstance(node, Nest):
            written += _answered(node, program) if node[0] == "ask" else [node]
        elif node.opening[0] != "told":
            written.append(Nest(node.opening, _silent(node.body, program), _silent(node.other, program)))
    return written


def _answered(ask: Instruction, program: Program) -> Iterator[Instruction]:
    """Instead of asking, as `Machine.answer` puts an answer into the state."""
    _, number, seat, candidates, least, most, *_ = (int(operand) if i else 0 for i, operand in enumerate(ask))
    site = program.sites[number]
    seats = seat if site.per_seat else ZERO
    if most == ONE and least in (ZERO, ONE):
        yield ("pick_one" if least == ONE else "pick_up_to_one", site.slot, seats, candidates)
    else:
        yield ("pick", site.slot, seats, candidates, least, most)
    if not site.parks:
        yield ("goto", site.resume)
        return
    sealed = program.sealed[site.sealed]
    yield ("store_block", sealed.parked_block, seat, site.resume)
    yield ("store", sealed.next_block, seat, 2 * PARKED + 1)
    yield ("goto", sealed.block)
