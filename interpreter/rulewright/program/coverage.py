"""Coverage: programs with extra measures of the parts reached and of the pieces that left their places.

A part is any group of instructions, such as a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from rulewright.program.form import Function, Measure, Program, Text
from rulewright.program.instructions import LEAVING, ONE, ZERO, Instruction, constant, register_value

PARTS, TYPES = ":parts", ":types"
"""Prefixes of the measures' names; no name of an edition has a colon."""

_BITS = 30
"""Bits of each measure: a number has 32 with its sign."""
_BETWEEN = frozenset(["block", "else", "end"])
"""Instructions around nests, which belong to no part."""
_TOTAL, _BIT, _MOVED = 1, 2, 3
"""Registers of a measure: the number so far, the present bit, and whether a piece has moved. Register 0 is the
function's parameter."""


def with_coverage(program: Program, parts: Sequence[int | None], count: int) -> Program:
    """Return a program with coverage measures, which `decode` reads, that otherwise plays the same: parts reached, and
    types of pieces that lie elsewhere than at the start. parts: part of each instruction, None for none; count: number
    of parts."""
    first = program.layout.size
    measures = [
        *_measures(PARTS, [_loaded(first + part) for part in range(count)]),
        *_measures(TYPES, [_is_displaced(program, number) for number in range(len(program.types))]),
    ]
    functions = (*program.functions, *(function for _, function in measures))
    declared = (
        Measure(name, Text("", ""), None, number) for number, (name, _) in enumerate(measures, len(program.functions))
    )
    return replace(
        program,
        code=tuple(_with_marks(program.code, parts, first)),
        functions=functions,
        layout=replace(program.layout, size=first + count),
        measures=(*program.measures, *declared),
    )


def decode(sort: str, number_of: Callable[[str], int], count: int) -> set[int]:
    """Decode the parts, or types, whose bits are set. sort: PARTS or TYPES; number_of: value of a measure, of one game
    or of several joined with `|`; count: number of parts or types."""
    numbers = [number_of(f"{sort} {begin}") for begin in range(0, count, _BITS)]
    return {number for number in range(count) if numbers[number // _BITS] >> (number % _BITS) & 1}


def _with_marks(code: Sequence[Instruction], parts: Sequence[int | None], first: int) -> Iterator[Instruction]:
    """Yield the code with a mark wherever another part begins."""
    marked: int | None = None
    for instruction, part in zip(code, parts, strict=True):
        name = instruction[0]
        if name not in _BETWEEN and part is not None and part != marked:
            yield ("store", first + part, ZERO, ONE)
            marked = part
        yield instruction
        if name in _BETWEEN or name in LEAVING:
            marked = None


def _measures(sort: str, bits: Sequence[Iterable[Instruction]]) -> Iterator[tuple[str, Function]]:
    """Yield functions whose numbers have one bit for each stretch of code that leaves 0 or 1 in register _BIT."""
    for begin in range(0, len(bits), _BITS):
        code: list[Instruction] = [("copy", _TOTAL, ZERO)]
        for place, bit in enumerate(bits[begin : begin + _BITS]):
            code += bit
            code.append(("multiply", _BIT, register_value(_BIT), constant(1 << place)))
            code.append(("add", _TOTAL, register_value(_TOTAL), register_value(_BIT)))
        yield f"{sort} {begin}", Function((*code, ("vector", 0), ("push", 0, register_value(_TOTAL)), ("answer", 0)))


def _loaded(cell: int) -> Iterator[Instruction]:
    """Yield code that loads the mark of a part."""
    yield ("load", _BIT, cell, ZERO)


def _is_displaced(program: Program, number: int) -> Iterator[Instruction]:
    """Yield code that tests whether a piece of a type lies elsewhere than at the start. Types whose pieces change
    always count as displaced."""
    layout = program.layout
    pieces = [piece for piece in range(layout.pieces) if number in program.possible_types(piece)]
    if any(piece in layout.faces or piece in layout.marked for piece in pieces):
        yield ("copy", _BIT, ONE)
        return
    yield ("copy", _BIT, ZERO)
    for piece in pieces:
        yield ("load", _MOVED, layout.piece_zones + piece, ZERO)
        yield ("unequal", _MOVED, register_value(_MOVED), constant(program.starts[piece]))
        yield ("add", _BIT, register_value(_BIT), register_value(_MOVED))
    yield ("unequal", _BIT, register_value(_BIT), ZERO)
