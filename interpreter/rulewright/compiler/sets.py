"""Sets: filtered, ranked, united, cut, in seat order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulewright.compiler import attributes, messages, name_resolution, owned_names
from rulewright.compiler.context import Context
from rulewright.compiler.fusion import fuse_table_lookups
from rulewright.compiler.registry import meaning_of, means
from rulewright.compiler.scopes import Scope
from rulewright.compiler.senses import (
    ATTRIBUTE,
    WORD,
    choose_sense,
    warn_of_filtered_union,
    warn_of_first_before_filter,
)
from rulewright.compiler.set_operations import (
    emit_row,
    empty_vector,
    filter_group,
    group_from_vector,
    select_by_entry,
    size_of,
    vector_of,
)
from rulewright.compiler.type_checks import require_group, require_present, single_value
from rulewright.compiler.type_descriptions import describe
from rulewright.compiler.typed_expressions import (
    compile_number,
    compile_number_or_fraction,
    compile_set,
    compile_truth,
    compile_value,
)
from rulewright.compiler.typed_values import NUMBER, SEAT, SET, MemberSet, Value, kinds_in, member_value
from rulewright.model.declarations import canonical
from rulewright.program.instructions import NONE, ONE, ZERO, constant
from rulewright.program.value_types import Type
from rulewright.syntax.condition_nodes import Compare
from rulewright.syntax.expression_nodes import Expression, Path
from rulewright.syntax.number_nodes import Number
from rulewright.syntax.set_nodes import Best, BestWhere, GroupOf, LeftOf, NextOf, SomeOf, Union, Where
from rulewright.syntax.tree import End, Which


@means(Where)
def meaning_of_where(ctx: Context, expression: Where, scope: Scope) -> MemberSet:
    """Compile `SET where CONDITION`, by a table of words where that is possible."""
    condition = expression.condition
    warn_of_first_before_filter(ctx, expression)
    warn_of_filtered_union(ctx, expression)
    members = compile_set(ctx, expression.things, scope)
    scalar = ctx.scalar
    if looked_up := select_by_attribute(ctx, members, condition, scope):
        return looked_up

    def keep(item: int) -> int:
        with ctx.reading(scalar):
            return compile_truth(ctx, condition, scope.with_item(member_value(members, item)))

    return filter_group(ctx, members, keep)


def select_by_attribute(ctx: Context, members: MemberSet, condition: Expression, scope: Scope) -> MemberSet | None:
    """Compile `where suit is trump` as one table look-up for each piece; None where that is not possible."""
    match condition:
        case Compare(left=Path(own=None | "its" as own, names=(token,)), relation="", right=right):
            item = member_value(members, NONE)
        case _:
            return None
    if members.type.base != "piece":
        return None
    item_scope = scope.with_item(item)
    name = canonical(str(token))
    senses = (
        owned_names.senses_of(ctx, item, name, item_scope)
        if own is not None
        else name_resolution.senses_of_name(ctx, token, "", item_scope, "")
    )
    sense = choose_sense(ctx, token, senses, NUMBER.base if isinstance(right, Number) else "")
    if sense is None or sense.sort != ATTRIBUTE:
        return None
    column = attributes.attribute_table(ctx, members.type, sense.name)
    if column is None or not (
        isinstance(right, Number) or is_same_for_all_items(ctx, right, item_scope, str(column[1].detail))
    ):
        return None
    value = compile_value(ctx, right, scope, column[1])
    if value.type == NUMBER:
        outcome = None if value.low <= column[3] and column[2] <= value.high else 0
        ctx.remarks.note_condition(ctx.scalar, condition, outcome)
    return select_by_entry(ctx, members, column[0], value.operand)


def is_same_for_all_items(ctx: Context, path: Expression, scope: Scope, expected_list: str) -> bool:
    """Whether an expression is a path that means the same for every item. scope: that of one item."""
    if not isinstance(path, Path) or path.own == "its" or scope.item is None:
        return False
    token = path.names[0]
    if canonical(str(token)) not in map(canonical, ["it", *owned_names.names_owned_by(ctx, scope.item.type)]):
        return True
    sense = choose_sense(
        ctx,
        token,
        name_resolution.senses_of_name(ctx, token, path.own or "", scope, expected_list),
        "word" if expected_list else "",
    )
    return sense is not None and sense.sort == WORD


@means(Best)
def meaning_of_best(ctx: Context, expression: Best, scope: Scope) -> MemberSet:
    """Compile `SET with highest FIGURE`: all members that have it."""
    warn_of_first_before_filter(ctx, expression)
    return members_with_best(
        ctx, compile_set(ctx, expression.things, scope), expression.which, expression.figure, scope
    )


@means(BestWhere)
def meaning_of_best_where(ctx: Context, expression: BestWhere, scope: Scope) -> MemberSet:
    """Compile `SET where CONDITION with highest FIGURE`: of those for which the condition holds."""
    filter_ = Where(expression.things, expression.condition).with_span(expression.span)
    return members_with_best(ctx, meaning_of_where(ctx, filter_, scope), expression.which, expression.figure, scope)


def members_with_best(
    ctx: Context, members: MemberSet, which: Which, figure_tree: Expression, scope: Scope
) -> MemberSet:
    """Return all members that have the highest (lowest) figure; each use looks for them anew."""
    scalar = ctx.scalar

    def make() -> int:
        with ctx.reading(scalar):
            vector, best = empty_vector(ctx), ctx.emit.new_variable(ZERO)

            def body(item: int) -> None:
                figure = compile_number_or_fraction(ctx, figure_tree, scope.with_item(member_value(members, item)))
                pair = (best, figure.operand) if which == "highest" else (figure.operand, best)
                size = ctx.emit.compute("length", vector)
                better = ctx.emit.new_variable(ctx.emit.evaluate("equal", size, ZERO))
                with ctx.emit.if_true(ctx.emit.negate(better)):
                    ctx.emit.assign(better, ctx.emit.evaluate("less", *pair))
                with ctx.emit.if_true(better):
                    ctx.emit.op("vector", vector)
                    ctx.emit.assign(best, figure.operand)
                with ctx.emit.if_true(ctx.emit.evaluate("equal", figure.operand, best)):
                    ctx.emit.op("push", vector, item)

            members.walk(body, None)
            return vector

    return group_from_vector(ctx, members.type, members.capacity, make)


@means(Union)
def meaning_of_union(ctx: Context, expression: Union, scope: Scope) -> MemberSet:
    """Compile `A plus B`: the members of A, then those of B, each once."""
    first, second = compile_set(ctx, expression.left, scope), compile_set(ctx, expression.right, scope)
    if first.type.base != second.type.base:
        raise ctx.error(expression, messages.JOINS_TYPES(one=describe(first.type), other=describe(second.type)))
    type_ = first.type
    if type_.base == "piece":
        type_ = Type("piece", kinds_in(first.type) | kinds_in(second.type), True)

    disjoint = are_disjoint(ctx, first, second)

    def make() -> int:
        return ctx.emit.compute_vector("join" if disjoint else "unite", vector_of(ctx, first), vector_of(ctx, second))

    both = group_from_vector(ctx, type_, first.capacity + second.capacity, make)
    if not (disjoint and first.zones and second.zones):
        return both

    def count() -> int:
        return ctx.emit.evaluate("add", size_of(ctx, first).operand, size_of(ctx, second).operand)

    return replace(both, zones=(*first.zones, *second.zones), emit_size=count)


def are_disjoint(ctx: Context, first: MemberSet, second: MemberSet) -> bool:
    """Whether it is known that no member can be in both sets."""
    if first.type.base == "piece" and not kinds_in(first.type) & kinds_in(second.type):
        return True
    ones, others = ({place.zone.name for place in members.zones if place.zone} for members in (first, second))
    return bool(ones) and bool(others) and not ones & others


@means(SomeOf)
def meaning_of_some_of(ctx: Context, expression: SomeOf, scope: Scope) -> MemberSet:
    """Compile `top N of SET` and the like; fewer if there are not as many."""
    amount = compile_number(ctx, expression.amount, scope)
    things = _ordered_source(ctx, expression.end, expression.things, scope)
    from_end = expression.end in ("top", "last")

    def make() -> int:
        return ctx.emit.compute_vector("back" if from_end else "front", vector_of(ctx, things), amount.operand)

    return group_from_vector(ctx, things.type, max(0, min(things.capacity, amount.high)), make)


def _ordered_source(ctx: Context, end: End, expression: Expression, scope: Scope) -> MemberSet:
    """Return the set of which some are taken. Raises ReportedError for `last 1 of row's colour`, which means (last 1
    of row)'s colour."""
    meaning = meaning_of(ctx, expression, scope, "", SET, all_seats=True)
    owner, owned, attribute = ctx.source_text(expression).rpartition("'s ")
    if owned and isinstance(meaning, Value) and meaning.type.base in ("number", "fraction", "truth", "word"):
        problem = messages.NO_END_OF_ONE(given=describe(meaning.type), end=end)
        hint = messages.SAY_WHOSE_ATTRIBUTE(end=end, owner=owner, attribute=attribute)
        raise ctx.error(expression, problem, hint)
    return require_group(ctx, meaning, expression)


