"""Programs for rollouts in which bids rise by as little as possible.

Seats that outbid each other at random go beyond all reason at once: then it seems to bring a fortune to sell something,
and nobody seems to have a chance to get it cheaply.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulewright.program.blocks import blocks_of, free_register
from rulewright.program.form import Program
from rulewright.program.instructions import ONE, ZERO, Instruction


def is_bid(program: Program, site: int) -> bool:
    """Return whether an amount is asked for, or none, that others in turn may go beyond."""
    return program.sites[site].element.base == "number" and program.sites[site].remaining_seats >= 0


def with_modest_bids(program: Program) -> Program:
    """Return a program that offers whoever may bid nothing but the least amount."""
    if not any(is_bid(program, site) for site in range(len(program.sites))):
        return program
    least = free_register(blocks_of(program))
    code = [inner for instruction in program.code for inner in _narrowed(program, instruction, least)]
    return replace(program, code=tuple(code))


def _narrowed(program: Program, instruction: Instruction, least: int) -> Iterator[Instruction]:
    """Yield an instruction, or a question with no more than the first candidate."""
    if instruction[0] == "ask" and is_bid(program, int(instruction[1])) and instruction[4:6] == (ZERO, ONE):
        yield ("front", least, int(instruction[3]), ONE)
        yield (*instruction[:3], least, *instruction[4:])
    else:
        yield instruction
