"""Cells and blocks: what must outlive a decision, and where the program goes on."""

from __future__ import annotations

from rulewright.compiler.context import Context
from rulewright.compiler.emitter import ONE, ZERO
from rulewright.compiler.saved_cells import KeptSlot
from rulewright.compiler.typed_values import TRUTH, Group, Meaning, Scope, Value
from rulewright.program.form import ME, Note, Type


def new_block(ctx: Context) -> int:
    ctx.blocks += 1
    return ctx.blocks


def begin(ctx: Context, block: int, step: str) -> None:
    ctx.block_steps[block] = step
    ctx.emit.block(block)


def act_as(ctx: Context, seat: int) -> None:
    ctx.emit.store(ME, ZERO, seat)
    ctx.emit.forget(("me",))


def new_slot(ctx: Context, type_: Type, capacity: int, scope: Scope) -> KeptSlot:
    per_seat = scope.sealed >= 0
    count = ctx.plan.seats if per_seat else 1
    cell = ctx.plan.sets(count, capacity) if type_.many else ctx.plan.cells(count)
    ctx.plan.notes.append(Note(cell, type_, scope.sealed))
    return KeptSlot(type_, cell, capacity, per_seat)


def slot_index(ctx: Context, slot: KeptSlot) -> int:
    if not slot.per_seat:
        return ZERO
    return ctx.emit.kept(("me",), lambda: ctx.emit.load(ME))


def put(ctx: Context, slot: KeptSlot, meaning: Meaning) -> None:
    if isinstance(meaning, Value):
        operand = meaning.operand
        if meaning.type == TRUTH:
            operand = ctx.emit.variable(ZERO)
            with ctx.emit.when(meaning.operand):
                ctx.emit.assign(operand, ONE)
        ctx.emit.store(slot.cell, slot_index(ctx, slot), operand)
    else:
        ctx.emit.op("keep", ctx.vector(meaning), slot.cell, slot_index(ctx, slot))


def got(ctx: Context, slot: KeptSlot, maybe: bool = False) -> Meaning:
    if not slot.type.many:
        return Value(slot.type, ctx.emit.load(slot.cell, slot_index(ctx, slot)), maybe=maybe)

    def make() -> int:
        vector = ctx.emit.vector()
        ctx.emit.op("read", vector, slot.cell, slot_index(ctx, slot))
        return vector

    return ctx.listed(slot.type, slot.capacity, make)


def remember(ctx: Context, name: str, meaning: Meaning, scope: Scope) -> None:
    """Give a name to what something stands for now."""
    if scope.flat:
        slot = new_slot(ctx, meaning.type, meaning.capacity if isinstance(meaning, Group) else 0, scope)
        put(ctx, slot, meaning)
        maybe = isinstance(meaning, Value) and meaning.maybe
        scope.bind(name, lambda: got(ctx, slot, maybe))
    elif isinstance(meaning, Value):
        operand = ctx.emit.variable(meaning.operand)
        value = Value(meaning.type, operand, meaning.low, meaning.high, meaning.maybe)
        scope.bind(name, lambda: value)
    else:
        vector = ctx.vector(meaning)
        kept = ctx.listed(meaning.type, meaning.capacity, lambda: vector)
        scope.bind(name, lambda: kept)