@means(NextOf)
def meaning_of_next_of(ctx: Context, expression: NextOf, scope: Scope) -> Value:
    """Emit the first member clockwise after a seat; the seat itself comes last; nobody if there is none."""
    members = compile_set(ctx, expression.seats, scope, "seat")
    after = require_present(ctx, compile_value(ctx, expression.after, scope, SEAT), expression.after)
    best, distance = ctx.emit.new_variable(NONE), ctx.emit.new_variable(constant(ctx.plan.seats + 1))

    def body(seat: int) -> None:
        steps = clockwise_distance(ctx, ctx.emit.evaluate("add", after.operand, ONE), seat)
        with ctx.emit.if_true(ctx.emit.evaluate("less", steps, distance)):
            ctx.emit.assign(distance, steps)
            ctx.emit.assign(best, seat)

    members.walk(body, None)
    return Value(SEAT, best, may_be_nothing=True)


def clockwise_distance(ctx: Context, start: int, seat: int) -> int:
    """Emit the steps clockwise from `start` (which may be one beyond the last seat) to `seat`."""
    seats = ctx.plan.seats
    steps = ctx.emit.evaluate("add", ctx.emit.evaluate("subtract", seat, start), constant(seats))
    return ctx.emit.look_up(ctx.plan.add_table(tuple(n % seats for n in range(2 * seats + 1))), steps)


