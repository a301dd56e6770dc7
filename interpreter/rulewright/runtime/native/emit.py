"""Program -> WebAssembly text of a module.

The blocks of the program are blocks of one function, `$run`, entered by a table of branches: forward from there and
from each other by branches, backward through the table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from rulewright.program.appearance import may_be_alike
from rulewright.program.blocks import Blocks, Nest, Node, flattened, nested
from rulewright.program.form import ANSWERS, FUEL, GAME_OVER, LIMITED, PC, RANDOM, ROUND, Program
from rulewright.program.instructions import Instruction
from rulewright.program.passes.block_merging import together
from rulewright.program.passes.simplification import pruned, set_in, used_in
from rulewright.program.rollout_pipeline import whole
from rulewright.runtime.native.bits import Bits
from rulewright.runtime.native.counted import counted
from rulewright.runtime.native.floating import BASE, floating
from rulewright.runtime.native.in_sight import InSight
from rulewright.runtime.native.inlining import written
from rulewright.runtime.native.maps import Maps
from rulewright.runtime.native.masks import Masks, TableMasks
from rulewright.runtime.native.memory import (
    ANSWER_END,
    ASKED_END,
    ASKING,
    CHANCE,
    ENDED,
    ERROR,
    LOST,
    MOST,
    ONES,
    OVER,
    PLAYED_OUT,
    PLAYING,
    SLACK,
    WORD,
    Memory,
    MemoryNeeds,
    mask_words,
)
from rulewright.runtime.native.ordered import OrderedSets
from rulewright.runtime.native.tracing import NOTHING_NOTED, Tracing
from rulewright.runtime.native.vectors import TooLong, Vectors
from rulewright.runtime.native.writing import Writer
from rulewright.runtime.operations import FUEL_BETWEEN_DECISIONS

MOST_NAMES, MOST_INSTRUCTIONS = 5_000, 20_000
"""Registers and vectors of a block, and instructions in all. With so many, compiling takes some 300 MB; a WebAssembly
function may have 50,000 locals at most."""


def emitted(
    program: Program,
    blocks: Blocks,
    functions: Sequence[int],
    exports: Sequence[str],
    tracing: Tracing | None = None,
    more: Callable[[Memory], tuple[str, int]] | None = None,
) -> tuple[str, Memory]:
    """The text of the module, and what lies where in its memory. blocks: what games run; functions, exports: those of
    the program and of library.wat that can be called; tracing: what counts, in a module that does so; more: gives more
    functions, and how many pages of memory they need behind the others; such a module finds the state at $BASE.

    Raises Unbounded.
    """
    codes: dict[str, Sequence[Instruction]] = {f"f{number}": program.functions[number].code for number in functions}
    results = (program.functions[number].code for number in _results_of(program))
    codes["points"] = together(results, FUEL_BETWEEN_DECISIONS)
    if tracing is not None:
        codes["looking"] = tracing.looking
    bodies = {name: pruned(nested(code), program.layout, program.tables) for name, code in codes.items()}
    every = [*blocks.values(), *bodies.values()]
    _check_length(every)
    vectors = {id(body): Vectors(body, program.layout, program.tables) for body in every}
    bits = {id(body): Bits(OrderedSets(body, program), program) for body in every}
    maps = {key: Maps(body, vectors[key], bits[key].sets, program) for body in every if (key := id(body))}
    sizes = [[*((v.capacity(n) + SLACK) * WORD for n in v.names()), maps[key].size] for key, v in vectors.items()]
    room = max(map(sum, sizes[: len(blocks)]))  # functions have theirs behind, as they may be called in the midst
    tables = TableMasks(program)
    masks = {id(body): Masks(body, program.layout, tables) for body in every}
    by_value = {
        table: [tables.equal(table, value) for value in tables.values(table)]
        for table in sorted({table for held in masks.values() for table in held.looked_up})
    }
    columns = max(len(i) for body in (*blocks.values(), *bodies.values()) for i in flattened(body))
    scratch = room + max(map(sum, sizes[len(blocks) :]), default=0)
    largest = max((size // WORD for block in sizes for size in block), default=0)
    data = {key: found for sets in bits.values() for key, found in sets.data.items()}
    counts = counted([(body, masks[id(body)]) for body in every], program) if "play" in exports else ()
    ways = max((_ways_in(flattened(body), vectors[id(body)], program) for body in blocks.values()), default=0)
    needs = MemoryNeeds(scratch, largest, columns, by_value, data, counts, ways)
    memory = Memory(program, needs, tracing, more is not None)
    constants = {**_globals(program, memory), **(tracing.addresses() if tracing is not None else {})}
    text = [
        *_run(program, memory, blocks, vectors, masks, bits, maps, tracing),
        *([NOTHING_NOTED] if tracing is None else tracing.functions_text()),
    ]
    for name, body in bodies.items():
        key = id(body)
        answers = [] if name.startswith("f") else _answers_of(body, vectors[key])
        writer = Writer(program, memory, vectors[key], masks[key], bits[key], -1, {}, maps[key], room, answers=answers)
        code = writer.written(body)
        registers, own, loops = code.needs
        text += [f"(func ${name} (param $r0 i64) (result i32)", *_locals(registers, own, loops, first=1)]
        text += [f"(local ${local} {type_})" for local, type_ in code.needed.items()]
        text += [*code.lines, "unreachable)"]
    text += [*_results(program, memory), *_calls(functions)]
    further, pages = more(memory) if more else ("", 0)
    text += [further] if further else []
    begin = [
        "(module",
        f'(memory (export "memory") {memory.pages + pages} {memory.pages + pages})',
        *(f"(global ${name} i32 (i32.const {number}))" for name, number in constants.items()),
    ]
    spelt = "\n".join([*written(text, exports), *text])
    spelt = re.sub(r"offset=\$(\w+)", lambda name: f"offset={constants[name[1]]}", spelt)
    if more:
        begin, spelt = [*begin, BASE], floating(spelt, constants, memory.origin)
    return "\n".join([*begin, spelt, ")"]), memory


def _ways_in(code: Sequence[Instruction], vectors: Vectors, program: Program) -> int:
    """How many numbers are needed to count the ways to choose several of what may look alike."""
    most = 0
    for instruction in code:
        match instruction:
            case ("pick_alike", _, int(vector), _, int(limit), *_):
                pass
            case ("ask", int(site), _, int(vector), _, int(limit), *_) if may_be_alike(program, program.sites[site]):
                pass
            case _:
                continue
        size = min(vectors.capacity(vector), program.layout.pieces)
        limit = min(size, limit >> 1) if limit & 1 else size
        if limit > 1:
            most = max(most, (size + 1) * (limit + 1))
    return most


def _check_length(bodies: Sequence[list[Node]]) -> None:
    """Raises TooLong. Memory to compile a function grows with its length times its locals."""
    length = 0
    for body in bodies:
        code = flattened(body)
        length += len(code)
        names = {name for instruction in code for name in (*set_in(instruction), *used_in(instruction))}
        if len(names) > MOST_NAMES or length > MOST_INSTRUCTIONS:
            raise TooLong


def counted_zones(program: Program) -> frozenset[int]:
    """The cells of the zones of which whole games keep no list, whatever is counted of them. Raises Unbounded."""
    functions = {*_results_of(program), *(measure.function for measure in program.measures)}
    functions |= {power.function for power in program.powers.values()}
    bodies = list(whole(program).values())
    bodies += [pruned(nested(program.functions[number].code), program.layout, program.tables) for number in functions]
    for body in bodies:
        Vectors(body, program.layout, program.tables)
    tables = TableMasks(program)
    return frozenset(counted([(body, Masks(body, program.layout, tables)) for body in bodies], program))


def _globals(program: Program, memory: Memory) -> dict[str, int]:
    cells = memory.state
    return {
        "ERROR": ERROR,
        "HERE": 0,
        "PLAYING": PLAYING,
        "GAVE": cells + WORD * ANSWERS,
        "LIMITED": cells + WORD * LIMITED,
        "LIMIT": program.limit.answers,
        "UNSCORED": int(not program.limit.scored),
        "ASKED_END": ASKED_END,
        "ANSWER_END": ANSWER_END,
        "CHANCE": CHANCE,
        "ENDED": ENDED,
        "MOST": MOST,
        "PLAYED_OUT": PLAYED_OUT,
        "ORDERS": memory.orders,
        "ROUND": cells + WORD * ROUND,
        "MARKS": memory.marks,
        "MASKS": memory.masks,
        "BITS": memory.bits,
        "ONES": memory.data((ONES, 0, 0)),
        "MASKED": mask_words(program.layout),
        "SETS": memory.sets,
        "COUNTED": memory.counted,
        "COLUMNS": memory.columns,
        "ORDER": memory.order,
        "BATCHES": memory.batches,
        "SORTED": memory.sorted,
        "TEMPORARY": memory.temporary,
        "CELLS": cells,
        "PC": cells + WORD * PC,
        "FUEL": cells + WORD * FUEL,
        "RANDOM": cells + WORD * RANDOM,
        "AT": cells + WORD * program.layout.at,
        "STATE_SIZE": memory.state_size,
        "TEMPLATE": memory.template,
        "ASKED": memory.asked,
        "ANSWERS": memory.answers,
        "KEYS": memory.keys,
        "SHOWN": memory.shown,
        "SHOWN_MARKS": memory.shown_marks,
        "SIGHT": memory.sight,
        "SIGHT_WIDTH": memory.sight_width,
        "UNLIKE": memory.unlike,
        "WAYS": memory.ways,
        "COUNTERS": memory.counters,
        "MARKED": memory.marked,
        "KEY_COUNT": len(program.ranking),
        "SEATS": program.layout.seats,
        "RESULTS": memory.results,
        "ROW": memory.row,
        "LINE_COUNT": len(program.scoring),
        "PLAYED": OVER,
        "STOPPED": ASKING,
        "FUEL_FOR_ONE": FUEL_BETWEEN_DECISIONS,
        "OVER": GAME_OVER,
    }


def _run(
    program: Program,
    memory: Memory,
    blocks: Blocks,
    vectors: Mapping[int, Vectors],
    masks: Mapping[int, Masks],
    bits: Mapping[int, Bits],
    maps: Mapping[int, Maps],
    tracing: Tracing | None,
) -> Iterator[str]:
    """The function that goes on from where the state is until somebody is asked or the game is over."""
    places = {number: place for place, number in enumerate(blocks)}
    codes = [
        Writer(
            *(program, memory, vectors[key], masks[key], bits[key], number, places, maps[key]),
            tracing=tracing,
            seen=InSight(body, program).seen,
        ).written(body)
        for number, body in blocks.items()
        if (key := id(body))
    ]
    yield "(func $run (result i32) (local $block i32) (local $spent i32)"
    yield from _locals(*(max(needs) for needs in zip(*(code.needs for code in codes), strict=True)))
    for name, type_ in {name: type_ for code in codes for name, type_ in code.needed.items()}.items():
        yield f"(local ${name} {type_})"
    yield f"(if (i32.eq (local.tee $block (i32.load (global.get $PC))) (i32.const {GAME_OVER}))"
    yield f"(then (return (i32.const {OVER}))))"
    yield "loop $next"
    for number in reversed(blocks):
        yield f"block $b{number}"
    table = " ".join(f"$b{n}" if n in blocks else "$lost" for n in range(max(blocks) + 1))
    yield f"block $lost\n(br_table {table} $lost (local.get $block))\nend\n(return (i32.const {LOST}))"
    for code in codes:
        yield "end"
        yield from code.lines
    yield "end\nunreachable)"


def _locals(registers: int, vectors: int, loops: int, first: int = 0) -> Iterator[str]:
    yield from (f"(local $r{n} i64)" for n in range(first, registers))
    yield from (f"(local $v{n} i32) (local $n{n} i32)" for n in range(vectors))
    yield from (f"(local $p{n} i32) (local $e{n} i32)" for n in range(loops))


def _results(program: Program, memory: Memory) -> Iterator[str]:
    """The functions that tell whether a seat is scored, who counts for it, and what the seats have at the end."""
    role = f"(i32.load offset={memory.state + WORD * program.layout.role} (i32.shl (local.get $seat) (i32.const 2)))"
    unscored = [number for number, name in enumerate(program.roles) if name in program.unscored_roles]
    yield "(func $scored (param $seat i32) (result i32)"
    for number in unscored:
        yield f"(if (i32.eq {role} (i32.const {number})) (then (return (i32.const 0))))"
    yield "(i32.const 1))"
    yield "(func $partners (param $one i32) (param $other i32) (result i32)"
    if program.sides >= 0:
        side = f"(i32.load offset={memory.state + WORD * program.sides} (i32.shl (local.get ${{}}) (i32.const 2)))"
        yield f"(i32.eq {side.format('one')} {side.format('other')}))"
    else:
        yield "(i32.eq (local.get $one) (local.get $other)))"
    best = "(call $best_of_side (local.get $seat))" if program.sides >= 0 else "(local.get $seat)"
    yield f"(func $best (param $seat i32) (result i32) {best})"
    yield "(func $score (param $seat i64) (param $keys i32) (param $lines i32) (result i32) (local $ended i32)"
    yield "(i32.store (global.get $ANSWER_END) (global.get $ANSWERS))"
    yield "(if (local.tee $ended (call $points (local.get $seat))) (then (return (local.get $ended))))"
    places = [("keys", n) for n in range(len(program.ranking))] + [("lines", n) for n in range(len(program.scoring))]
    for answer, (where, n) in enumerate(places):
        points = f"(i32.load offset={WORD * (2 * answer + 1)} (global.get $ANSWERS))"
        yield f"(i32.store offset={WORD * n} (local.get ${where}) {points})"
    yield "(i32.const 0))"


def _answers_of(body: Sequence[Node], vectors: Vectors) -> list[int]:
    """The results of functions that were put together, if nothing but their numbers is wanted of them."""
    last = body[-1]
    assert not isinstance(last, Nest) and last[0] == "answer"
    results = [int(result) for result in last[1:]]
    return results if all(map(vectors.pushed_once, results)) else []


def _results_of(program: Program) -> list[int]:
    """The functions of what the seats are ranked by, and of the lines of their points."""
    return [*program.ranking, *(line.function for line in program.scoring)]


def _calls(functions: Sequence[int]) -> Iterator[str]:
    yield '(func (export "call") (param $function i32) (param $seat i64) (result i32)'
    yield "(i32.store (global.get $ANSWER_END) (global.get $ANSWERS))"
    for number in functions:
        called = f"(then (return (call $f{number} (local.get $seat))))"
        yield f"(if (i32.eq (local.get $function) (i32.const {number})) {called})"
    yield "unreachable)"
