"""Pipeline of passes for rollouts: every decision is answered at random, without texts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from rulewright.program.appearance import may_be_indistinguishable
from rulewright.program.blocks import Blocks, Nest, Node, blocks_of, flatten, free_register, rewrite_nodes
from rulewright.program.form import Program
from rulewright.program.instructions import LEFT_OUT_IN_BULK, ONE, ZERO, Instruction, constant, register_value
from rulewright.program.passes.block_merging import merge_blocks, replace_return_jumps
from rulewright.program.passes.block_specialization import specialize_blocks
from rulewright.program.passes.code_sinking import sink_vectors
from rulewright.program.passes.common_prefix import split_common_prefix
from rulewright.program.passes.common_subexpressions import share_computations
from rulewright.program.passes.loop_invariants import hoist_invariants
from rulewright.program.passes.loop_unrolling import unroll_loops
from rulewright.program.passes.register_promotion import promote_cells
from rulewright.program.passes.simplification import fold_constants, names_used_by, remove_unused, simplify
from rulewright.program.state_layout import ME, PARKED


def rollout_blocks(program: Program) -> Blocks:
    """Return all blocks of a program with random answers instead of questions. A game can start at any of them; those
    that it reaches from its start are specialized for that."""
    blocks = {
        number: simplify(body, program.layout, program.tables)
        for number, body in _randomized_blocks(program, None).items()
    }
    return {**blocks, **_specialize_from_start(program, blocks)}


def whole_game_blocks(program: Program, emitted_text: int | None = None) -> Blocks:
    """Return the blocks of a whole game with random answers instead of questions. The first block may stop, by a
    `wait`, after the start that all games share. emitted_text: the only text that is still emitted, None for none;
    answers are then recorded."""
    return split_common_prefix(
        _specialize_from_start(program, _randomized_blocks(program, emitted_text)), program.start
    )


def _randomized_blocks(program: Program, emitted_text: int | None) -> Blocks:
    """Return a program's blocks with each question replaced by a random answer. emitted_text: as in
    `whole_game_blocks`."""
    asking = hoist_invariants(blocks_of(program), program.layout)
    numbers = count(free_register(asking))
    return replace_return_jumps(
        {number: _answer_questions(body, program, numbers, emitted_text) for number, body in asking.items()}
    )


def _specialize_from_start(program: Program, blocks: Blocks) -> Blocks:
    """Return the blocks that a game can reach from its start, specialized for it and optimized; all blocks where a jump
    leads to a computed one."""
    quick = specialize_blocks(blocks, program.start, program.sealed)
    quick = merge_blocks(
        {number: fold_constants(body, program.tables) for number, body in quick.items()}, [program.start]
    )
    if any(i[0] == "goto_value" for body in quick.values() for i in flatten(body)):
        return {number: simplify(body, program.layout, program.tables) for number, body in {**blocks, **quick}.items()}
    quick = _without_unread_cells(
        {number: simplify(share_computations(body), program.layout, program.tables) for number, body in quick.items()},
        program,
    )
    if (unrolled := unroll_loops(quick, program.tables)) != quick:
        unrolled = {number: fold_constants(body, program.tables) for number, body in unrolled.items()}
        quick = _without_unread_cells(unrolled, program)
    return quick


def _without_unread_cells(quick: Blocks, program: Program) -> Blocks:
    """Drop writes of control cells that nothing reads: of the acting seat, and of those beyond the zones.

    Reads used by such writes only are dropped, too. The rest is promoted to registers, and vectors sink into branches.
    """
    codes = [flatten(body) for body in quick.values()]
    zones_end = max((space.address for space in program.layout.zones), default=program.layout.size)
    measured = set(_cells_of_measures(program))
    read = set(measured)

    def useless(instruction: Instruction) -> bool:
        place = {"store": 1, "store_block": 1, "keep": 2}.get(str(instruction[0]))
        return place is not None and (cell := int(instruction[place])) not in read and (cell > zones_end or cell == ME)

    known = -1
    while len(read) > known:
        known = len(read)
        for code in codes:
            used = {name for instruction in code if not useless(instruction) for name in names_used_by(instruction)}
            for name, register, cell in (i[:3] for i in code if i[0] in ("load", "read")):
                if f"{'r' if name == 'load' else 'V'}{register}" in used:
                    read.add(int(cell))
    quick = {number: rewrite_nodes(body, lambda i: [] if useless(i) else [i]) for number, body in quick.items()}
    quick = promote_cells(quick, zones_end + 1, measured)
    return {number: sink_vectors(remove_unused(body)) for number, body in quick.items()}


def _cells_of_measures(program: Program) -> Iterator[int]:
    """Yield the cells that measures read when a game is over; control cells are among them in programs with
    coverage."""
    for measure in program.measures:
        for _, _, cell, *_ in (i for i in program.functions[measure.function].code if i[0] in ("load", "read")):
            yield int(cell)


def _answer_questions(
    nodes: list[Node], program: Program, numbers: Iterator[int], emitted_text: int | None
) -> list[Node]:
    """Return nodes with random answers instead of questions, and without waits, views and texts. numbers: free
    registers and vectors; emitted_text: as in `whole_game_blocks`."""
    result: list[Node] = []
    for node in nodes:
        if not isinstance(node, Nest):
            if node[0] == "ask":
                result += _random_answer(node, program, numbers, emitted_text is not None)
            elif node[0] != "wait" and node[0] not in LEFT_OUT_IN_BULK:  # nobody is waited for, nor looks at anything
                result.append(node)
        elif node.opening[0] == "told":
            result += [inner[:2] for inner in flatten(node.body) if inner[:2] == ("tell", emitted_text)]
        else:
            body, other = (
                _answer_questions(inside, program, numbers, emitted_text) for inside in (node.body, node.other)
            )
            result.append(Nest(node.opening, body, other))
    return result


def _random_answer(ask: Instruction, program: Program, numbers: Iterator[int], noted: bool) -> Iterator[Instruction]:
    """Yield instructions that answer a question at random and store the answer as `Machine.answer` does. noted: whether
    the answer is recorded."""
    answer = next(numbers)
    _, number, seat, candidates, least, most, *_ = (int(operand) if i else 0 for i, operand in enumerate(ask))
    site = program.sites[number]
    seats = seat if site.per_seat else ZERO
    if may_be_indistinguishable(program, site):
        by_place = ZERO
        if site.by_place >= 0:
            place = next(numbers)
            by_place = register_value(place)
            yield ("load", place, site.by_place, seats)
        yield ("pick_alike", answer, candidates, least, most, seat, by_place, number)
    elif most == ONE and least in (ZERO, ONE):
        yield ("pick_one" if least == ONE else "pick_up_to_one", answer, candidates)
    else:
        yield ("pick", answer, candidates, least, most)
    if noted:
        yield ("noted", number, seat, candidates, least, answer)
    yield ("keep", answer, site.slot, seats)
    if not site.parks:
        yield ("goto", site.resume)
        return
    sealed = program.sealed[site.sealed]
    yield ("store_block", sealed.parked_block, seat, site.resume)
    yield ("store", sealed.next_block, seat, constant(PARKED))
    yield ("goto", sealed.block)
