"""Groups: sets for which a yes/no figure of a set holds, such as three cards of one rank.

The search adds one member after the other, the first ones first, while a group remains possible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from rulewright.base.records import record
from rulewright.compiler import messages, name_resolution
from rulewright.compiler.context import Context
from rulewright.compiler.group_pruning import emit_condition_on, is_group_figure, part_condition, set_parameter
from rulewright.compiler.registry import figure_meaning
from rulewright.compiler.scopes import Scope
from rulewright.compiler.set_operations import (
    bind_open_figures,
    emit_is_empty,
    empty_vector,
    group_from_vector,
    vector_of,
)
from rulewright.compiler.type_checks import require_type, single_value
from rulewright.compiler.typed_values import SEAT, TRUTH, MemberSet
from rulewright.model.declarations import Figure, canonical
from rulewright.program.instructions import NONE, ONE, ZERO, constant
from rulewright.program.value_types import Type
from rulewright.syntax.expression_nodes import Expression, Path
from rulewright.syntax.tree import Name, Node

MAX_MEMBERS = 30
"""Largest set of which groups are kept as numbers, each member a bit; loops over groups have no such limit."""

MAX_GROUPS = 1_000_000
"""Largest number that a count of groups is declared to have: a search ends the game for want of fuel before."""

GROUPS = Type("group", "", True)
"""Type of a set whose members are groups."""


@record
class GroupTest:
    """Test for groups. figure: the yes/no figure of a set; holds: emits whether a set is one; possible: emits whether
    it can be part of one, None if that is never known."""

    figure: Figure
    holds: Callable[[MemberSet], int]
    possible: Callable[[MemberSet], int] | None


def path_name(path: Expression) -> Name:
    """Return the last name of a path."""
    assert isinstance(path, Path)
    return path.names[-1]


def group_test(ctx: Context, token: Name, members: MemberSet, scope: Scope) -> GroupTest:
    """Return the test for groups of some members, by the figure's name. For a figure of a seat, the acting one's read
    is emitted. Raises ReportedError."""
    figure = ctx.names.figures.get(canonical(token.text))
    if figure is None or not is_group_figure(ctx, canonical(token.text)):
        valid_names = [name for name in ctx.edition.figures if is_group_figure(ctx, canonical(name))]
        problem = messages.NO_GROUP_FIGURE(name=token.text)
        hints = ctx.edition.unknown_name_hints(token.text, valid_names) or (messages.GROUP_FIGURE_EXAMPLE(),)
        raise ctx.error(token, problem, *hints)
    if figure.of not in ("", SEAT.base):
        raise ctx.error(token, messages.GROUP_FIGURE_OF_OTHER(name=token.text, owner=figure.of))
    set_type = set_parameter(ctx, figure)
    assert set_type is not None
    require_type(ctx, members.type, set_type, token)
    members = bind_open_figures(ctx, members)
    owner = name_resolution.acting_seat(ctx, scope, token) if figure.of == SEAT.base else None
    scalar = ctx.scalar

    def holds(group: MemberSet) -> int:
        with ctx.reading(scalar):
            value = single_value(ctx, figure_meaning(ctx, figure, owner, [lambda: group], scope), token)
            require_type(ctx, value.type, TRUTH, token)
            return value.operand

    with ctx.emit.if_true(ZERO):
        holds(members)
    condition = part_condition(ctx, figure, owner, members)
    possible = partial(emit_condition_on, ctx, figure, owner, condition) if condition is not None else None
    return GroupTest(figure, holds, possible)


# ── one after the other ──


@record
class RunningSum:
    """Register that sums a number of each member of the present group. number_at: emits the number for an index."""

    register: int
    number_at: Callable[[int], int]


def for_each_group(
    ctx: Context,
    members: int,
    type_: Type,
    grouping: GroupTest,
    body: Callable[[int], None],
    *,
    least: int = ONE,
    most: int | None = None,
    sums: Sequence[RunningSum] = (),
) -> None:
    """Emit code that runs `body` for every group of the members of a vector; a `break` in it ends the search. type_: of
    a set of members; body: takes the vector of the group's indices among all; least and most: sizes, as operands; sums:
    kept up to date where the body runs."""
    emit = ctx.emit
    chosen_members, places = empty_vector(ctx), empty_vector(ctx)
    group = replace(group_from_vector(ctx, type_, MAX_GROUPS, lambda: chosen_members), type=type_)
    size, index = emit_length(ctx, members), emit.new_variable(ZERO)

    def drop(place: int) -> None:
        fewer = emit.evaluate("subtract", emit_length(ctx, places), ONE)
        emit.op("front", places, places, fewer)
        emit.op("front", chosen_members, chosen_members, fewer)
        for sum_ in sums:
            emit.compute_into("subtract", sum_.register, sum_.register, sum_.number_at(place))

    with emit.loop():
        emit.spend()
        with emit.if_true(emit.evaluate("at_most", size, index)):
            with emit.if_true(emit_is_empty(ctx, places)):
                emit.op("break")
            emit.assign(index, emit_item(ctx, places, NONE))
            drop(index)
            emit.otherwise()
            emit.op("push", chosen_members, emit_item(ctx, members, index))
            emit.op("push", places, index)
            for sum_ in sums:
                emit.compute_into("add", sum_.register, sum_.register, sum_.number_at(index))
            goes_on = emit.new_variable(grouping.possible(group) if grouping.possible else ONE)
            with emit.if_true(goes_on):
                count = emit_length(ctx, places)
                with emit.if_true(emit.evaluate("at_most", least, count)), emit.if_true(grouping.holds(group)):
                    body(places)
                if most is not None:
                    emit.assign(goes_on, emit.evaluate("less", count, most))
            with emit.if_true(emit.negate(goes_on)):
                drop(index)
        emit.compute_into("add", index, index, ONE)


def emit_length(ctx: Context, vector: int) -> int:
    """Emit the length of a vector."""
    return ctx.emit.compute("length", vector)


def emit_item(ctx: Context, vector: int, place: int) -> int:
    """Emit an element of a vector. place: its index as an operand, NONE for the last."""
    return ctx.emit.compute("item", vector, place)


def emit_member_limit(ctx: Context, members: int, node: Node) -> None:
    """Emit that the game stops where there are more members than bits."""
    with ctx.emit.if_true(ctx.emit.evaluate("less", constant(MAX_MEMBERS), emit_length(ctx, members))):
        ctx.emit.op("fail", ctx.source_place(node, f"groups are taken of at most {MAX_MEMBERS}, and these are more."))


def emit_bit(ctx: Context, place: int) -> int:
    """Emit the number with one bit set, that of an index."""
    return ctx.emit.look_up(ctx.plan.add_table(tuple(1 << number for number in range(MAX_MEMBERS))), place)


def emit_overlaps(ctx: Context, one: int, other: int) -> int:
    """Emit whether two numbers have a bit in common."""
    return ctx.emit.evaluate("unequal", ctx.emit.evaluate("shared", one, other), ZERO)


def members_with_bits(ctx: Context, members: int, bits: int) -> int:
    """Emit the members whose bits are set, as a vector."""
    result, place = empty_vector(ctx), ctx.emit.new_variable(ZERO)
    with ctx.emit.each(members) as member:
        with ctx.emit.if_true(emit_overlaps(ctx, bits, emit_bit(ctx, place))):
            ctx.emit.op("push", result, member)
        ctx.emit.compute_into("add", place, place, ONE)
    return result


# ── counted ──


def groups_in(ctx: Context, token: Name, members: MemberSet, scope: Scope) -> MemberSet:
    """Compile `melds in hand`: all groups of its pieces, which can only be counted: to walk over them raises
    ReportedError."""
    grouping = group_test(ctx, token, members, scope)
    scalar = ctx.scalar

    def count() -> int:
        total = ctx.emit.new_variable(ZERO)
        all_of(lambda _: ctx.emit.compute_into("add", total, total, ONE))
        return total

    def none() -> int:
        exists = ctx.emit.new_variable(ZERO)

        def stop(_: int) -> None:
            ctx.emit.assign(exists, ONE)
            ctx.emit.op("break")

        all_of(stop)
        return ctx.emit.negate(exists)

    def all_of(body: Callable[[int], None]) -> None:
        with ctx.reading(scalar):
            for_each_group(ctx, vector_of(ctx, members), members.type, grouping, body)

    def walk(body: Callable[[int], None], stop: int | None) -> None:
        problem, hint = messages.GROUPS_ARE_COUNTED(name=token.text), messages.COUNT_GROUPS(name=token.text)
        raise ctx.error(token, problem, hint)

    return MemberSet(GROUPS, MAX_GROUPS, walk, emit_size=count, emit_is_empty=none)
