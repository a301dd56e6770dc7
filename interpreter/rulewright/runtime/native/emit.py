"""Program -> WebAssembly module.

All blocks are in one function, `advance`. A branch table enters it at any block; jumps forward are branches, jumps
backward go through the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rulewright.base.records import record
from rulewright.program.appearance import may_be_indistinguishable
from rulewright.program.blocks import Blocks, Nest, Node, flatten, nest_code
from rulewright.program.form import Program
from rulewright.program.instructions import Instruction, is_constant, number_in
from rulewright.program.passes.block_merging import concatenate_functions
from rulewright.program.passes.simplification import names_set_by, names_used_by, simplify
from rulewright.program.rollout_pipeline import whole_game_blocks
from rulewright.program.state_layout import ANSWERS, FUEL, GAME_OVER, LIMITED, PC, RANDOM, ROUND
from rulewright.runtime.native import memory as places
from rulewright.runtime.native.assembler import Module
from rulewright.runtime.native.bit_set_analysis import BitSets
from rulewright.runtime.native.bits import BitData
from rulewright.runtime.native.block_code import BlockGenerator, Jumps
from rulewright.runtime.native.codegen import Analysis, CodeGenerator
from rulewright.runtime.native.count_only_zones import count_only_zones
from rulewright.runtime.native.maps import Maps
from rulewright.runtime.native.masks import Masks, TableMasks
from rulewright.runtime.native.memory import ONES, SLACK, WORD, Memory, MemoryNeeds, mask_words
from rulewright.runtime.native.operands import LocalFrame
from rulewright.runtime.native.statistics_code import StatisticsCode
from rulewright.runtime.native.statistics_memory import StatisticsMemory
from rulewright.runtime.native.vectors import TooLong, Vectors
from rulewright.runtime.native.visible_candidates import VisibleCandidates
from rulewright.runtime.native.webassembly import I32, I64, Address
from rulewright.runtime.operations import FUEL_BETWEEN_DECISIONS

MAX_NAMES, MAX_INSTRUCTIONS = 5_000, 20_000
"""Limits of the registers and vectors of one block or function, and of the instructions in all. With so many, compiling
takes some 300 MB; a WebAssembly function may have 50,000 locals at most."""

TREE_BYTES = 2**26
"""Room for a search; the system gives it only as it is used."""

ExtraLayout = Callable[[Memory], tuple[Mapping[str, int], int]]
"""Function that lays out more memory behind that of a program; returns more symbols for the library, and how many pages
to add. The states of such a module may lie anywhere."""


@record
class _Stretch:
    """Stretch of code with its analyses."""

    body: Sequence[Node]
    analysis: Analysis
    bits: BitData

    @property
    def sizes(self) -> list[int]:
        """Bytes of each vector, and last those of all maps."""
        vectors = self.analysis.vectors
        return [*((vectors.capacity(name) + SLACK) * WORD for name in vectors.names()), self.analysis.maps.size]


def emit_module(
    program: Program,
    blocks: Blocks,
    functions: Sequence[int],
    exports: Sequence[str],
    statistics: StatisticsMemory | None = None,
    extra_layout: ExtraLayout | None = None,
) -> tuple[bytes, Memory]:
    """Return a module in binary form, and its memory layout. blocks: code that games run; functions: numbers of the
    program's functions that can be called; exports: library functions that can be called; with "play" among them, zones
    may do without lists; statistics: memory for counts, None to count nothing; extra_layout: lays out more memory, None
    for no more. Raises Unbounded and TooLong."""
    counting = None if statistics is None else StatisticsCode(statistics)
    codes: dict[str, Sequence[Instruction]] = {f"f{number}": program.functions[number].code for number in functions}
    results = (program.functions[number].code for number in _result_functions(program))
    codes["points"] = concatenate_functions(results, FUEL_BETWEEN_DECISIONS)
    if counting is not None:
        codes["examine"] = counting.examination_code
    bodies = {name: simplify(nest_code(code), program.layout, program.tables) for name, code in codes.items()}
    _check_length([*blocks.values(), *bodies.values()])
    tables = TableMasks(program)
    of_blocks = {number: _analyse_stretch(body, program, tables) for number, body in blocks.items()}
    of_functions = {name: _analyse_stretch(body, program, tables) for name, body in bodies.items()}
    needs, room = _memory_needs(program, tables, [*of_blocks.values()], [*of_functions.values()], exports)
    memory = Memory(program, needs, statistics, extra_layout is not None)
    more, pages = extra_layout(memory) if extra_layout else ({}, 0)
    symbols = {**_symbols(program, memory), **(statistics.symbols() if statistics is not None else {}), **more}
    module = Module(symbols, memory.relocatable)
    module.export(*exports, "call")
    _define_advance(module, program, memory, of_blocks, counting)
    for name, stretch in of_functions.items():
        answers = [] if name.startswith("f") else _results_as_numbers(stretch)
        with module.function(name, [I64], I32) as f:
            frame = LocalFrame(f, memory, f.parameter(I64, 0))
            CodeGenerator(program, frame, stretch.analysis, room, answers, argument=0).write(stretch.body)
            f.unreachable()
    _define_is_scored(module, program, memory)
    _define_call(module, memory, functions)
    if counting is not None:
        counting.define(module, memory)
    else:
        with module.function("count_game", [I32], I32) as f:
            f.return_value(0)
    return module.binary(memory.pages + pages), memory


def _analyse_stretch(body: list[Node], program: Program, tables: TableMasks) -> _Stretch:
    """Return a stretch of code with its analyses. Raises Unbounded."""
    vectors = Vectors(body, program.layout, program.tables)
    sets = BitSets(body, program)
    analysis = Analysis(vectors, sets, Masks(body, program.layout, tables), Maps(body, vectors, sets, program))
    return _Stretch(body, analysis, BitData(sets, program))


def _memory_needs(
    program: Program,
    tables: TableMasks,
    of_blocks: Sequence[_Stretch],
    of_functions: Sequence[_Stretch],
    exports: Sequence[str],
) -> tuple[MemoryNeeds, int]:
    """Return the memory that the code needs, and how much scratch memory blocks need: that of functions follows, as
    blocks may call them. exports: as of `emit_module`."""
    every = [*of_blocks, *of_functions]
    room = max(sum(stretch.sizes) for stretch in of_blocks)
    looked_up = sorted({table for stretch in every for table in stretch.analysis.masks.tables_by_value})
    codes = [flatten(stretch.body) for stretch in every]
    of_each = [(stretch.body, stretch.analysis.masks) for stretch in every]
    choice_counts = (
        _count_numbers_for_choices(flatten(stretch.body), stretch.analysis.vectors, program) for stretch in of_blocks
    )
    needs = MemoryNeeds(
        scratch=room + max((sum(stretch.sizes) for stretch in of_functions), default=0),
        largest=max((size // WORD for stretch in every for size in stretch.sizes), default=0),
        columns=max(len(instruction) for code in codes for instruction in code),
        by_value={table: [tables.pieces_with(table, value) for value in tables.values(table)] for table in looked_up},
        data={key: content for stretch in every for key, content in stretch.bits.data.items()},
        without_lists=count_only_zones(of_each, program) if "play" in exports else (),
        choice_counts=max(choice_counts, default=0),
        tree=TREE_BYTES if "search_on" in exports else 0,
    )
    return needs, room


def _count_numbers_for_choices(code: Sequence[Instruction], vectors: Vectors, program: Program) -> int:
    """Return the most numbers that a question of the code takes to count the ways to choose several candidates that may
    look alike; 0 if none does."""
    most = 0
    for instruction in code:
        match instruction:
            case ("pick_alike", _, int(vector), _, int(limit), *_):
                pass
            case ("ask", int(site), _, int(vector), _, int(limit), *_) if may_be_indistinguishable(
                program, program.sites[site]
            ):
                pass
            case _:
                continue
        size = min(vectors.capacity(vector), program.layout.pieces)
        limit = min(size, number_in(limit)) if is_constant(limit) else size
        if limit > 1:
            most = max(most, (size + 1) * (limit + 1))
    return most


def _check_length(bodies: Sequence[list[Node]]) -> None:
    """Refuse code that is too long: a compiler needs memory for the length of a function times its locals. Raises
    TooLong."""
    length = 0
    for body in bodies:
        code = flatten(body)
        length += len(code)
        names = {name for instruction in code for name in (*names_set_by(instruction), *names_used_by(instruction))}
        if len(names) > MAX_NAMES or length > MAX_INSTRUCTIONS:
            raise TooLong


def zones_without_lists(program: Program) -> frozenset[int]:
    """Return the cells of the zones without a list in whole games with statistics of any kind. Raises Unbounded."""
    functions = {*_result_functions(program), *(measure.function for measure in program.measures)}
    functions |= {power.function for power in program.powers.values()}
    bodies = list(whole_game_blocks(program).values())
    bodies += [
        simplify(nest_code(program.functions[number].code), program.layout, program.tables) for number in functions
    ]
    for body in bodies:
        Vectors(body, program.layout, program.tables)
    tables = TableMasks(program)
    return frozenset(count_only_zones([(body, Masks(body, program.layout, tables)) for body in bodies], program))


_CONSTANTS = {
    "ERROR": places.ERROR,
    "PLAYING": places.PLAYING,
    "MOST": places.MOST,
    "ASKED_END": places.ASKED_END,
    "ANSWER_END": places.ANSWER_END,
    "ENDED": places.ENDED,
    "PLAYED_OUT": places.PLAYED_OUT,
    "TURN": places.TURN,
    "CHANCE": places.CHANCE,
    "ENDED_ASKING": places.ASKING,
    "ENDED_OVER": places.OVER,
    "GAME_OVER": GAME_OVER,
    "FUEL_FOR_ONE": FUEL_BETWEEN_DECISIONS,
}
"""Symbols that are the same for all programs."""

_IN_MEMORY = (
    "ORDERS", "ANSWERS", "RESULTS", "STATE_SIZE", "TEMPLATE", "SETS", "COUNTED", "BITS", "MARKS", "BATCHES",
    "COLUMNS", "ORDER", "SORTED", "TEMPORARY", "SHOWN_MARKS", "SIGHT", "SIGHT_WIDTH",
    "COUNTERS", "MARKED", "KEYS", "ROW", "SEARCH", "TREE", "TREE_END", "SOURCES", "SCHEDULES", "SCHEDULE_COUNT",
    "VISIBLE", "VIEWS", "INFORMATION", "QUESTION_SIZE", "AMAF",
)  # fmt: skip
"""Symbols that are attributes of the memory."""


def _symbols(program: Program, memory: Memory) -> dict[str, int]:
    """Return the symbols that library/program.h names. Places in the state are offsets from its beginning."""

    def cell(number: int) -> int:
        return memory.cell(number) - memory.origin

    return {
        **_CONSTANTS,
        **{name: getattr(memory, name.lower()) for name in _IN_MEMORY},
        "ASKED": memory.questions,
        "GLANCE_OF_ALL": memory.glances[0],
        "WAYS": memory.choice_counts,
        "SHOWN": memory.appearances,
        "UNLIKE": memory.distinct_pieces,
        "CELLS": cell(0),
        "PC": cell(PC),
        "FUEL": cell(FUEL),
        "RANDOM": cell(RANDOM),
        "ROUND": cell(ROUND),
        "GIVEN": cell(ANSWERS),
        "LIMITED": cell(LIMITED),
        "AT": cell(program.layout.piece_zones),
        "MASKS": memory.masks - memory.origin,
        "MASKED": mask_words(program.layout),
        "ONES": memory.data((ONES, 0, 0)),
        "SEATS": program.layout.seats,
        "KEY_COUNT": len(program.ranking),
        "LINE_COUNT": len(program.scoring),
        "LIMIT": program.limit.answers,
        "UNSCORED": int(not program.limit.scored),
        "HAS_SIDES": int(program.sides >= 0),
        "SIDE_OF": cell(max(0, program.sides)),
    }


def _define_advance(
    module: Module,
    program: Program,
    memory: Memory,
    blocks: Mapping[int, _Stretch],
    statistics: StatisticsCode | None,
) -> None:
    """Define the function that runs blocks until a seat is asked or the game is over."""
    with module.function("advance", [], I32) as f:
        frame = LocalFrame(f, memory)
        number, fuel_used = f.local(I32), f.local(I32)
        with f.if_true(number.tee(frame.program_counter.load()).equals(GAME_OVER)):
            f.return_value(places.OVER)
        with f.loop() as again:
            labels = {block: f.open() for block in reversed(list(blocks))}
            with f.block() as lost:
                f.branch_by(number.get(), [labels.get(n, lost) for n in range(max(blocks) + 1)], lost)
            f.return_value(places.UNKNOWN_BLOCK)
            jumps = Jumps({block: place for place, block in enumerate(blocks)}, labels, again, number, fuel_used)
            for block, stretch in blocks.items():
                f.close()
                visible = VisibleCandidates(stretch.body, program).visible
                generator = BlockGenerator(program, frame, stretch.analysis, block, jumps, visible, statistics)
                generator.write(stretch.body)
        f.unreachable()


def _define_is_scored(module: Module, program: Program, memory: Memory) -> None:
    """Define the function that returns whether a seat is scored."""
    unscored = [number for number, name in enumerate(program.roles) if name in program.unscored_roles]
    with module.function("is_scored", [I32], I32) as f:
        role = LocalFrame(f, memory).state_address(memory.cell(program.layout.role), f.parameter(I32, 0).get()).load()
        for number in unscored:
            with f.if_true(role.equals(number)):
                f.return_value(0)
        f.return_value(1)


def _define_call(module: Module, memory: Memory, functions: Sequence[int]) -> None:
    """Define the function that calls a function of the program, by its number, for a seat."""
    with module.function("call", [I32, I64], I32) as f:
        f.add(Address(places.ANSWER_END).store(memory.answers))
        for number in functions:
            with f.if_true(f.parameter(I32, 0).get().equals(number)):
                f.return_value(I32(f.call(f"f{number}", f.parameter(I64, 1).get())))
        f.unreachable()


def _results_as_numbers(stretch: _Stretch) -> list[int]:
    """Return a function's result vectors if each gets exactly one item; else none."""
    last = stretch.body[-1]
    assert not isinstance(last, Nest) and last[0] == "answer"
    results = [int(result) for result in last[1:]]
    return results if all(map(stretch.analysis.vectors.is_pushed_once, results)) else []


def _result_functions(program: Program) -> list[int]:
    """Return the functions of rankings and of scoring lines."""
    return [*program.ranking, *(line.function for line in program.scoring)]
