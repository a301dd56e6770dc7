"""Chance with odds: items drawn one after the other, each as likely as its weight says among those that are left."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.compiler.context import Context
from rulewright.compiler.emitter import ONE, ZERO, constant
from rulewright.compiler.typed_values import Group, Value
from rulewright.syntax.tree import Expression

MAX_WEIGHT = 1_000_000


def draw_weighted(
    ctx: Context, group: Group, amount: int, weight: Callable[[Value], int], expression: Expression
) -> int:
    """So many members as a vector, in the order in which they are drawn. weight: the number that an item has; where
    nobody that is left has more than 0, all are equally likely."""
    emit = ctx.emit
    left, found = ctx.copy_vector(group), emit.vector()
    emit.op("vector", found)
    missing = emit.variable(amount)
    with emit.loop():
        with emit.when(emit.value("at_most", missing, ZERO)):
            emit.op("break")
        with emit.when(ctx.is_empty(left)):
            emit.op("break")
        emit.spend()
        weights, total = emit.vector(), emit.variable(ZERO)
        emit.op("vector", weights)
        with emit.each(left) as item:
            own = emit.variable(weight(ctx.element(group, item)))
            _fail_if(ctx, emit.value("less", own, ZERO), "a weight cannot be less than 0.", expression)
            _fail_if(ctx, emit.value("less", constant(MAX_WEIGHT), own), _TOO_HEAVY, expression)
            emit.op("push", weights, own)
            emit.change("add", total, total, own)
            _fail_if(ctx, emit.value("less", constant(MAX_WEIGHT), total), _TOO_HEAVY, expression)
        evenly = emit.variable(emit.value("equal", total, ZERO))
        with emit.when(evenly):
            size = emit.register()
            emit.op("length", size >> 1, left)
            emit.assign(total, size)
        chance = emit.register()
        emit.op("random", chance >> 1, total)
        rest, taken, place = emit.variable(chance), emit.variable(ZERO), emit.variable(ZERO)
        others = emit.vector()
        emit.op("vector", others)
        with emit.each(left) as item:
            own = emit.register()
            emit.op("item", own >> 1, weights, place)
            with emit.when(evenly):
                emit.assign(own, ONE)
            emit.change("add", place, place, ONE)
            emit.change("subtract", rest, rest, own)
            kept = emit.variable(ONE)
            with emit.when(emit.negate(taken)), emit.when(emit.value("less", rest, ZERO)):
                emit.op("push", found, item)
                emit.assign(taken, ONE)
                emit.assign(kept, ZERO)
            with emit.when(kept):
                emit.op("push", others, item)
        emit.op("vector", left)
        emit.op("append", left, others)
        emit.change("subtract", missing, missing, ONE)
    return found


_TOO_HEAVY = f"the weights come to more than {MAX_WEIGHT:,}."


def _fail_if(ctx: Context, condition: int, message: str, expression: Expression) -> None:
    with ctx.emit.when(condition):
        ctx.emit.op("fail", ctx.source_place(expression, message))
