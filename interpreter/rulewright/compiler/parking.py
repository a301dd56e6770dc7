"""Waits inside an `at once`: a seat is parked before its effects until all have answered."""

from __future__ import annotations

from rulewright.compiler import cell_access
from rulewright.compiler.context import Context
from rulewright.compiler.scopes import AtOnceProgress, Scope
from rulewright.program.instructions import ZERO, constant
from rulewright.program.state_layout import ME, PARKED


def park(ctx: Context, scope: Scope, block: int) -> None:
    """Emit that the acting seat waits before its effects, which begin at a block."""
    once, seat = ctx.output.schedules[scope.at_once], ctx.emit.load(ME)
    once.parked.add(block)
    ctx.emit.store(once.next_block, seat, constant(PARKED))
    ctx.emit.op("store_block", once.parked_block, seat, block)
    ctx.emit.op("goto", once.schedule)


def allow_parking_at(ctx: Context, scope: Scope, block: int) -> None:
    """Note that a seat may wait, after an answer, before effects that begin at a block."""
    ctx.output.schedules[scope.at_once].parked.add(block)


def emit_wait_before_effect(ctx: Context, scope: Scope) -> None:
    """Emit the wait for all answers, inside an `at once`, before an effect."""
    if scope.at_once < 0 or not scope.can_ask:
        return
    waited = ctx.output.progress(scope).waited
    ctx.output.set_progress(scope, AtOnceProgress(effects=True, waited=True))
    if waited:
        return
    block = cell_access.new_block(ctx)
    phase = ctx.emit.load(ctx.output.schedules[scope.at_once].phase)
    with ctx.emit.if_true(ctx.emit.evaluate("equal", phase, ZERO)):
        park(ctx, scope, block)
    cell_access.begin_block(ctx, block, scope.step)
