"""Records of saved cells, subroutines, results of steps and schedules of `at once`."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.base.records import record
from rulewright.compiler.scopes import AtOnceProgress
from rulewright.model.declarations import Step
from rulewright.program.value_types import Type


@record
class SavedCell:
    """Cell that outlives a decision: one value, or a set of at most `capacity`. per_seat: whether each seat has one of
    its own, as inside an `at once`; cell: that of the first."""

    type: Type
    cell: int
    capacity: int
    per_seat: bool


@record
class StepResult:
    """Place of a step's result: a saved cell if the step may ask, else a register or vector. name: of the step, for
    errors; register: operand, or the number of a vector; given_register, given_cell: say whether a result is given;
    both None where nothing, or the empty set, is the default."""

    name: str
    type: Type
    slot: SavedCell | None = None
    given_cell: SavedCell | None = None
    register: int = 0
    given_register: int | None = None


@dataclass
class Subroutine:
    """Step that may ask, compiled once for several callers. entry: its first block; back: cell with the block to return
    to; parameters: cells of its arguments; answered: sites of the menus and yes/no questions in
    whose branches it is called."""

    step: Step
    entry: int
    back: SavedCell
    parameters: list[SavedCell]
    result: StepResult | None = None
    answered: tuple[int, ...] = ()


@dataclass
class AtOnceSchedule:
    """Blocks and cells of an `all … at once`.

    - number: of the construct
    - schedule: block that lets the next seat act
    - effects: block that runs the effects of all
    - phase: cell, 1 while effects run
    - turn: cell of the next seat's index
    - seats: cell with the set of seats
    - next_block: cell of each seat's next block
    - ask_block, parked_block: cells of the blocks that ask, and that run the effects
    - parked: blocks at which seats resume with their effects
    """

    number: int
    schedule: int
    effects: int
    phase: int
    turn: int
    seats: int
    next_block: int
    ask_block: int
    parked_block: int
    progress: AtOnceProgress = field(default_factory=AtOnceProgress)
    parked: set[int] = field(default_factory=set)
