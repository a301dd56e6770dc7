"""Programs for rollouts in which nobody is asked about a wager: random replies would end most games at
once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulewright.program.blocks import blocks_of, free_register
from rulewright.program.form import Program
from rulewright.program.instructions import ZERO, Instruction, constant


def without_wagers(program: Program) -> Program:
    """Return a program that leaves wagers as they are."""
    if not program.wagers:
        return program
    answer = free_register(blocks_of(program))
    code = [inner for instruction in program.code for inner in _answered(program, instruction, answer)]
    return replace(program, code=tuple(code))


def _answered(program: Program, instruction: Instruction, answer: int) -> Iterator[Instruction]:
    """Yield an instruction, or the answer to a question about a wager."""
    number = int(instruction[1]) if instruction[0] == "ask" else -1
    if number not in program.wagers:
        yield instruction
        return
    site = program.sites[number]
    yield ("one", answer, constant(site.steady))
    yield ("keep", answer, site.slot, int(instruction[2]) if site.per_seat else ZERO)
    yield ("goto", site.resume)
