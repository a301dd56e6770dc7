"""Set packing: `SET outside GROUPS`, the rest after the best choice of disjoint groups is removed."""

from __future__ import annotations

from functools import partial
from typing import Literal

from rulewright.compiler.context import Context
from rulewright.compiler.groups import (
    MAX_MEMBERS,
    GroupTest,
    RunningSum,
    emit_bit,
    emit_item,
    emit_length,
    emit_member_limit,
    emit_overlaps,
    for_each_group,
    group_test,
    members_with_bits,
)
from rulewright.compiler.registry import means
from rulewright.compiler.scopes import Scope
from rulewright.compiler.set_operations import emit_is_empty, empty_vector, group_from_vector, vector_of
from rulewright.compiler.typed_expressions import compile_number, compile_set
from rulewright.compiler.typed_values import NUMBER, MemberSet, Value, member_value
from rulewright.program.instructions import NONE, ONE, ZERO, constant
from rulewright.program.value_types import Type
from rulewright.syntax.expression_nodes import Path
from rulewright.syntax.set_nodes import Outside

MAX_WORTH = 1_000_000
"""Bound of a member's worth, also below 0; what is beyond counts as this."""


@means(Outside)
def meaning_of_outside(ctx: Context, expression: Outside, scope: Scope) -> MemberSet:
    """Compile `hand outside melds leaving lowest worth`: the rest after removing disjoint groups so that it has the
    lowest total, or without `leaving` the fewest members."""
    members = compile_set(ctx, expression.things, scope)
    grouping = group_test(ctx, expression.group, members, scope)
    scalar = ctx.scalar

    def make() -> int:
        with ctx.reading(scalar):
            vector = vector_of(ctx, members)
            emit_member_limit(ctx, vector, expression)
            worth = member_worths(ctx, vector, members, expression, scope)
            packed = best_packing(ctx, vector, members.type, grouping, worth)
            return members_with_bits(ctx, vector, ctx.emit.evaluate("subtract", constant(2**MAX_MEMBERS - 1), packed))

    return group_from_vector(ctx, members.type, members.capacity, make)


_WORTH_SCALE = 32
"""Worths are scaled by this, plus one a member: of equal packings the one with more members is removed."""


def member_worths(ctx: Context, vector: int, members: MemberSet, expression: Outside, scope: Scope) -> int:
    """Emit each member's scaled worth, that is its worth times the scale plus one, as a vector."""
    worths = empty_vector(ctx)
    with ctx.emit.each(vector) as member:
        worth = Value(NUMBER, ZERO, 0, 0)
        if expression.figure is not None:
            own_figure = Path("its", (expression.figure,)).with_span(expression.span)
            worth = compile_number(ctx, own_figure, scope.with_item(member_value(members, member)))
        scaled = ctx.emit.evaluate("multiply", clamp_worth(ctx, worth), constant(_WORTH_SCALE))
        ctx.emit.op("push", worths, ctx.emit.evaluate("add", scaled, ONE))
    return worths


def clamp_worth(ctx: Context, worth: Value) -> int:
    """Emit a worth limited to MAX_WORTH, so that sums stay within 32 bits; return its operand."""
    if worth.low >= -MAX_WORTH and worth.high <= MAX_WORTH:
        return worth.operand
    clamped = ctx.emit.new_variable(worth.operand)
    for bound in (MAX_WORTH, -MAX_WORTH):
        limit = constant(bound)
        beyond = ctx.emit.evaluate("less", *((limit, clamped) if bound > 0 else (clamped, limit)))
        with ctx.emit.if_true(beyond):
            ctx.emit.assign(clamped, limit)
    return clamped


def best_packing(ctx: Context, members: int, type_: Type, grouping: GroupTest, worth: int) -> int:
    """Emit the bits of the members in the disjoint groups with the greatest sum of scaled worths. worth: vector of
    those of all members."""
    emit = ctx.emit
    group, total = emit.new_variable(ZERO), emit.new_variable(ZERO)
    groups, totals, further = (empty_vector(ctx) for _ in range(3))
    bounds = remaining_worths(ctx, worth)

    def note(places: int) -> None:
        with emit.if_true(emit.evaluate("less", ZERO, total)):
            emit.op("push", groups, group)
            emit.op("push", totals, total)
            emit.op("push", further, emit_item(ctx, bounds, emit_item(ctx, places, ZERO)))

    sums = (RunningSum(group, partial(emit_bit, ctx)), RunningSum(total, partial(emit_item, ctx, worth)))
    for_each_group(ctx, members, type_, grouping, note, sums=sums)
    return best_disjoint(ctx, groups, totals, further)


def remaining_worths(ctx: Context, worth: int) -> int:
    """Emit for each index the sum of positive worths from there on."""
    emit = ctx.emit
    rest, sums = emit.new_variable(ZERO), emit.new_vector()

    def count(value: int, operation: Literal["add", "subtract"]) -> None:
        with emit.if_true(emit.evaluate("less", ZERO, value)):
            emit.compute_into(operation, rest, rest, value)

    with emit.each(worth) as value:
        count(value, "add")
    emit.op("vector", sums)
    with emit.each(worth) as value:
        emit.op("push", sums, rest)
        count(value, "subtract")
    return sums


def best_disjoint(ctx: Context, groups: int, totals: int, further: int) -> int:
    """Emit the bits of the disjoint groups with the greatest total. groups: vector of their bits; totals: of their
    worths; further: for each group, a bound of the total of it and all after it."""
    emit = ctx.emit
    best, best_bits, total, bits, index = (emit.new_variable(ZERO) for _ in range(5))
    path = empty_vector(ctx)
    size = emit_length(ctx, groups)
    with emit.loop():
        emit.spend()
        goes_on = emit.new_variable(emit.evaluate("less", index, size))
        with emit.if_true(goes_on):
            emit.assign(
                goes_on, emit.evaluate("less", best, emit.evaluate("add", total, emit_item(ctx, further, index)))
            )
        with emit.if_true(goes_on):
            group = emit_item(ctx, groups, index)
            with emit.if_true(emit.negate(emit_overlaps(ctx, bits, group))):
                emit.op("push", path, index)
                emit.compute_into("add", bits, bits, group)
                emit.compute_into("add", total, total, emit_item(ctx, totals, index))
                with emit.if_true(emit.evaluate("less", best, total)):
                    emit.assign(best, total)
                    emit.assign(best_bits, bits)
            emit.otherwise()
            with emit.if_true(emit_is_empty(ctx, path)):
                emit.op("break")
            emit.assign(index, emit_item(ctx, path, NONE))
            emit.op("front", path, path, emit.evaluate("subtract", emit_length(ctx, path), ONE))
            emit.compute_into("subtract", bits, bits, emit_item(ctx, groups, index))
            emit.compute_into("subtract", total, total, emit_item(ctx, totals, index))
        emit.compute_into("add", index, index, ONE)
    return best_bits
