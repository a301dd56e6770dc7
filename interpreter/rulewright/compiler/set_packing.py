"""Partings: what is left of a set when groups are taken out of it as well as can be."""

from __future__ import annotations

from functools import partial

from rulewright.compiler.context import Context
from rulewright.compiler.emitter import NONE, ONE, ZERO, constant
from rulewright.compiler.groups import (
    MAX_MEMBERS,
    GroupTest,
    PartialGroup,
    RunningSum,
    each_group,
    emit_bit,
    emit_item,
    emit_length,
    emit_member_limit,
    emit_overlaps,
    group_test,
    members_with_bits,
)
from rulewright.compiler.registry import means
from rulewright.compiler.typed_values import NUMBER, Group, Scope, Value
from rulewright.program.form import Type
from rulewright.syntax.tree import Outside, Path

MAX_WORTH = 1_000_000
"""What is worth more counts as so much."""


@means(Outside)
def meaning_of_outside(ctx: Context, expression: Outside, scope: Scope) -> Group:
    """hand outside melds leaving lowest worth: what is left of a set when groups are taken out of it, each thing in
    one group at most, so that what is left has the lowest total; or so that as few as possible are left."""
    members = ctx.group(expression.things, scope)
    grouping = group_test(ctx, expression.group, members, scope)
    scalar = ctx.scalar

    def make() -> int:
        with ctx.reading(scalar):
            vector = ctx.vector(members)
            emit_member_limit(ctx, vector, expression)
            worth = member_worths(ctx, vector, members, expression, scope)
            taken = best_packing(ctx, vector, members.type, grouping, worth)
            return members_with_bits(ctx, vector, ctx.emit.value("subtract", constant(2**MAX_MEMBERS - 1), taken))

    return ctx.group_from_vector(members.type, members.capacity, make)


_WORTH_SCALE = 32
"""Of sets that are worth the same, the one with more members is taken out: so many times finer are worths, plus one."""


def member_worths(ctx: Context, vector: int, members: Group, expression: Outside, scope: Scope) -> int:
    """For each member, what it is worth to take it out, as a vector."""
    found = ctx.emit.vector()
    ctx.emit.op("vector", found)
    with ctx.emit.each(vector) as member:
        worth = Value(NUMBER, ZERO, 0, 0)
        if expression.figure is not None:
            its = Path("its", (expression.figure,)).at(expression.span)
            worth = ctx.number(its, scope.within(ctx.element(members, member)))
        finer = ctx.emit.value("multiply", clamp_worth(ctx, worth), constant(_WORTH_SCALE))
        ctx.emit.op("push", found, ctx.emit.value("add", finer, ONE))
    return found


def clamp_worth(ctx: Context, worth: Value) -> int:
    """A worth, so far as sums of many are numbers still."""
    if worth.low >= -MAX_WORTH and worth.high <= MAX_WORTH:
        return worth.operand
    kept = ctx.emit.variable(worth.operand)
    for bound in (MAX_WORTH, -MAX_WORTH):
        limit = constant(bound)
        beyond = ctx.emit.value("less", *((limit, kept) if bound > 0 else (kept, limit)))
        with ctx.emit.when(beyond):
            ctx.emit.assign(kept, limit)
    return kept


def best_packing(ctx: Context, members: int, type_: Type, grouping: GroupTest, worth: int) -> int:
    """Bits of the members that are in groups when groups are taken out so that this is worth most."""
    emit = ctx.emit
    group, total = emit.variable(ZERO), emit.variable(ZERO)
    groups, totals, further = emit.vector(), emit.vector(), emit.vector()
    for vector in (groups, totals, further):
        emit.op("vector", vector)
    behind = remaining_worths(ctx, worth)

    def note(found: PartialGroup) -> None:
        with emit.when(emit.value("less", ZERO, total)):
            emit.op("push", groups, group)
            emit.op("push", totals, total)
            emit.op("push", further, emit_item(ctx, behind, emit_item(ctx, found.places, ZERO)))

    sums = (RunningSum(group, partial(emit_bit, ctx)), RunningSum(total, partial(emit_item, ctx, worth)))
    each_group(ctx, members, type_, grouping, note, sums=sums)
    return best_disjoint(ctx, groups, totals, further)


def remaining_worths(ctx: Context, worth: int) -> int:
    """What all members from each place on are worth together, without what is worth less than nothing."""
    emit = ctx.emit
    rest, behind = emit.variable(ZERO), emit.vector()

    def one(value: int, change: str) -> None:
        with emit.when(emit.value("less", ZERO, value)):
            emit.change(change, rest, rest, value)

    with emit.each(worth) as value:
        one(value, "add")
    emit.op("vector", behind)
    with emit.each(worth) as value:
        emit.op("push", behind, rest)
        one(value, "subtract")
    return behind


def best_disjoint(ctx: Context, groups: int, totals: int, further: int) -> int:
    """The bits of those groups that have none in common and together come to most. further: for each group, the most
    that it and all behind it can come to."""
    emit = ctx.emit
    best, taken, total, bits, at = (emit.variable(ZERO) for _ in range(5))
    path = emit.vector()
    emit.op("vector", path)
    size = emit_length(ctx, groups)
    with emit.loop():
        emit.spend()
        goes_on = emit.variable(emit.value("less", at, size))
        with emit.when(goes_on):
            emit.assign(goes_on, emit.value("less", best, emit.value("add", total, emit_item(ctx, further, at))))
        with emit.when(goes_on):
            group = emit_item(ctx, groups, at)
            with emit.when(emit.negate(emit_overlaps(ctx, bits, group))):
                emit.op("push", path, at)
                emit.change("add", bits, bits, group)
                emit.change("add", total, total, emit_item(ctx, totals, at))
                with emit.when(emit.value("less", best, total)):
                    emit.assign(best, total)
                    emit.assign(taken, bits)
            emit.otherwise()
            with emit.when(ctx.is_empty(path)):
                emit.op("break")
            emit.assign(at, emit_item(ctx, path, NONE))
            emit.op("front", path, path, emit.value("subtract", emit_length(ctx, path), ONE))
            emit.change("subtract", bits, bits, emit_item(ctx, groups, at))
            emit.change("subtract", total, total, emit_item(ctx, totals, at))
        emit.change("add", at, at, ONE)
    return taken