def clockwise_from(ctx: Context, start: int, members: Sequence[int]) -> int:
    """Emit some seats clockwise from `start`, an operand, as a vector."""
    seats = range(ctx.plan.seats)
    rows = [member for first in seats for member in sorted(members, key=lambda seat: (seat - first) % len(seats))]
    return emit_row(ctx, tuple(rows), start, len(members))


@means(LeftOf)
def meaning_of_left_of(ctx: Context, expression: LeftOf, scope: Scope) -> Value:
    """Compile `left of SEAT`: the next seat clockwise, also one that does not act any more."""
    seat = require_present(ctx, compile_value(ctx, expression.seat, scope, SEAT), expression.seat)
    seats = ctx.plan.seats
    left = tuple((n + 1) % seats for n in range(seats))
    return Value(SEAT, ctx.emit.look_up(ctx.plan.add_table((*left, -1)), seat.operand))


@means(GroupOf)
def meaning_of_group_of(ctx: Context, expression: GroupOf, scope: Scope) -> MemberSet:
    """Compile `group 2 of tricks by suit`: the members of the second largest group of equals; none if there are not so
    many."""
    name, rank = expression.name, compile_number(ctx, expression.rank, scope)
    things = compile_set(ctx, expression.things, scope)

    def make() -> int:
        vector, keys, members = vector_of(ctx, things), ctx.emit.new_vector(), ctx.emit.new_vector()
        begin = len(ctx.emit.code)
        ctx.emit.op("vector", keys)
        with ctx.emit.each(vector) as item:
            key = single_value(ctx, name_resolution.resolve_owned(ctx, member_value(things, item), name, scope), name)
            ctx.emit.op("push", keys, key.operand)
        fuse_table_lookups(ctx.emit, begin)
        ctx.emit.op("largest_group", members, vector, keys, rank.operand)
        return members

    return group_from_vector(ctx, things.type, things.capacity, make)
