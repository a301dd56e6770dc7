"""Blocks and saved cells: values that outlive a decision, and where the program resumes."""

from __future__ import annotations

from rulewright.compiler.context import Context
from rulewright.compiler.saved_cells import SavedCell
from rulewright.compiler.scopes import Scope
from rulewright.compiler.set_operations import group_from_vector, vector_of
from rulewright.compiler.typed_values import TRUTH, Meaning, MemberSet, Value
from rulewright.program.instructions import ONE, ZERO
from rulewright.program.state_layout import ME, LastingValue
from rulewright.program.value_types import Type


def new_block(ctx: Context) -> int:
    """Return the number of a new block."""
    ctx.output.blocks += 1
    return ctx.output.blocks


def begin_block(ctx: Context, block: int, step: str) -> None:
    """Begin a block in the code. step: its name in error messages."""
    ctx.output.block_steps[block] = step
    ctx.emit.block(block)


def set_acting_seat(ctx: Context, seat: int) -> None:
    """Emit that a seat acts from now on: its write to the state. seat: operand."""
    ctx.emit.store(ME, ZERO, seat)
    ctx.emit.drop_cached(("me",))


def new_cell(ctx: Context, type_: Type, capacity: int, scope: Scope) -> SavedCell:
    """Allocate a saved cell; one for each seat inside an `at once`. capacity: of a set, ignored for one value."""
    per_seat = scope.at_once >= 0
    count = ctx.plan.seats if per_seat else 1
    cell = ctx.plan.allocate_sets(count, capacity) if type_.many else ctx.plan.allocate_cells(count)
    ctx.plan.lasting_values.append(LastingValue(cell, type_, scope.at_once))
    return SavedCell(type_, cell, capacity, per_seat)


def cell_index(ctx: Context, slot: SavedCell) -> int:
    """Return the index of a saved cell: 0, or, where each seat has one, the acting seat, whose read is emitted."""
    if not slot.per_seat:
        return ZERO
    return ctx.emit.cached(("me",), lambda: ctx.emit.load(ME))


def read_number(ctx: Context, slot: SavedCell) -> int:
    """Emit the read of a saved cell that holds one value."""
    return ctx.emit.load(slot.cell, cell_index(ctx, slot))


def write_number(ctx: Context, slot: SavedCell, operand: int) -> None:
    """Emit the write of one value to a saved cell."""
    ctx.emit.store(slot.cell, cell_index(ctx, slot), operand)


def read_set(ctx: Context, slot: SavedCell) -> int:
    """Emit the read of a saved set, as a vector."""
    return ctx.emit.compute_vector("read", slot.cell, cell_index(ctx, slot))


def write_set(ctx: Context, slot: SavedCell, vector: int) -> None:
    """Emit the write of a vector to a saved set."""
    ctx.emit.op("keep", vector, slot.cell, cell_index(ctx, slot))


def save(ctx: Context, slot: SavedCell, meaning: Meaning) -> None:
    """Emit the write of a value or a set to a saved cell; a truth becomes 0 or 1."""
    if isinstance(meaning, Value):
        operand = meaning.operand
        if meaning.type == TRUTH:
            operand = ctx.emit.new_variable(ZERO)
            with ctx.emit.if_true(meaning.operand):
                ctx.emit.assign(operand, ONE)
        write_number(ctx, slot, operand)
    else:
        write_set(ctx, slot, vector_of(ctx, meaning))


def load(ctx: Context, slot: SavedCell, may_be_nothing: bool = False) -> Meaning:
    """Return the content of a saved cell: one value is read now, a set at each use. may_be_nothing: whether it may hold
    nothing."""
    if not slot.type.many:
        return Value(slot.type, read_number(ctx, slot), may_be_nothing=may_be_nothing)
    return group_from_vector(ctx, slot.type, slot.capacity, lambda: read_set(ctx, slot))


def bind_value(ctx: Context, name: str, meaning: Meaning, scope: Scope) -> None:
    """Emit the present value of a meaning, and bind a name to it: in a saved cell where a decision may follow, else in
    a register or vector."""
    if scope.can_ask:
        slot = new_cell(ctx, meaning.type, meaning.capacity if isinstance(meaning, MemberSet) else 0, scope)
        save(ctx, slot, meaning)
        may_be_nothing = isinstance(meaning, Value) and meaning.may_be_nothing
        scope.bind(name, lambda: load(ctx, slot, may_be_nothing))
    elif isinstance(meaning, Value):
        operand = ctx.emit.new_variable(meaning.operand)
        value = Value(meaning.type, operand, meaning.low, meaning.high, meaning.may_be_nothing)
        scope.bind(name, lambda: value)
    else:
        vector = vector_of(ctx, meaning)
        members = group_from_vector(ctx, meaning.type, meaning.capacity, lambda: vector)
        scope.bind(name, lambda: members)
