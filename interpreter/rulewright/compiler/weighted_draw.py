"""Weighted random draws without replacement."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.compiler.context import Context
from rulewright.compiler.set_operations import copy_vector, emit_is_empty, empty_vector
from rulewright.compiler.typed_values import MemberSet, Value, member_value
from rulewright.program.instructions import ONE, ZERO, constant
from rulewright.syntax.expression_nodes import Expression

MAX_WEIGHT = 1_000_000
"""Maximum of a weight, and of the sum of all."""


def draw_weighted(
    ctx: Context, members: MemberSet, amount: int, weight: Callable[[Value], int], expression: Expression
) -> int:
    """Emit so many members as a vector, in the order drawn; all of them if they are fewer. weight: emits an item's
    weight, anew before each draw; if no remaining weight is positive, all are equally likely. The game stops at a
    weight below 0, and beyond MAX_WEIGHT."""
    emit = ctx.emit
    left, drawn_items = copy_vector(ctx, members), empty_vector(ctx)
    missing = emit.new_variable(amount)
    with emit.loop():
        with emit.if_true(emit.evaluate("at_most", missing, ZERO)):
            emit.op("break")
        with emit.if_true(emit_is_empty(ctx, left)):
            emit.op("break")
        emit.spend()
        weights, total = empty_vector(ctx), emit.new_variable(ZERO)
        with emit.each(left) as item:
            own = emit.new_variable(weight(member_value(members, item)))
            _fail_if(ctx, emit.evaluate("less", own, ZERO), "a weight cannot be less than 0.", expression)
            _fail_if(ctx, emit.evaluate("less", constant(MAX_WEIGHT), own), _TOO_HEAVY, expression)
            emit.op("push", weights, own)
            emit.compute_into("add", total, total, own)
            _fail_if(ctx, emit.evaluate("less", constant(MAX_WEIGHT), total), _TOO_HEAVY, expression)
        evenly = emit.new_variable(emit.evaluate("equal", total, ZERO))
        with emit.if_true(evenly):
            size = emit.compute("length", left)
            emit.assign(total, size)
        chance = emit.compute("random", total)
        rest, is_drawn, place = emit.new_variable(chance), emit.new_variable(ZERO), emit.new_variable(ZERO)
        others = emit.compute_vector("vector")
        with emit.each(left) as item:
            own = emit.compute("item", weights, place)
            with emit.if_true(evenly):
                emit.assign(own, ONE)
            emit.compute_into("add", place, place, ONE)
            emit.compute_into("subtract", rest, rest, own)
            remains = emit.new_variable(ONE)
            with emit.if_true(emit.negate(is_drawn)), emit.if_true(emit.evaluate("less", rest, ZERO)):
                emit.op("push", drawn_items, item)
                emit.assign(is_drawn, ONE)
                emit.assign(remains, ZERO)
            with emit.if_true(remains):
                emit.op("push", others, item)
        emit.op("vector", left)
        emit.op("append", left, others)
        emit.compute_into("subtract", missing, missing, ONE)
    return drawn_items


_TOO_HEAVY = f"the weights come to more than {MAX_WEIGHT:,}."
"""End of the error of a game whose weights are too large, one or all together."""


def _fail_if(ctx: Context, condition: int, message: str, expression: Expression) -> None:
    """Emit a run-time error under a condition."""
    with ctx.emit.if_true(condition):
        ctx.emit.op("fail", ctx.source_place(expression, message))
