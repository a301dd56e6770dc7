"""What the compiler keeps of what stands in cells: slots, steps that are called, what steps give, and what is answered
at once."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.base.records import record
from rulewright.compiler.typed_values import AtOnceProgress
from rulewright.model.declarations import Step
from rulewright.program.form import Type


@record
class SavedCell:
    """A cell that outlives a decision: a set of at most `capacity`, or one value.

    Inside an `at once` every seat has its own."""

    type: Type
    cell: int
    capacity: int
    per_seat: bool


@record
class StepResult:
    """Where what a step gives is kept: in slots if the step may ask, else in a register or a vector. given: tells
    whether it has given something; None where nothing, or an empty set, is what it gives else."""

    name: str
    type: Type
    slot: SavedCell | None = None
    given_slot: SavedCell | None = None
    register: int = 0
    given: int | None = None


@dataclass
class Subroutine:
    """A step that may ask somebody, laid out once and called from several places. answered: the menus and yes/no
    questions in whose bodies it is called."""

    step: Step
    entry: int
    back: SavedCell
    parameters: list[SavedCell]
    result: StepResult | None = None
    answered: tuple[int, ...] = ()


@dataclass
class AtOnceSchedule:
    """An `all … at once` being compiled: the blocks and cells of its schedule."""

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
    parked: set[int] = field(default_factory=set)  # blocks where seats go on with their effects
