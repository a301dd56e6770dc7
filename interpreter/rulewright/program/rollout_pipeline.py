"""Pipeline of passes for rollouts: every decision is answered at random, without texts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from rulewright.program.appearance import may_be_alike
from rulewright.program.blocks import Blocks, Nest, Node, blocks_of, flattened, free_register, rewrite_nodes
from rulewright.program.form import ME, PARKED, Program
from rulewright.program.instructions import ONE, REMEMBERING, ZERO, Instruction, constant, register_value
from rulewright.program.passes.block_merging import going_straight_back, joined
from rulewright.program.passes.block_specialization import foreseen
from rulewright.program.passes.code_sinking import sunk
from rulewright.program.passes.common_prefix import split
from rulewright.program.passes.common_subexpressions import shared
from rulewright.program.passes.loop_invariants import hoisted
from rulewright.program.passes.loop_unrolling import unrolled
from rulewright.program.passes.register_promotion import in_registers
from rulewright.program.passes.simplification import folded, pruned, used_in, useful


def rollout_blocks(program: Program) -> Blocks:
    """Return all blocks of a program, answering instead of asking. A game can start at any of them."""
    blocks = {
        number: pruned(body, program.layout, program.tables) for number, body in _answering(program, None).items()
    }
    return {**blocks, **_from_the_start(program, blocks)}


def whole_game_blocks(program: Program, emitted_text: int | None = None) -> Blocks:
    """Return the blocks of a whole game, answering instead of asking.

    emitted_text: the only text that is still emitted, if given; answers are then recorded. The first block may stop
    after the common prefix of all games.
    """
    return split(_from_the_start(program, _answering(program, emitted_text)), program.start)


def _answering(program: Program, emitted_text: int | None) -> Blocks:
    asking = hoisted(blocks_of(program), program.layout)
    numbers = count(free_register(asking))
    return going_straight_back(
        {number: _silent(body, program, numbers, emitted_text) for number, body in asking.items()}
    )


def _from_the_start(program: Program, blocks: Blocks) -> Blocks:
    """Specialize the blocks of a game that runs from its start, and what it may reach."""
    quick = foreseen(blocks, program.start, program.sealed)
    quick = joined({number: folded(body, program.tables) for number, body in quick.items()}, [program.start])
    if any(i[0] == "goto_value" for body in quick.values() for i in flattened(body)):
        return {number: pruned(body, program.layout, program.tables) for number, body in {**blocks, **quick}.items()}
    quick = _without_notes(
        {number: pruned(shared(body), program.layout, program.tables) for number, body in quick.items()}, program
    )
    if (written_out := unrolled(quick, program.tables)) != quick:
        written_out = {number: folded(body, program.tables) for number, body in written_out.items()}
        quick = _without_notes(written_out, program)
    return quick


def _without_notes(quick: Blocks, program: Program) -> Blocks:
    """Drop writes of control cells (beyond the zones, and the acting seat) that nothing reads.

    Reads used by such writes only are dropped, too. The rest is promoted to registers.
    """
    codes = [flattened(body) for body in quick.values()]
    zones_end = max((space.address for space in program.layout.spaces), default=program.layout.size)
    measured = set(_measured(program))
    read = set(measured)

    def useless(instruction: Instruction) -> bool:
        place = {"store": 1, "store_block": 1, "keep": 2}.get(str(instruction[0]))
        return place is not None and (cell := int(instruction[place])) not in read and (cell > zones_end or cell == ME)

    known = -1
    while len(read) > known:
        known = len(read)
        for code in codes:
            used = {name for instruction in code if not useless(instruction) for name in used_in(instruction)}
            for name, register, cell in (i[:3] for i in code if i[0] in ("load", "read")):
                if f"{'r' if name == 'load' else 'V'}{register}" in used:
                    read.add(int(cell))
    quick = {number: rewrite_nodes(body, lambda i: [] if useless(i) else [i]) for number, body in quick.items()}
    quick = in_registers(quick, zones_end + 1, measured)
    return {number: sunk(useful(body)) for number, body in quick.items()}


def _measured(program: Program) -> Iterator[int]:
    """Yield the cells that are read when a game is over."""
    for measure in program.measures:
        for _, _, cell, *_ in (i for i in program.functions[measure.function].code if i[0] in ("load", "read")):
            yield int(cell)


def _silent(nodes: list[Node], program: Program, numbers: Iterator[int], emitted_text: int | None) -> list[Node]:
    """numbers: of registers and vectors that are free."""
    written: list[Node] = []
    for node in nodes:
        if not isinstance(node, Nest):
            if node[0] == "ask":
                written += _answered(node, program, numbers, emitted_text is not None)
            elif node[0] != "wait" and node[0] not in REMEMBERING:  # nobody is waited for, nor looks at anything
                written.append(node)
        elif node.opening[0] == "told":
            written += [inner[:2] for inner in flattened(node.body) if inner[:2] == ("tell", emitted_text)]
        else:
            body, other = (_silent(inside, program, numbers, emitted_text) for inside in (node.body, node.other))
            written.append(Nest(node.opening, body, other))
    return written


def _answered(ask: Instruction, program: Program, numbers: Iterator[int], noted: bool) -> Iterator[Instruction]:
    """Instead of asking, as `Machine.answer` puts an answer into the state."""
    chosen = next(numbers)
    _, number, seat, candidates, least, most, *_ = (int(operand) if i else 0 for i, operand in enumerate(ask))
    site = program.sites[number]
    seats = seat if site.per_seat else ZERO
    if may_be_alike(program, site):
        apart = ZERO
        if site.by_place >= 0:
            place = next(numbers)
            apart = register_value(place)
            yield ("load", place, site.by_place, seats)
        yield ("pick_alike", chosen, candidates, least, most, seat, apart, number)
    elif most == ONE and least in (ZERO, ONE):
        yield ("pick_one" if least == ONE else "pick_up_to_one", chosen, candidates)
    else:
        yield ("pick", chosen, candidates, least, most)
    if noted:
        yield ("noted", number, seat, candidates, least, chosen)
    yield ("keep", chosen, site.slot, seats)
    if not site.parks:
        yield ("goto", site.resume)
        return
    sealed = program.sealed[site.sealed]
    yield ("store_block", sealed.parked_block, seat, site.resume)
    yield ("store", sealed.next_block, seat, constant(PARKED))
    yield ("goto", sealed.block)
