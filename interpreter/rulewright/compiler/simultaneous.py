"""`all … at once`: each seat advances to its decisions; effects wait until all have answered."""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler import cell_access, control, messages
from rulewright.compiler.context import Context
from rulewright.compiler.operation_names import OtherOperation
from rulewright.compiler.parking import park
from rulewright.compiler.registry import StatementParts, compiles
from rulewright.compiler.saved_cells import AtOnceSchedule
from rulewright.compiler.scopes import Frame, Scope
from rulewright.compiler.set_operations import empty_vector, vector_of
from rulewright.compiler.typed_expressions import compile_set
from rulewright.program.form import Sealed
from rulewright.program.instructions import ONE, ZERO, constant
from rulewright.program.state_layout import BEGINNING, ME, PARKED, WAITING
from rulewright.syntax.flow_nodes import AtOnce


@compiles(AtOnce)
def compile_at_once(ctx: Context, statement: AtOnce, scope: Scope, parts: StatementParts) -> None:
    """Compile simultaneous decisions: answers in any order, then effects seat by seat."""
    with control.checking_bodies_on_error(ctx, parts.node, scope, parts.asks):
        things = compile_set(ctx, statement.seats, scope, "seat")
    if not parts.asks:
        with ctx.emit.each(vector_of(ctx, things)) as seat:
            control.compile_statements(
                ctx, parts.body, scope.in_one_block().with_acting_seat(seat).with_frame(Frame("once"))
            )
        return
    if scope.at_once >= 0:
        raise ctx.error(statement, messages.AT_ONCE_INSIDE_ANOTHER())
    seats = ctx.plan.seats
    once = AtOnceSchedule(
        number=len(ctx.output.sealed),
        schedule=cell_access.new_block(ctx),
        effects=cell_access.new_block(ctx),
        phase=ctx.plan.allocate_cells(1),
        turn=ctx.plan.allocate_cells(1),
        seats=ctx.plan.allocate_sets(1, max(seats, things.capacity)),
        next_block=ctx.plan.allocate_cells(seats),
        ask_block=ctx.plan.allocate_cells(seats),
        parked_block=ctx.plan.allocate_cells(seats),
    )
    ctx.output.schedules[once.number] = once
    ctx.output.sealed.append(
        Sealed(once.schedule, once.seats, once.next_block, once.ask_block, once.parked_block, once.phase)
    )
    before = ctx.plan.allocate_cells(1)
    entry, end, after = cell_access.new_block(ctx), cell_access.new_block(ctx), cell_access.new_block(ctx)
    members = vector_of(ctx, things)
    ctx.emit.op("keep", members, once.seats, ZERO)
    ctx.emit.store(before, ZERO, ctx.emit.load(ME))
    ctx.emit.store(once.phase, ZERO, ZERO)
    ctx.emit.store(once.turn, ZERO, ZERO)
    with ctx.emit.each(members) as seat:
        ctx.emit.store(once.next_block, seat, constant(BEGINNING))
    ctx.emit.op("goto", once.schedule)
    cell_access.begin_block(ctx, entry, scope.step)
    inner = replace(scope.for_inner_list().with_acting_seat(None), at_once=once.number).with_frame(Frame("once"))
    control.compile_statements(ctx, parts.body, inner)
    cell_access.begin_block(ctx, end, scope.step)
    if not once.progress.waited:
        with ctx.emit.if_true(ctx.emit.evaluate("equal", ctx.emit.load(once.phase), ZERO)):
            park(ctx, inner, end)
    ctx.emit.op("goto", once.effects)
    ask_all(ctx, once, entry, scope)
    run_all_effects(ctx, once, after, scope)
    ctx.emit.op("keep", empty_vector(ctx), once.seats, ZERO)
    ctx.emit.store(ME, ZERO, ctx.emit.load(before))


def ask_all(ctx: Context, once: AtOnceSchedule, entry: int, scope: Scope) -> None:
    """Emit the schedule: each seat advances to its next decision; without any, to the effects. entry: block with which
    a seat begins."""
    all_asked = cell_access.new_block(ctx)
    cell_access.begin_block(ctx, once.schedule, scope.step)
    seat, block = next_turn(ctx, once, all_asked)
    jumps: tuple[tuple[int, OtherOperation, int], ...] = (
        (ctx.emit.evaluate("equal", block, constant(BEGINNING)), "goto", entry),
        (ctx.emit.evaluate("less", ZERO, block), "goto_value", block),
    )
    for condition, jump, target in jumps:
        with ctx.emit.if_true(condition):
            ctx.emit.store(once.next_block, seat, ZERO)
            ctx.emit.store(ME, ZERO, seat)
            ctx.emit.op(jump, target)
    ctx.emit.op("goto", once.schedule)
    cell_access.begin_block(ctx, all_asked, scope.step)
    ctx.emit.store(once.turn, ZERO, ZERO)
    seats = ctx.emit.compute_vector("read", once.seats, ZERO)
    with ctx.emit.each(seats) as other:
        waits = ctx.emit.evaluate("equal", ctx.emit.load(once.next_block, other), constant(WAITING))
        with ctx.emit.if_true(waits):
            ctx.emit.op("wait", once.schedule)
    ctx.emit.store(once.phase, ZERO, ONE)
    ctx.emit.op("goto", once.effects)


def run_all_effects(ctx: Context, once: AtOnceSchedule, after: int, scope: Scope) -> None:
    """Emit the resumption of every seat with its effects, in order. after: block behind the construct."""
    cell_access.begin_block(ctx, once.effects, scope.step)
    seat, block = next_turn(ctx, once, after)
    with ctx.emit.if_true(ctx.emit.evaluate("equal", block, constant(PARKED))):
        ctx.emit.store(ME, ZERO, seat)
        if len(once.parked) == 1:
            ctx.emit.op("goto", *once.parked)
        else:
            ctx.emit.op("goto_value", ctx.emit.load(once.parked_block, seat))
    ctx.emit.op("goto", once.effects)
    cell_access.begin_block(ctx, after, scope.step)


def next_turn(ctx: Context, once: AtOnceSchedule, after: int) -> tuple[int, int]:
    """Emit the next seat and its next block; after the last seat, the jump to another block."""
    turn, seats = ctx.emit.load(once.turn), ctx.emit.compute_vector("read", once.seats, ZERO)
    size = ctx.emit.compute("length", seats)
    with ctx.emit.if_true(ctx.emit.evaluate("at_most", size, turn)):
        ctx.emit.op("goto", after)
    ctx.emit.store(once.turn, ZERO, ctx.emit.evaluate("add", turn, ONE))
    seat = ctx.emit.compute("item", seats, turn)
    return seat, ctx.emit.load(once.next_block, seat)
